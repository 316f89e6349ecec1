// The dump is exact, complete and the same in both forms.
#include "analyzer/dump/dump.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

using Dump = void (*)(const Log&, const DumpChoice&, const Sink&);

std::string dumped(Dump dump, const Log& log, const DumpChoice& choice = {})
{
    std::string all;
    dump(log, choice, [&](std::string_view piece) {
        all += piece;
        return true;
    });
    return all;
}

Synthetic small_log()
{
    Synthetic made;
    made.log.add_fact("command", "./app\twith tab");
    made.ranks(2);
    auto& row = made.io<PosixRecord>(made.file("/data/\xff"), 1,
                                     {.bytes_written = 12345678901, .write_time = 1234567891});
    row.first_open = job_start + 5;
    row.last_open = job_start - 3;
    made.log.rows<Mount>().push_back({"/data", "ext4", "/dev/sda"});
    made.burst(0, 1, 2);
    return made;
}

}  // namespace

TEST_CASE("the text dump prints exact values, a counter a line")
{
    const Synthetic made = small_log();
    const std::string text = dumped(dump_text, made.log);
    CHECK_THAT(text, Contains("posix\t1\tbytes_written\t12345678901\t/data/\\xff\n"));
    CHECK_THAT(text, Contains("posix\t1\twrite_time\t1.234567891\t/data/\\xff\n"));
    CHECK_THAT(text, Contains("posix\t1\tfirst_open\t0.000000005\t"));
    CHECK_THAT(text, Contains("posix\t1\tlast_open\t-0.000000003\t"));
    CHECK_THAT(text, Contains("posix\t1\tfirst_read\t-\t"));
    CHECK_THAT(text, Contains("job\t-\tcommand\t./app\\twith tab\t-\n"));
    CHECK_THAT(text, Contains("mounts\t-\ttype\text4\t/data\n"));
    CHECK_THAT(text, Contains("totals\t1\tbytes_written\t12345678901\tposix direct\n"));
    CHECK_THAT(text, Contains("bursts\t0\tstart\t1.000000000\t-\n"));
    CHECK_THAT(text, Contains("names\t-\tfile\t"));
}

TEST_CASE("the JSON dump is one valid document with the same values")
{
    const Synthetic made = small_log();
    const auto json = nlohmann::json::parse(dumped(dump_json, made.log));
    CHECK(json.at("fathom_dump") == 1);
    const auto& row = json.at("tables").at("posix").at(0);
    CHECK(row.at("path") == "/data/\\xff");
    CHECK(row.at("bytes_written") == 12345678901);
    CHECK(row.at("write_time") == 1.234567891);
    CHECK(row.at("first_read").is_null());
    CHECK(json.at("tables").size() == table_count);
    CHECK(nlohmann::json::parse(dumped(dump_json, Log())).at("tables").at("posix").empty());
}

TEST_CASE("tables, paths and zeros can be left out")
{
    Synthetic made = small_log();
    made.io<PosixRecord>(made.file("/other"), 0, {.bytes_read = 1});
    const std::string text =
        dumped(dump_text, made.log, {.tables = {"posix"}, .file = "data", .nonzero = true});
    CHECK_THAT(text, !Contains("/other") && !Contains("\ntotals") && !Contains("\tbytes_read\t"));
    CHECK_THAT(text, Contains("\tbytes_written\t"));
}

TEST_CASE("counters that the log lacks are separated from 0, and problems are listed")
{
    Synthetic made = small_log();
    made.log.mark_lacking("posix.reads");
    made.log.problems.push_back("bad\nblock");
    const std::string text = dumped(dump_text, made.log);
    CHECK_THAT(text, Contains("posix\t1\treads\tnot-recorded\t") && Contains("# problem: bad\\nblock\n"));
    const auto json = nlohmann::json::parse(dumped(dump_json, made.log));
    CHECK(json.at("tables").at("posix").at(0).at("reads").is_null());
}

TEST_CASE("a dump stops where nobody reads on")
{
    Synthetic made;
    made.ranks(5000);
    for (const Dump dump : {dump_text, dump_json}) {
        int pieces = 0;
        dump(made.log, {}, [&](std::string_view) { return ++pieces < 2; });
        CHECK(pieces == 2);
    }
}

TEST_CASE("the schema names every column once")
{
    const std::string schema = schema_text();
    CHECK_THAT(schema, Contains("posix\tbytes_read\tu64\tbytes\tsum\t") &&
                           Contains("processes\thost\ttext\t-\tkey\t"));
}
