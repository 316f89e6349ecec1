// Records of HDF5 and PnetCDF as the rules take them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/findings/lost_time.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/datasets.h"

namespace fathom {

// Whose it is, for LostTime.
template <class Counters>
RecordOwner owner_of(const Record<Counters>& record)
{
    return {record.process, record.processes};
}

// ns of the library itself.
inline double own_time_of(const DatasetCounters& record)
{
    const auto all = static_cast<double>(record.read_time + record.write_time + record.metadata_time);
    return std::max(all - static_cast<double>(record.read_time_beneath + record.write_time_beneath +
                                              record.metadata_time_beneath),
                    0.0);
}
inline double own_time_of(const DataFileCounters& record)
{
    return static_cast<double>(record.metadata_time - std::min(record.metadata_time, record.beneath_time));
}

// How many processes a record is of.
template <class Counters>
double processes_of(const Record<Counters>& record)
{
    return static_cast<double>(std::max<std::uint64_t>(record.processes, 1));
}

// How many chunks of HDF5 passed between the library and the file in this direction; 0: none, or not known.
double chunks_passed(const DatasetUse& one, const DatasetRecord& record, Direction direction);

// How many bytes of chunks a call touches that selects what most calls do; 0: not known.
std::uint64_t touched_by_call(const DatasetUse& one, Direction direction);

// Each flush of the file writes a row of a dataset and notes their number in an attribute, as PyTables does:
// it is the flushes that make them so many.
bool is_flushed_by_rows(const Datasets& datasets, const DataFileUse& file);

// All views of the file were set for what HDF5 notes about it at each flush, not for data.
bool are_views_of_flushes(const FileCase& file);

// Compressed data are hardly smaller where more than this part is left: who compresses wants less than that.
inline constexpr double hardly_smaller = 0.8;

// What filters made of a dataset, and how long that took.
struct Filtered {
    double kept = 0;   // bytes that came into the file, at its flushes and its close as well
    double later = 0;  // ns of the library's own then
};
Filtered filtered(const Scene& scene, const DatasetUse& one);

// ns of the library's own in calls that write, and its part of what was done later, beyond packing; less what
// the bytes that filters saved would have taken beneath.
double taken_by_filters(const Scene& scene, const DatasetUse& one, const DatasetRecord& record,
                        const Filtered& of);

// " and 3 others": ends what is said of the one with most.
std::string and_others(std::size_t number);

// Puts a value where the lines to copy have a mark for it.
void put_in(std::vector<report::Advice>& advice, std::string_view mark, std::string_view value);

}  // namespace fathom
