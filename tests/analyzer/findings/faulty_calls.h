// Calls of many kinds in made-up logs, for tests of the rules.
#pragma once

#include <vector>

#include "analyzer/job/job.h"
#include "tests/analyzer/synthetic.h"

namespace fathom::testing {

inline constexpr std::uint64_t ms = second / 1000, us = second / 1'000'000;

// `count` calls of one size in a record of a rank, of so many nanoseconds each; with their histogram and
// totals.
inline PosixRecord& calls(Synthetic& made, std::uint64_t file, std::int64_t rank, Direction direction,
                          std::uint64_t count, std::uint64_t size, std::uint64_t each)
{
    const bool reads = direction == Direction::read;
    Io done;
    (reads ? done.bytes_read : done.bytes_written) = count * size;
    (reads ? done.read_time : done.write_time) = count * each;
    PosixRecord& row = made.io<PosixRecord>(file, rank, done);
    (reads ? row.reads : row.writes) = count;
    SizeHistogram& sizes = reads ? row.read_size : row.write_size;
    sizes = {};
    sizes.add(size, count);
    (reads ? row.consecutive_reads : row.consecutive_writes) = count - 1;
    (reads ? row.highest_read : row.highest_written) = count * size;
    made.operations(Layer::posix, reads ? Kind::read : Kind::write, SizeHistogram::class_of(size),
                    std::vector<std::uint64_t>(count, each));
    return row;
}

// The same as large requests: 1 GiB at 1 GiB/s.
inline PosixRecord& large(Synthetic& made, std::uint64_t file, std::int64_t rank,
                          Direction direction = Direction::write)
{
    return calls(made, file, rank, direction, 512, 2 * mib, second / 512);
}

inline MpiioRecord& through_mpiio(Synthetic& made, std::uint64_t file, std::int64_t rank,
                                  std::uint64_t writes, std::uint64_t size, std::uint64_t each)
{
    MpiioRecord& row =
        made.io<MpiioRecord>(file, rank, {.bytes_written = writes * size, .write_time = writes * each});
    row.writes = writes;
    return row;
}

}  // namespace fathom::testing
