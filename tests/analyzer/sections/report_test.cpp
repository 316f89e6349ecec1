// Every log gets a report: empty, damaged, huge, and those where some number has nothing to divide by.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/renderers.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

report::Document report_on(const Log& log)
{
    return make_report(Job(log), {});
}
nlohmann::json values_of(const Log& log)
{
    return nlohmann::json::parse(report::render_json(report_on(log))).at("values");
}

// Renders in every form; the text is returned.
std::string survives(const Log& log)
{
    const report::Document document = report_on(log);
    std::string text;
    for (const report::Renderer& one : report::renderers()) {
        const std::string out = one.render(document, {});
        CHECK_FALSE(out.empty());
        if (one.format == "text") text = out;
    }
    CHECK_THAT(text, !Contains("nan") && !Contains(" inf"));
    return text;
}

}  // namespace

TEST_CASE("an empty log gets a report that says so")
{
    CHECK_THAT(survives(Log()), Contains("no process"));
}

TEST_CASE("a job that only used streams has no rate and no mode")
{
    Synthetic made;
    made.process(-1);
    made.io<StdioRecord>(made.file("<stdout>", NameKind::stream), 0, {.bytes_written = 500, .write_time = 5},
                         Scope::streams);
    CHECK_THAT(survives(made.log), Contains("No files were used"));
    CHECK(values_of(made.log).at("rate.rate_per_node").is_null());
    CHECK(values_of(made.log).at("modes.application_writes") == "none");
}

TEST_CASE("a job without any duration has no rate, and no division by zero")
{
    Synthetic made;
    made.ranks(2);
    for (Process& process : made.log.rows<Process>()) process.end = process.start;
    made.io<PosixRecord>(made.file("/x"), 0, {.bytes_written = mib});
    survives(made.log);
    CHECK(values_of(made.log).at("rate.rate_per_node").is_null());
    CHECK(values_of(made.log).at("time.io_share").is_null());
}

TEST_CASE("records without totals, processes or names still get a report")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t shared = made.file("/x");
    for (std::int64_t rank = 0; rank < 2; ++rank)
        made.io<PosixRecord>(shared, rank, {.bytes_written = mib, .write_time = 1});
    made.log.rows<Totals>().clear();
    made.log.problems.push_back("x.fathom: at byte 7: the block's checksum does not match; left out");
    CHECK_THAT(survives(made.log), Contains("no totals") && Contains("checksum"));
    CHECK(values_of(made.log).at("modes.application_writes") == "N-1");
    made.log.rows<FileName>().clear();
    CHECK_THAT(survives(made.log), Contains("name lost"));
    made.log.rows<Process>().clear();
    survives(made.log);
}

TEST_CASE("values beyond their enumerations do no harm")
{
    Synthetic made;
    made.ranks(1);
    made.io<PosixRecord>(made.file("/x", static_cast<NameKind>(77)), 0, {.bytes_written = 1});
    made.total(0, static_cast<Layer>(9), static_cast<Scope>(9), {.bytes_written = 1});
    made.total(-7, Layer::posix, Scope::direct, {.bytes_written = 1});
    survives(made.log);
}

TEST_CASE("10,000 ranks fit a chart of a few bars")
{
    Synthetic made;
    made.ranks(10000, 32);
    const std::uint64_t shared = made.file("/shared");
    made.reduced_io<PosixRecord>(shared, 10000, 0, 10000, {.bytes_written = 10000 * mib});
    for (std::int64_t rank = 0; rank < 10000; ++rank)
        made.total(rank, Layer::posix, Scope::direct,
                   {.bytes_written = mib, .write_time = rank == 7777 ? 90 * second : second});
    const std::string text = survives(made.log);
    CHECK_THAT(text, Contains("7777") && Contains("rank 7777"));
    CHECK(values_of(made.log).at("rate.nodes") == 313);
    CHECK(values_of(made.log).at("modes.application_writes") == "N-1");
}

