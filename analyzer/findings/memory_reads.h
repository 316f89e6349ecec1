// Reads of what the system has in memory, where one place is as near as another.
#pragma once

#include "analyzer/findings/scene.h"

namespace fathom {

// Whether so many reads, of less than this, were served by memory, by the ns that they took.
inline bool are_from_memory(const Scene& scene, double reads, double bytes, double time)
{
    constexpr double small_read = 16 << 10, quick_read = 10e3;  // ns, beside what the bytes take
    return bytes < small_read * reads &&
           time < scene.stretched * quick_read * reads + bytes * scene.reference(Direction::read).ns_per_byte;
}

// ns of such reads at random places that larger ones would save: what each call takes, but not to fetch what
// it brings from wherever that is in memory. Assumed.
inline double saved_of_memory_reads(const Scene& scene, double reads)
{
    constexpr double each = 700;
    return scene.stretched * each * reads;
}

}  // namespace fathom
