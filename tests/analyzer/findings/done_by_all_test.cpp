// What ranks do together, each for itself or one after the other, and what programs do around each file or
// message.
#include <catch2/catch.hpp>

#include "tests/analyzer/findings/faulty_calls.h"
#include "tests/analyzer/findings/found.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// A file of 256 MiB to which each of four ranks writes so many bytes, the slowest of them so many.
Synthetic written_by_four(std::uint64_t of_all, std::uint64_t of_slowest, std::uint64_t others_differ)
{
    Synthetic made;
    made.ranks(4);
    PosixRecord& row = made.reduced_io<PosixRecord>(made.file("/shared/volume"), 4, 0, 4,
                                                    {.bytes_written = of_all, .write_time = 40 * second});
    row.writes = of_all / mib;
    row.opens = 4;
    row.highest_written = 256 * mib;
    row.slowest.process = 0;
    row.slowest.time = 30 * second;
    row.slowest.bytes = of_slowest;
    row.fastest.process = 1;
    row.fastest.time = 3 * second;
    row.fastest.bytes = (of_all - of_slowest) / 3;
    row.bytes.squares = static_cast<double>(others_differ);
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.total(rank, Layer::posix, Scope::direct,
                   {.bytes_written = rank == 0 ? of_slowest : (of_all - of_slowest) / 3,
                    .write_time = rank == 0 ? 30 * second : 3 * second});
    return made;
}

}  // namespace

TEST_CASE("written by all: a header that another layer writes belongs to the whole")
{
    const auto log_with = [](std::uint64_t header, std::uint64_t data) {
        Synthetic made;
        made.ranks(4);
        const std::uint64_t file = made.file("/shared/result.npy");
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            made.io<PosixRecord>(file, rank, {.bytes_written = header, .write_time = ms}).highest_written =
                header;
            made.io<StdioRecord>(file, rank, {.bytes_written = data, .write_time = 20 * second})
                .highest_written = 64 * mib;
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(mib, 63 * mib).log, "written_by_all");
    CHECK(one.title == "4 ranks each write the whole of one file");
    CHECK(cost_of(one) == Approx(15).epsilon(0.01));
    CHECK_FALSE(finds(log_with(mib, 50 * mib).log, "written_by_all"));  // a part of it each
    Synthetic lines = log_with(mib, 63 * mib);
    for (StdioRecord& row : lines.log.rows<StdioRecord>()) row.writes = 2000;
    CHECK_FALSE(finds(lines.log, "written_by_all"));  // each adds its own
    for (PosixRecord& row : lines.log.rows<PosixRecord>()) row.creates = 1;
    CHECK(finds(lines.log, "written_by_all"));
    for (StdioRecord& row : lines.log.rows<StdioRecord>()) row.writes = 100'000;
    CHECK_FALSE(finds(lines.log, "written_by_all"));  // each seems to have made it
}

TEST_CASE("written again: what one rank fills before all ranks write over it, and no imbalance")
{
    const report::Finding one = finding_of(written_by_four(512 * mib, 320 * mib, 1).log, "written_again");
    CHECK(one.title == "256 MiB written by one rank, before all ranks write over it");
    CHECK(cost_of(one) == Approx(30 * 256 / 320.0));  // all others wait
    CHECK_THAT(lines_of(one), Contains("ftruncate"));
    CHECK_FALSE(finds(written_by_four(512 * mib, 320 * mib, 1).log, "byte_imbalance"));
    const Synthetic uneven = written_by_four(256 * mib, 220 * mib, 1);
    CHECK_FALSE(finds(uneven.log, "written_again"));
    CHECK(finds(uneven.log, "byte_imbalance"));
}

TEST_CASE("files as messages: those that stay, a hundred from several ranks to others")
{
    const auto log_with = [](std::size_t number, std::int64_t writers, std::uint64_t size, bool passed = true,
                             const std::string& ending = "") {
        Synthetic made;
        made.ranks(4);
        for (std::size_t at = 0; at < number; ++at) {
            const std::uint64_t file = made.file("/shared/halo." + std::to_string(at) + ending);
            const std::int64_t writer = static_cast<std::int64_t>(at) % writers;
            made.io<PosixRecord>(file, writer, {.bytes_written = size, .metadata_time = 100 * ms})
                .highest_written = size;
            made.io<PosixRecord>(file, passed ? (writer + 1) % 4 : writer,
                                 {.bytes_read = size, .metadata_time = 100 * ms})
                .highest_read = size;
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(100, 4, 8192).log, "files_as_messages");
    CHECK(one.title == "100 files of 8 KiB pass between ranks");
    const auto found = [&](auto... how) { return finds(log_with(how...).log, "files_as_messages"); };
    CHECK_FALSE(found(99u, 4, 8192u));
    CHECK_FALSE(found(100u, 1, 8192u));  // one rank's input for the others
    CHECK(found(100u, 2, 64u << 10));
    CHECK_FALSE(found(100u, 2, (64u << 10) + 1));
    CHECK_FALSE(found(100u, 4, 8192u, false));
    CHECK_FALSE(found(100u, 4, 8192u, true, ".py"));  // modules that ranks unpacked
}

TEST_CASE("metadata bound: a folder that all ranks list is listed by one for all")
{
    const auto log_with = [](std::int64_t ranks, std::int64_t listing) {
        Synthetic made;
        made.ranks(ranks);
        const std::uint64_t folder = made.file("/shared/scenes", NameKind::directory);
        for (std::int64_t rank = 0; rank < listing; ++rank)
            made.io<PosixRecord>(folder, rank, {.metadata_time = 20 * second}).directory_reads = 3000;
        made.operations(Layer::posix, Kind::other, 0,
                        std::vector<std::uint64_t>(static_cast<std::size_t>(listing) * 3000, 6 * ms));
        made.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(2000, us));
        return made;
    };
    const report::Finding one = finding_of(log_with(4, 4).log, "metadata_bound");
    CHECK_THAT(one.advice.front().text, Contains("Have one rank list the folder"));
    CHECK(cost_of(one) == Approx(15));
    CHECK(one.cost_least == 0.0);
    CHECK_FALSE(finds(log_with(4, 3).log, "metadata_bound"));
    CHECK_FALSE(finds(log_with(2, 2).log, "metadata_bound"));
}

