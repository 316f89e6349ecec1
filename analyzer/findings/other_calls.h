// What calls of the kind "other" are, by the counters of files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/findings/remedy.h"
#include "analyzer/job/job.h"

namespace fathom {

struct OtherCalls {
    std::uint64_t PosixCounters::*counter;
    std::string_view name;  // "unlink and remove"
    std::span<const Remedy> remedies;
};

// The ones that are half of so many or more, if any. Mappings count with their munmap, which no counter has.
const OtherCalls* most_of_others(const Job& job, std::uint64_t others);

// The commonest of a layer in words, most first: "12 of unlink and remove, 3 of rename"; empty if there is
// none.
std::string commonest_others(const Job& job, Layer layer);

// mmap calls on files, and the bytes that they mapped.
struct Mappings {
    std::uint64_t maps = 0, bytes = 0;
};
Mappings mappings_of(const Job& job);
inline bool are_mappings(const OtherCalls* most)
{
    return most != nullptr && most->counter == &PosixCounters::maps;
}
inline bool are_renames(const OtherCalls* most)
{
    return most != nullptr && most->counter == &PosixCounters::renames;
}
inline bool are_lists(const OtherCalls* most)
{
    return most != nullptr && most->counter == &PosixCounters::directory_reads;
}

// What to do about them; nullptr: about a mixture of all.
std::span<const Remedy> remedies_on_others(const OtherCalls* most);
// What to do about folders that are listed again and again.
std::span<const Remedy> remedies_on_lists();

}  // namespace fathom
