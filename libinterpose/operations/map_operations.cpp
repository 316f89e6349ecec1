// Counts mappings.
#include "libinterpose/operations/map_operations.h"

#include <algorithm>

#include "libinterpose/recording/temporary_records.h"
#include "libinterpose/system/sys.h"

namespace fathom {

void Map::count(void* result, Interval when) const
{
    auto* const at = counters();
    if (at == nullptr) return;
    if (result == MAP_FAILED) return count_failure(*at, &Transfers::metadata_time, when);
    struct stat about {};
    const bool sized = sys::status(fd, about) == 0 && S_ISREG(about.st_mode);
    const std::uint64_t size = sized ? static_cast<std::uint64_t>(about.st_size) : ~std::uint64_t{0};
    const auto from = static_cast<std::uint64_t>(offset);
    const std::uint64_t rest = size > from ? size - from : 0;
    ++at->counters.maps;
    at->counters.mapped_bytes += std::min(length, rest);
    count_metadata(*at, Kind::map, when, from);
    const int kind = flags & MAP_TYPE;
    mappings::add({.at = pages_of(result, length),
                   .file = temporary::lasting(file()),
                   .file_bytes = rest,
                   .process = this_process(),
                   .shared = kind == MAP_SHARED || kind == MAP_SHARED_VALIDATE,
                   .writable = (protection & PROT_WRITE) != 0});
}

namespace {

void count_call(NameChunk* file, bool failed, Interval when, std::uint64_t PosixCounters::*counter = nullptr)
{
    auto* const at = counters_of<PosixCounters>(file);
    if (at == nullptr) return;
    if (failed) return count_failure(*at, &Transfers::metadata_time, when);
    if (counter != nullptr) ++(at->counters.*counter);
    count_metadata(*at, counter == nullptr ? Kind::other : kind_of(counter), when);
}

}  // namespace

void Unmap::count(std::int64_t result, Interval when) const
{
    count_call(file, result != 0, when);
}

bool Remap::find()
{
    if (!mappings::any() || before.empty()) return false;
    const Range target = pages_of(wanted, length);
    if ((flags & MREMAP_FIXED) != 0) mappings::end(target);
    const Range kept = overlap(before, pages_of(reinterpret_cast<void*>(before.start), length));
    mappings::end({kept.end, before.end});
    return mappings::take(before, mapping);
}

void Remap::count(void* result, Interval when)
{
    const bool failed = result == MAP_FAILED;
    if (!failed) mapping.at = pages_of(result, length);
    mappings::add(mapping);
    count_call(mapping.file, failed, when);
}

void SyncMapping::count(std::int64_t result, Interval when) const
{
    auto* const at = counters_of<PosixCounters>(file);
    if (at == nullptr) return;
    if (result != 0) return count_failure(*at, &Transfers::write_time, when);
    count_sync(*at, when);
}

void AdviseMapping::count(std::int64_t result, Interval when) const
{
    count_call(file, result != 0, when, &PosixCounters::advices);
    if (result != 0 || advice != MADV_RANDOM) return;
    if (auto* const at = counters_of<PosixCounters>(file)) ++at->counters.random_advices;
}

}  // namespace fathom
