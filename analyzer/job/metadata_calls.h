// Calls on files that move no data: opens, closes, stats, names, attributes, folders, locks.
#pragma once

#include <cstdint>

#include "logformat/counters.h"

namespace fathom {

inline std::uint64_t metadata_calls(const PosixCounters& posix)
{
    return posix.opens + posix.closes + posix.stats + posix.truncates + posix.unlinks + posix.renames +
           posix.links + posix.attributes + posix.directory_changes + posix.directory_reads + posix.locks;
}
inline std::uint64_t metadata_calls(const Transfers& other)
{
    return other.opens + other.closes;
}

}  // namespace fathom
