// I/O modes of whole jobs, worked by hand from the definitions.
#include <catch2/catch.hpp>

#include "analyzer/job/figures.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

Mode write_mode(const Log& log, Level level = Level::application)
{
    return modes_at(Job(log), level, Direction::write).mode;
}

}  // namespace

TEST_CASE("every rank with a file of its own is N-N")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.io<PosixRecord>(made.file("/out." + std::to_string(rank)), rank,
                             {.bytes_written = mib, .write_time = second});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_n);
    CHECK(study.movers == 4);
    CHECK(study.by_class[static_cast<std::size_t>(FileClass::unique)].files == 4);
    CHECK(modes_at(Job(made.log), Level::application, Direction::read).mode == Mode::none);
}

TEST_CASE("one file that all ranks write is N-1, reduced or not")
{
    Synthetic reduced_log, full;
    for (Synthetic* const made : {&reduced_log, &full}) made->ranks(4);
    const std::uint64_t one = reduced_log.file("/shared"), other = full.file("/shared");
    reduced_log.reduced_io<PosixRecord>(one, 4, 0, 4, {.bytes_written = 4 * mib});
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        reduced_log.total(rank, Layer::posix, Scope::direct, {.bytes_written = mib});
        full.io<PosixRecord>(other, rank, {.bytes_written = mib});
    }
    CHECK(write_mode(reduced_log.log) == Mode::n_to_1);
    CHECK(write_mode(full.log) == Mode::n_to_1);
}

TEST_CASE("a reduced record and a rank's later record of the same file are one file")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t shared = made.file("/shared");
    made.reduced_io<PosixRecord>(shared, 2, 0, 2, {.bytes_written = 2 * mib});
    made.total(1, Layer::posix, Scope::direct, {.bytes_written = mib});
    made.io<PosixRecord>(shared, 0, {.bytes_written = mib});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_1);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::n_to_1)].files == 1);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::n_to_1)].bytes == 3 * mib);
}

TEST_CASE("some ranks with files of their own are aggregators: N-M")
{
    Synthetic made;
    made.ranks(8);
    for (const std::int64_t rank : {0, 4})
        made.io<PosixRecord>(made.file("/out." + std::to_string(rank)), rank, {.bytes_written = mib});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_m);
    CHECK(study.movers == 2);
    CHECK(study.owners[0] == 2);
}

TEST_CASE("files that groups of ranks share are N-M")
{
    Synthetic made;
    made.ranks(4);
    for (std::int64_t group = 0; group < 2; ++group) {
        const std::uint64_t shared = made.file("/group." + std::to_string(group));
        for (std::int64_t rank = 2 * group; rank < 2 * group + 2; ++rank)
            made.io<PosixRecord>(shared, rank, {.bytes_written = mib});
    }
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_m);
    CHECK(study.by_class[static_cast<std::size_t>(FileClass::partly_shared)].files == 2);
}

TEST_CASE("one rank that does all the I/O is 1-1, and so is a job of one process")
{
    Synthetic many, one;
    many.ranks(4);
    for (int file = 0; file < 3; ++file)
        many.io<PosixRecord>(many.file("/out." + std::to_string(file)), 2, {.bytes_written = mib});
    CHECK(write_mode(many.log) == Mode::one_to_one);
    one.process(-1);
    one.io<StdioRecord>(one.file("/out"), 0, {.bytes_written = 10});
    CHECK(write_mode(one.log) == Mode::one_to_one);
    one.log.rows<Process>()[0].rank = 0;
    CHECK(write_mode(one.log) == Mode::one_to_one);
}

TEST_CASE("collective buffering turns the application's N-1 into aggregators at the POSIX layer")
{
    Synthetic made;
    made.ranks(8);
    const std::uint64_t shared = made.file("/shared");
    made.reduced_io<MpiioRecord>(shared, 8, 0, 8, {.bytes_written = 8 * mib});
    made.reduced_io<PosixRecord>(shared, 8, 0, 2, {.bytes_written = 8 * mib});
    for (std::int64_t rank = 0; rank < 8; ++rank)
        made.total(rank, Layer::mpiio, Scope::direct, {.bytes_written = mib});
    for (const std::int64_t rank : {0, 4})
        made.total(rank, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 4 * mib});
    CHECK(write_mode(made.log, Level::application) == Mode::n_to_1);
    CHECK(write_mode(made.log, Level::system) == Mode::n_to_m);
    CHECK(levels_differ(Job(made.log)));
}

