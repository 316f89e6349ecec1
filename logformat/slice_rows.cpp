// Sorts slices, lengthens them and merges those that coincide.
#include "logformat/slice_rows.h"

#include <algorithm>
#include <tuple>

namespace fathom {
namespace {

constexpr std::uint64_t longest_slice_ns = shortest_slice_ns << 35;  // of that doubled still fits 64 bits

auto key_of(const Slice& slice)
{
    return std::tie(slice.process, slice.layer, slice.streams, slice.start);
}

void sort(std::span<Slice> slices)
{
    const auto before = [](const Slice& a, const Slice& b) { return key_of(a) < key_of(b); };
    if (!std::is_sorted(slices.begin(), slices.end(), before))
        std::sort(slices.begin(), slices.end(), before);
}

// Slices that are sorted stay so: all begin at the multiple of the length that is next below.
std::size_t lengthen(std::span<Slice> slices, std::uint64_t length)
{
    std::size_t kept = 0;
    for (std::size_t at = 0; at < slices.size(); ++at) {
        Slice& slice = slices[at];
        slice.start -= slice.start % length;
        slice.length = length;
        if (kept > 0 && key_of(slices[kept - 1]) == key_of(slice)) {
            merge(slices[kept - 1], slice);
            continue;
        }
        if (kept < at) slices[kept] = slice;
        ++kept;
    }
    return kept;
}

}  // namespace

std::size_t coarsen(std::span<Slice> slices, std::size_t most)
{
    std::uint64_t length = shortest_slice_ns;
    for (const Slice& slice : slices) length = std::max(length, slice.length);
    sort(slices);
    std::size_t left = lengthen(slices, length);
    while (left > most && length <= longest_slice_ns) {
        length *= 2;
        left = lengthen(slices.first(left), length);
    }
    return left;
}

}  // namespace fathom
