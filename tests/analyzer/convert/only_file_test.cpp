// A log of one file alone has all of that file and nothing of others.
#include "analyzer/convert/only_file.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "analyzer/convert/darshan_changes.h"
#include "logformat/log/trace.h"
#include "parsers/darshan/record_id.h"
#include "tests/analyzer/synthetic.h"
#include "tests/logformat/trace_sample.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/darshan_text.h"
#include "tests/parsers/small_darshan_logs.h"

using namespace fathom;
using namespace fathom::testing;

TEST_CASE("a file is chosen by its path, its id, or a part of its path")
{
    const std::vector<FileName> names = {{0xabc, 0, "/out"}, {0xdef, 0, "/out/step"}, {42, 0, "/in"}};
    CHECK(FileChoice("/out", names).has(0xabc));
    CHECK(!FileChoice("/out", names).has(0xdef));
    CHECK(FileChoice("0000000000000def", names).has(0xdef));
    CHECK(FileChoice("42", names).has(42));
    const FileChoice both("out", names);
    CHECK(both.has(0xabc));
    CHECK(both.has(0xdef));
    CHECK(!both.has(42));
    CHECK(FileChoice("nowhere", names).none());
}

TEST_CASE("records, names and operations of other files go, and sums of all are no longer recorded")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t a = made.file("/a"), b = made.file("/b");
    made.io<PosixRecord>(a, 0, {1, 2, 3, 4, 5});
    made.io<PosixRecord>(b, 1, {1, 2, 3, 4, 5});
    made.log.rows<Layout>().push_back({b, 1, 1, 0, "0", ""});
    made.log.rows<Hints>() = {{a, "cb_nodes=2", "", 0}, {b, "cb_nodes=2", "", 0}};
    made.log.rows<FailedPath>() = {{"/a", 1, 0, 2}};
    sample::TracedThread thread(made.log, 0, 0, 7);
    for (std::uint64_t at = 0; at < 100; ++at)
        thread.add({at % 3 == 0 ? a : b, Layer::posix, Kind::write, at * 512, 512, job_start + at * 100,
                    job_start + at * 100 + 50});
    thread.end();
    const auto told = keep_only(made.log, FileChoice("/a", made.log.rows<FileName>()));
    CHECK(told.size() == 2);  // totals, failed paths
    CHECK(made.log.rows<FailedPath>().empty());
    CHECK(made.log.rows<FileName>().size() == 1);
    REQUIRE(made.log.rows<PosixRecord>().size() == 1);
    CHECK(made.log.rows<PosixRecord>()[0].file == a);
    CHECK(made.log.rows<Layout>().empty());
    REQUIRE(made.log.rows<Hints>().size() == 1);
    CHECK(made.log.rows<Hints>()[0].file == a);
    CHECK(made.log.rows<Totals>().empty());
    CHECK(!made.log.recorded("totals.bytes_read"));
    CHECK(made.log.rows<Process>().size() == 2);
    CHECK(made.log.rows<Process>()[0].traced == 34);
    std::uint64_t operations = 0;
    CHECK(for_each_traced(made.log, [&](const TraceEvent& event) {
              CHECK(event.file == a);
              CHECK(event.offset == 3 * operations * 512);
              CHECK(event.tid == 7);
              ++operations;
          }).empty());
    CHECK(operations == 34);
}

TEST_CASE("a Darshan log of one file alone has its records of every module, and its objects")
{
    const TemporaryFolder folder;
    const darshan::File from(write_small_darshan_logs(folder.path)[0]);
    std::vector<FileName> names;
    for (const auto& [id, name] : from.names()) names.push_back({id, 0, name});
    const std::optional<FileChoice> only(std::in_place, "/scratch/out", names);
    const std::string to = folder.path / "only.darshan";
    const auto told = darshan::copy_log(from, to, darshan_changes(std::nullopt, only, "just one"));
    CHECK(told == std::vector<std::string>{"module HEATMAP: it is of all files together"});
    const darshan::File copy(to);
    CHECK(copy.find(darshan::Module::heatmap) == nullptr);
    CHECK(copy.job().metadata.back() == std::pair<std::string, std::string>("note", "just one"));
    for (const darshan::ModuleRegion& region : from.modules()) {
        if (region.module == darshan::Module::heatmap) continue;
        CHECK(difference(lines_of_module(copy, region.module), lines_of_module(from, region.module)) == "");
    }
    const std::optional<FileChoice> other(std::in_place, "<STDOUT>", names);
    darshan::copy_log(from, to, darshan_changes(std::nullopt, other, {}));
    CHECK(darshan::File(to).modules().empty());
    const darshan::File one(to);
    CHECK(one.names().size() == 1);
}
