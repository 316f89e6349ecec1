// Logs of other tools: sums have all that was done, and what is not known is never told as 0.
#include "tests/analyzer/imported.h"

#include <catch2/catch.hpp>

#include "analyzer/book/book.h"
#include "analyzer/document/renderers/text/text.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/rank_bytes.h"
#include "analyzer/sections/trust/missing.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// Four ranks write 400 MiB to a file that all opened, rank 2 the slowest, and rank 0 writes 40 MiB alone.
Imported written()
{
    Imported made(4);
    made.log.add_fact("command", "./app");
    made.shared<PosixRecord>(made.file("/out/shared"),
                             {.all = {.bytes_written = 400 * mib, .write_time = 20 * second},
                              .slowest = {2, 8 * second, 100 * mib},
                              .fastest = {1, 3 * second, 100 * mib}});
    made.own<PosixRecord>(made.file("/out/own"), 0, {.bytes_written = 40 * mib, .write_time = 2 * second});
    return made;
}

std::string text_of(const Log& log)
{
    const Job job(log);
    return report::render_text(make_report(job, {}), {.width = 400});
}

const report::Section* section_of(const report::Document& document, std::string_view id)
{
    for (const report::Section& section : document.sections)
        if (section.id == id) return &section;
    return nullptr;
}

}  // namespace

TEST_CASE("what several ranks did together counts in every sum")
{
    const Imported made = written();
    const Job job(made.log);
    CHECK_FALSE(job.told_apart());
    CHECK(job.application_bytes(Direction::write) == 440 * mib);
    CHECK(job.used(Layer::posix));
    const TimeUse use = time_use_of(job);
    CHECK(use.in_io == Approx(22e9));
    CHECK(use.all.mean == Approx(5.5e9));
    REQUIRE(use.slowest);
    CHECK(use.slowest->least == 8 * second);
    CHECK(use.slowest->most() == 10 * second);
}

TEST_CASE("the rate of an imported log lies between two bounds, and no node is made up")
{
    const Imported made = written();
    const JobRates rates = rates_of(Job(made.log));
    CHECK(rates.job.bytes == 440 * mib);
    CHECK(rates.job.total == Approx(44));
    CHECK(rates.fastest.total == Approx(55));
    CHECK_FALSE(rates.job.defined);
    CHECK_FALSE(rates.window.has_total);
    const std::string text = text_of(made.log);
    CHECK_THAT(text, Contains("the log has no compute nodes"));
    CHECK_THAT(text, !Contains(" 0 nodes") && !Contains("1 node"));
}

TEST_CASE("movers of a shared file are one where one rank moved all bytes, else at most all")
{
    Imported made(4);
    made.shared<PosixRecord>(made.file("/all"), {.all = {.bytes_written = 400 * mib, .write_time = second},
                                                 .slowest = {2, second / 2, 100 * mib},
                                                 .fastest = {1, second / 8, 50 * mib}});
    made.shared<PosixRecord>(made.file("/alone"), {.all = {.bytes_read = 8 * mib, .read_time = second},
                                                   .slowest = {3, second, 8 * mib},
                                                   .fastest = {1, 0, 0}});
    made.shared<PosixRecord>(made.file("/equal"), {.all = {.bytes_written = 4 * mib, .write_time = second},
                                                   .slowest = {3, second / 2, mib},
                                                   .fastest = {1, 0, mib},
                                                   .bytes_squares = 0});
    const Job job(made.log);
    CHECK(job.files[0].application().writers().count == 4);
    CHECK(job.files[0].application().writers().at_most);
    CHECK(job.files[1].application().readers().count == 1);
    CHECK(job.files[1].application().readers().one == 3);
    CHECK_FALSE(job.files[1].application().readers().at_most);
    CHECK(job.files[2].application().writers().count == 4);
    CHECK_FALSE(job.files[2].application().writers().at_most);
    CHECK(modes_at(job, Level::application, Direction::read).mode == Mode::one_to_one);
    CHECK(modes_at(job, Level::application, Direction::write).mode == Mode::n_to_1);
    CHECK(job.application_movers[0] == 1);
    CHECK_FALSE(job.application_movers_at_most[0]);
}

TEST_CASE("with shared reduction off, a file that all ranks have a record of is shared")
{
    Imported made(3);
    const std::uint64_t all = made.file("/all"), two = made.file("/two");
    for (std::int64_t rank = 0; rank < 3; ++rank) made.own<PosixRecord>(all, rank, {.bytes_written = mib});
    for (std::int64_t rank = 0; rank < 2; ++rank) made.own<PosixRecord>(two, rank, {.bytes_written = mib});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.by_class[static_cast<std::size_t>(FileClass::shared)].files == 1);
    CHECK(study.by_class[static_cast<std::size_t>(FileClass::partly_shared)].files == 1);
}

