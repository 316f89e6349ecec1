// Small requests in logs of another tool, for tests of the rules.
#pragma once

#include "tests/analyzer/imported.h"

namespace fathom::testing {

// Small requests of eight ranks on a file that Darshan tells of; the slowest took so long.
inline Imported with_small(std::uint64_t slowest_seconds)
{
    Imported made(8);
    auto& row = made.shared<PosixRecord>(made.file("/small"),
                                         {{.bytes_written = 800'000 * 1024, .write_time = 80 * second},
                                          {3, slowest_seconds * second, 100'000 * 1024},
                                          {5, 5 * second, 100'000 * 1024}});
    row.writes = 800'000;
    row.write_size = {};
    row.write_size.add(1024, 800'000);
    row.consecutive_writes = 700'000;
    return made;
}

}  // namespace fathom::testing