TEST_CASE("metadata bound: what fails are many names, of which none is asked for often")
{
    Synthetic made;
    made.process(-1);
    made.io<PosixRecord>(made.file("/data"), 0,
                         {.bytes_read = mib, .read_time = second, .metadata_time = 50 * second});
    made.operations(Layer::posix, Kind::failed, 0, std::vector<std::uint64_t>(10'000, 5 * ms));
    made.log.rows<FailedPath>() = {
        {"/bin/gcc", 36, 0, 2}, {"/inc/a/x.h", 600, 599, 2}, {"/inc/b/x.h", 700, 699, 2}};
    CHECK_THAT(numbers_of(finding_of(made.log, "metadata_bound")),
               Contains("/inc/b/x.h (one of many") && Contains("/inc/a/x.h") && !Contains("gcc"));
    made.log.rows<FailedPath>().front().calls = 500;
    CHECK_THAT(numbers_of(finding_of(made.log, "metadata_bound")),
               Contains("gcc") && !Contains("one of many"));
}

TEST_CASE("logs that are rotated: nothing in them is made anew, and older ones are renamed")
{
    const auto log_with = [](std::string_view older) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libpython3";
        made.log.rows<Process>().front().program = "/usr/bin/python3";
        PosixRecord& row = made.io<PosixRecord>(
            made.file("/var/app.log"), 0,
            {.bytes_written = 400 * 4096, .write_time = second, .metadata_time = 10 * second});
        row.opens = row.closes = row.creates = row.renames = row.writes = 400;
        row.highest_written = 4096;
        made.io<PosixRecord>(made.file(older), 0, {.metadata_time = 10 * second}).renames = 399;
        made.operations(Layer::posix, Kind::other, 0, std::vector<std::uint64_t>(799, 20 * ms));
        return made;
    };
    const Synthetic turned = log_with("/var/app.log.1"), other = log_with("/var/other.1");
    CHECK_FALSE(finds(turned.log, "open_close_churn"));
    CHECK(finds(other.log, "open_close_churn"));
    CHECK_THAT(finding_of(turned.log, "metadata_bound").advice.front().text,
               Contains("Rotate the log less often"));
}

TEST_CASE("needless opens: an empty file that is made and removed each time stands for a lock")
{
    const auto log_with = [](std::uint64_t unlinks, std::uint64_t written) {
        Synthetic made;
        made.process(-1);
        PosixRecord& row = made.io<PosixRecord>(made.file("/results.lock"), 0,
                                                {.bytes_written = written, .metadata_time = 10 * second});
        row.opens = row.closes = row.creates = 400;
        row.unlinks = unlinks;
        row.highest_written = written > 0 ? 8 : 0;
        return made;
    };
    CHECK_FALSE(finds(log_with(400, 0).log, "open_close_churn"));
    CHECK(finds(log_with(0, 0).log, "open_close_churn"));
    CHECK(finds(log_with(400, 3200).log, "open_close_churn"));
}

TEST_CASE("metadata bound: what Python asks for around each line and each message")
{
    const auto of_python = [] {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc libpython3";
        made.log.rows<Process>().front().program = "/usr/bin/python3";
        made.log.rows<Process>().front().cpu_time = 90 * second;
        return made;
    };
    Synthetic tells = of_python();
    PosixRecord& read = calls(tells, tells.file("/big.log"), 0, Direction::read, 1000, mib, ms);
    read.metadata_time = 10 * second;
    read.seeks = 100'000;
    read.common_size.slot[0].size = 8192;  // as text
    tells.log.rows<Totals>().back().metadata_time = 10 * second;
    tells.operations(Layer::posix, Kind::seek, 0, std::vector<std::uint64_t>(100'000, 100 * us));
    const report::Finding place = finding_of(tells.log, "metadata_bound");
    CHECK_THAT(place.advice.front().text, Contains("Leave out tell()"));
    CHECK(cost_of(place) == Approx(10 + 100'000 * 1500e-9));
    tells.log.rows<PosixRecord>().back().common_size.slot[0].size = 4096;
    CHECK(cost_of(tells.log, "metadata_bound") == Approx(10));
    Synthetic messages = of_python();
    PosixRecord& log = calls(messages, messages.file("/app.log"), 0, Direction::write, 10'000, 70, us);
    log.stats = 20'000;
    log.metadata_time = 10 * second;
    messages.log.rows<Totals>().back().metadata_time = 10 * second;
    messages.operations(Layer::posix, Kind::stat, 0, std::vector<std::uint64_t>(20'000, 500 * us));
    CHECK_THAT(finding_of(messages.log, "metadata_bound").advice.front().text, Contains("plain FileHandler"));
    messages.log.rows<PosixRecord>().back().stats = 30'000;
    CHECK_THAT(finding_of(messages.log, "metadata_bound").advice.front().text,
               Contains("Ask once and remember"));
}

TEST_CASE("no collectives: pieces of a file view, where few calls become many requests")
{
    const auto log_with = [](std::uint64_t pieces, std::uint64_t views) {
        Synthetic made;
        made.ranks(4, 2);
        const std::uint64_t file = made.file("/shared/part.bin");
        MpiioRecord& above = made.reduced_io<MpiioRecord>(
            file, 4, 0, 4, {.bytes_written = 8 * mib, .write_time = 40 * second});
        above.writes = 4;
        above.views = views;
        PosixRecord& beneath = made.reduced_io<PosixRecord>(
            file, 4, 0, 4, {.bytes_written = 8 * mib, .write_time = 40 * second});
        beneath.writes = pieces;
        for (std::int64_t rank = 0; rank < 4; ++rank) {
            made.total(rank, Layer::mpiio, Scope::direct,
                       {.bytes_written = 2 * mib, .write_time = 10 * second});
            made.total(rank, Layer::posix, Scope::beneath_mpiio,
                       {.bytes_written = 2 * mib, .write_time = 10 * second});
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(16'384, 4).log, "no_collectives");
    CHECK(one.title == "16,384 independent MPI-IO pieces of 512 B on average to shared files");
    CHECK_THAT(lines_of(one), Contains("MPI_File_write_at_all"));
    CHECK_FALSE(finds(log_with(16'384, 0).log, "no_collectives"));
    CHECK_FALSE(finds(log_with(39, 4).log, "no_collectives"));
}

TEST_CASE("many files: those that are read several times are kept in memory")
{
    const auto log_with = [](std::uint64_t passes) {
        Synthetic made;
        made.process(-1);
        made.log.rows<Process>().front().libraries = "libc";
        for (int number = 0; number < 300; ++number) {
            PosixRecord& row =
                made.io<PosixRecord>(made.file("/d/" + std::to_string(number)), 0,
                                     {.bytes_read = passes * 24'576, .metadata_time = 100 * ms});
            row.opens = row.reads = passes;
            row.highest_read = 24'576;
        }
        return made;
    };
    const report::Finding one = finding_of(log_with(3).log, "many_files");
    CHECK(one.title == "300 files of 24 KiB on average, read 3 times each");
    CHECK_THAT(one.advice.front().text, Contains("keep what it holds in memory"));
    CHECK(finding_of(log_with(2).log, "many_files").title ==
          "300 files with 48 KiB moved in each on average");
}

TEST_CASE("copied again: what is staged for each node, by how much of it is read there")
{
    const auto log_with = [](double read, std::uint64_t renames, std::string_view type = "tmpfs") {
        Synthetic made;
        made.log.rows<Mount>().push_back({"/tmp", type, "none"});
        made.log.rows<Mount>().push_back({"/shared", "nfs4", "server:/"});
        const std::uint64_t source = made.file("/shared/set.bin"), copy = made.file("/tmp/set.bin");
        for (std::int64_t at = 0; at < 6; ++at) {
            made.process(-1, "node" + std::to_string(at / 2));
            Process& one = made.log.rows<Process>().back();
            one.program = at % 2 == 0 ? "/usr/bin/cp" : "/home/user/app";
            one.start = job_start;
            one.end = job_start + 10 * second;
            if (at % 2 == 0) {
                made.io<PosixRecord>(source, at, {.bytes_read = 100 * mib, .read_time = 9 * second});
                made.io<PosixRecord>(copy, at, {.bytes_written = 100 * mib, .write_time = ms});
            } else {
                made.io<PosixRecord>(copy, at, {.bytes_read = static_cast<std::uint64_t>(read * 100) * mib})
                    .renames = renames;
            }
        }
        return made;
    };
    CHECK(finds(log_with(0, 0).log, "copied_again"));
    CHECK(finds(log_with(0.4, 0).log, "copied_again"));
    CHECK_FALSE(finds(log_with(0.5, 0).log, "copied_again"));
    CHECK_FALSE(finds(log_with(0, 1).log, "copied_again"));  // it has another name there
    CHECK(finds(log_with(0.5, 0, "nfs4").log, "copied_again"));
}