TEST_CASE("a report on an imported log says what is not recorded and shows no 0 for it")
{
    const Imported made = written();
    const Job job(made.log);
    const report::Document document = make_report(job, {});
    for (const report::Section& section : document.sections)
        for (const report::Block& block : section.blocks)
            if (const auto* const table = std::get_if<report::DataTable>(&block))
                for (const report::DataColumn& column : table->columns) {
                    CHECK((column.id != "failed" || table->id != "calls"));
                    CHECK(column.id != "strided");
                    CHECK(column.id != "error");
                }
    const std::string text = text_of(made.log);
    CHECK_THAT(text, Contains("A log of Darshan, which does not record closes"));
    CHECK_THAT(text, !Contains("calls not counted"));
    CHECK_THAT(text, !Contains("count as 0"));
    CHECK(missing_from(job).size() == 2);
}

TEST_CASE("ranks that are not separated are known by the extremes of shared files")
{
    const Imported made = written();
    const report::Document document = make_report(Job(made.log), {});
    const report::Section* const ranks = section_of(document, "ranks");
    REQUIRE(ranks != nullptr);
    const std::string text = text_of(made.log);
    CHECK_THAT(text, Contains("It is certain that rank 2 spent 8.00 s in I/O or more"));
    CHECK_THAT(text, !Contains("Time in I/O per rank"));
}

TEST_CASE("time bins say the bytes of each rank where they add up to all")
{
    Imported made = written();
    CHECK_FALSE(rank_bytes_of(Job(made.log)));
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.slice(rank, Layer::posix, 2, second, {.bytes_written = (rank == 0 ? 140 : 100) * mib});
    const auto bytes = rank_bytes_of(Job(made.log));
    REQUIRE(bytes);
    CHECK((*bytes)[1] == std::vector<std::uint64_t>{140 * mib, 100 * mib, 100 * mib, 100 * mib});
}

TEST_CASE("time bins of bytes alone have no times and no calls")
{
    Imported made = written();
    for (const char* const column :
         {"time_bins.reads", "time_bins.writes", "time_bins.metadata", "time_bins.read_time",
          "time_bins.write_time", "time_bins.metadata_time"})
        made.log.mark_lacking(column);
    for (std::uint64_t at = 0; at < 100; ++at)
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            Slice& slice = made.slice(rank, Layer::posix, at, second, {});
            slice.bytes_written = at >= 40 && at < 60 ? 55 * mib / 10 : 0;
        }
    const std::string text = text_of(made.log);
    CHECK_THAT(text, Contains("Which ranks did it"));
    CHECK_THAT(text, Contains("How long the ranks took is not recorded"));
    CHECK_THAT(text, !Contains("meta/s"));
}

TEST_CASE("the invariants hold on an imported log, and a slowest rank below the mean breaks one")
{
    Imported made = written();
    CHECK_THAT(text_of(made.log), Contains("the log agrees with itself"));
    made.shared<PosixRecord>(made.file("/odd"), {.all = {.bytes_read = 8 * mib, .read_time = 40 * second},
                                                 .slowest = {2, second, 2 * mib},
                                                 .fastest = {1, second, 2 * mib}});
    CHECK_THAT(text_of(made.log), Contains("the slowest rank of a shared file"));
}

TEST_CASE("files, datasets and variables of libraries have a section of their own")
{
    Imported made = written();
    const std::uint64_t set = made.file("/out/shared:/group/temperature", NameKind::object);
    const auto add = [&](std::string_view library, std::string_view counter, std::uint64_t file,
                         std::int64_t number, double time = 0) {
        made.log.rows<LibraryCounter>().push_back({library, counter, file, 0, reduced, number, time});
    };
    add("H5F", "OPENS", 100, 4);
    add("H5F", "USE_MPIIO", 100, 1);
    add("H5D", "OPENS", set, 4);
    add("H5D", "WRITES", set, 1234);
    add("H5D", "BYTES_WRITTEN", set, 5 << 20);
    add("H5D", "SIZE_WRITE_AGG_1K_10K", set, 1234);
    add("H5D", "WRITE_TIME", set, 0, 2.5);
    const report::Document document = make_report(Job(made.log), {});
    const report::Section* const libraries = section_of(document, "libraries");
    REQUIRE(libraries != nullptr);
    const auto table = [&](std::string_view id) {
        for (const report::Block& block : libraries->blocks)
            if (const auto* const one = std::get_if<report::DataTable>(&block);
                one != nullptr && one->id == id)
                return *one;
        FAIL("no table " << id);
        return report::DataTable();
    };
    REQUIRE(table("libraries").rows.size() == 2);
    REQUIRE(table("library_datasets").rows.size() == 1);
    REQUIRE(table("library_files").rows.size() == 1);
    // By its name the dataset is in a file whose records in the layers below are known.
    CHECK(table("library_file_levels").rows.size() > 1);
    const std::string text = text_of(made.log);
    CHECK_THAT(text, Contains("HDF5 datasets") && Contains("temperature") && Contains("1,234"));
    bool has_sizes = false;
    for (const report::Block& block : libraries->blocks)
        if (const auto* const chart = std::get_if<report::Chart>(&block); chart != nullptr)
            has_sizes = chart->series[1].values[2] == 1234;
    CHECK(has_sizes);
}