TEST_CASE("one aggregator makes the POSIX layer 1-1")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t shared = made.file("/shared");
    made.reduced_io<MpiioRecord>(shared, 4, 0, 4, {.bytes_written = 4 * mib});
    made.reduced_io<PosixRecord>(shared, 4, 0, 1, {.bytes_written = 4 * mib});
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.total(rank, Layer::mpiio, Scope::direct, {.bytes_written = mib});
    made.total(0, Layer::posix, Scope::beneath_mpiio, {.bytes_written = 4 * mib});
    // Small files that the ranks wrote for themselves do not turn the aggregator into N-N.
    for (std::int64_t rank = 0; rank < 4; ++rank)
        made.io<StdioRecord>(made.file("/log." + std::to_string(rank)), rank, {.bytes_written = 10});
    CHECK(write_mode(made.log, Level::application) == Mode::n_to_1);
    CHECK(write_mode(made.log, Level::system) == Mode::one_to_one);
}

TEST_CASE("a job that mixes modes gets the one with most bytes and a breakdown")
{
    Synthetic made;
    made.ranks(2);
    const std::uint64_t log_file = made.file("/shared.log"), header = made.file("/header");
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        made.io<PosixRecord>(made.file("/out." + std::to_string(rank)), rank, {.bytes_written = 10 * mib});
        made.io<StdioRecord>(log_file, rank, {.bytes_written = mib});
    }
    made.io<PosixRecord>(header, 0, {.bytes_written = 5});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_n);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::n_to_n)].bytes == 20 * mib + 5);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::n_to_n)].files == 3);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::n_to_1)].bytes == 2 * mib);
}

TEST_CASE("in a job of shared files, the file of one rank alone is 1-1")
{
    Synthetic made;
    made.ranks(4);
    const std::uint64_t shared = made.file("/shared");
    for (std::int64_t rank = 0; rank < 4; ++rank) made.io<PosixRecord>(shared, rank, {.bytes_written = mib});
    made.io<PosixRecord>(made.file("/log"), 0, {.bytes_written = 7});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.mode == Mode::n_to_1);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::one_to_one)].bytes == 7);
}

TEST_CASE("streams, devices and overflow count for no mode")
{
    Synthetic made;
    made.ranks(2);
    for (const NameKind kind : {NameKind::stream, NameKind::device, NameKind::overflow})
        made.io<PosixRecord>(made.file("/x", kind), 0, {.bytes_written = mib}, Scope::streams);
    CHECK(write_mode(made.log) == Mode::none);
}

TEST_CASE("without MPI a shell that only started others is no part of N")
{
    Synthetic made;
    made.process(-1, "node0", 500);
    for (std::uint64_t child = 1; child <= 4; ++child) made.process(-1, "node0", 500 + child, 500);
    made.io<PosixRecord>(made.file("/script.sh"), 0, {.bytes_read = 100});
    for (std::int64_t child = 1; child <= 4; ++child)
        made.io<PosixRecord>(made.file("/out." + std::to_string(child)), child, {.bytes_written = mib});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.ranks == 4);
    CHECK(study.mode == Mode::n_to_n);
    CHECK(modes_at(Job(made.log), Level::application, Direction::read).mode == Mode::one_to_one);
}

TEST_CASE("helpers of an MPI job count for no mode")
{
    Synthetic made;
    made.ranks(2);
    const std::int64_t launcher = made.process(-1);
    const std::uint64_t shared = made.file("/shared");
    for (std::int64_t rank = 0; rank < 2; ++rank) made.io<PosixRecord>(shared, rank, {.bytes_written = mib});
    made.io<PosixRecord>(made.file("/launcher.log"), launcher, {.bytes_written = 100 * mib});
    const ModeStudy study = modes_at(Job(made.log), Level::application, Direction::write);
    CHECK(study.ranks == 2);
    CHECK(study.mode == Mode::n_to_1);
    CHECK(study.by_mode[static_cast<std::size_t>(Mode::one_to_one)].files == 0);
}