TEST_CASE("of 100,000 files the tables show some and count the rest")
{
    Synthetic made;
    made.ranks(10);
    for (std::int64_t file = 0; file < 100000; ++file)
        made.io<PosixRecord>(made.file("/d/" + std::to_string(file)), file % 10,
                             {.bytes_written = 10, .write_time = static_cast<std::uint64_t>(file)});
    const std::string text = survives(made.log);
    CHECK_THAT(text, Contains("Not shown: 99,990 more files"));
    CHECK(values_of(made.log).at("modes.application_writes") == "N-N");
}

TEST_CASE("helpers of an MPI job are separated")
{
    Synthetic made;
    made.ranks(2);
    const std::int64_t launcher = made.process(-1);
    made.total(launcher, Layer::posix, Scope::direct, {.bytes_read = 999 * mib, .read_time = second});
    made.total(0, Layer::posix, Scope::direct, {.bytes_read = mib, .read_time = second});
    CHECK(values_of(made.log).at("rate.bytes") == mib);
    CHECK(values_of(made.log).at("job.ranks") == 2);
    CHECK_THAT(survives(made.log), Contains("Other processes") && Contains("999 MiB"));
}

TEST_CASE("files lie on the longest mount of whole path components")
{
    Synthetic made;
    made.ranks(1);
    made.log.rows<Mount>() = {{"/", "ext4", "sda"}, {"/home", "nfs", "filer"}, {"/home2", "lustre", "mds"}};
    made.io<PosixRecord>(made.file("/home2/x"), 0, {.bytes_written = 5 * mib});
    made.io<PosixRecord>(made.file("/homestead"), 0, {.bytes_written = 3 * mib});
    const auto json = nlohmann::json::parse(report::render_json(report_on(made.log)));
    for (const auto& section : json.at("sections")) {
        if (section.at("id") != "file_systems") continue;
        const auto& rows = section.at("blocks").at(0).at("rows");
        REQUIRE(rows.size() == 2);
        CHECK(rows.at(0).at("type") == "lustre");
        CHECK(rows.at(1).at("type") == "ext4");
    }
}

TEST_CASE("time outside of I/O calls includes what mappings read and write")
{
    const auto text_with = [](std::uint64_t maps, std::uint64_t faults) {
        Synthetic made;
        made.ranks(1);
        made.io<PosixRecord>(made.file("/x"), 0, {.bytes_read = mib, .read_time = second}).maps = maps;
        made.log.rows<Process>()[0].major_faults = faults;
        return report::render_json(report_on(made.log));
    };
    CHECK_THAT(text_with(0, 7), !Contains("of mapped files"));
    CHECK_THAT(text_with(1, 7), Contains("mapped files; 7 page faults waited for the disk."));
}

TEST_CASE("calls beyond reads and writes are reported by kind, and mappings as estimates")
{
    Synthetic made;
    made.ranks(2);
    PosixRecord& folder = made.io<PosixRecord>(made.file("/x", NameKind::directory), 0, {});
    folder.directory_reads = 7;
    PosixRecord& file = made.io<PosixRecord>(made.file("/x/y"), 1, {});
    file.maps = 1;
    file.map_bytes_read = 3 * mib;
    file.locks = 2;
    file.lock_time = second / 2;
    file.async_reads = 5;
    file.async_unseen = 1;
    file.async_time = 8 * second;
    made.io<MpiioRecord>(made.file("/x/z"), 1, {}).seeks = 5;
    const std::string text = survives(made.log);
    CHECK_THAT(text, Contains("readdir, scandir") && Contains("POSIX AIO") && Contains("via mmap (estimate)") &&
                         Contains("1 of the reads and writes went through rings"));
    const nlohmann::json values = values_of(made.log);
    CHECK(values.at("calls.map_bytes_read") == 3 * mib);
    CHECK(values.at("summary.mapped") == 3 * mib);
    CHECK(values.at("calls.lock_time") == 0.5);
    const nlohmann::json report = nlohmann::json::parse(report::render_json(report_on(made.log)));
    CHECK_THAT(report.dump(), Contains(R"("mean_time":2.0)"));
}
