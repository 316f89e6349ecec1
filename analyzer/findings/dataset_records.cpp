// Words that several rules on HDF5 and PnetCDF have.
#include "analyzer/findings/dataset_records.h"

#include <algorithm>
#include <cmath>

#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"
#include "logformat/hdf5_names.h"

namespace fathom {

double chunks_passed(const DatasetUse& one, const DatasetRecord& record, Direction direction)
{
    const LevelCalls posix = posix_beneath(record, direction);
    if (one.chunk_bytes() == 0) return 0;
    const auto requests = static_cast<double>(posix.calls);
    // With filters a chunk is read and written whole, each by a request. Without, HDF5 moves parts of a chunk
    // that does not fit into the cache: then bytes tell.
    return one.sums.filters != 0 ? requests
                                 : std::min(requests, static_cast<double>(posix.bytes) /
                                                          static_cast<double>(one.chunk_bytes()));
}

std::uint64_t touched_by_call(const DatasetUse& one, Direction direction)
{
    const CommonShape& most = direction == Direction::read ? one.sums.read_shape : one.sums.write_shape;
    const Extents& chunk = one.sums.chunk;
    if (most.lead == 0 || most.shape.rank != chunk.rank || chunk.rank > Extents::most) return 0;
    std::uint64_t bytes = one.chunk_bytes();
    for (std::size_t at = 0; at < chunk.rank; ++at) {
        if (chunk.extent[at] == 0) return 0;
        const std::uint64_t along = (most.shape.extent[at] + chunk.extent[at] - 1) / chunk.extent[at];
        if (__builtin_mul_overflow(bytes, std::max<std::uint64_t>(along, 1), &bytes)) return 0;
    }
    return bytes;
}

bool are_views_of_flushes(const FileCase& file)
{
    // Two of each: to write, and to go back. Data that are written would come with two of their own.
    constexpr std::uint64_t few_syncs = 20, of_each = 5, bytes_of_notes = 4 << 10;
    if (!is_named_as_hdf5(file.use->path)) return false;
    std::uint64_t syncs = 0, views = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio) {
            syncs += record[&Transfers::syncs];
            views += record[&MpiioRecord::views];
        }
    return syncs >= few_syncs && views > 0 && views <= of_each * syncs / 2 &&
           file.use->application().bytes_written <= bytes_of_notes * views;
}

bool is_flushed_by_rows(const Datasets& datasets, const DataFileUse& file)
{
    constexpr double few = 20, nearly = 0.1;
    const auto flushes = static_cast<double>(file.sums.flushes),
               attributes = static_cast<double>(file.sums.attribute_writes);
    if (flushes < few || std::abs(attributes - flushes) > nearly * flushes) return false;
    double writes = 0;
    for (const DatasetUse* const one : datasets.in_file(file.file))
        writes += static_cast<double>(one->sums.writes);
    return std::abs(writes - flushes) <= nearly * flushes;
}

Filtered filtered(const Scene& scene, const DatasetUse& one)
{
    Filtered made{static_cast<double>(one.sums.posix_bytes_written), 0};
    const DataFileUse* const file = scene.datasets.file_of(one.sums.container);
    if (file == nullptr || one.sums.filters == 0) return made;
    double all = 0;
    for (const DatasetUse* const other : scene.datasets.in_file(one.sums.container))
        if (other->sums.filters != 0) all += static_cast<double>(other->sums.bytes_written);
    const double part = all > 0 ? static_cast<double>(one.sums.bytes_written) / all : 0,
                 own = static_cast<double>(file->sums.flush_time + file->sums.close_time);
    made.kept += part * static_cast<double>(file->sums.posix_bytes_written);
    made.later = part * std::max(own - static_cast<double>(file->sums.beneath_time), 0.0);
    return made;
}

double taken_by_filters(const Scene& scene, const DatasetUse& one, const DatasetRecord& record,
                        const Filtered& of)
{
    const auto asked = static_cast<double>(record.bytes_written);
    const double part = one.sums.bytes_written > 0 ? asked / static_cast<double>(one.sums.bytes_written) : 0,
                 own = static_cast<double>(record.write_time -
                                           std::min(record.write_time, record.write_time_beneath)) +
                       static_cast<double>(record.metadata_time -
                                           std::min(record.metadata_time, record.metadata_time_beneath)) +
                       part * of.later;
    return std::max(own - asked * 1e9 / (assumed_rate_mib * mebibyte) -
                        std::max(asked - part * of.kept, 0.0) * scene.reference(Direction::write).ns_per_byte,
                    0.0);
}

std::string and_others(std::size_t number)
{
    return number <= 1 ? "" : " and " + report::counted(number - 1, "other", "others");
}

void put_in(std::vector<report::Advice>& advice, std::string_view mark, std::string_view value)
{
    const auto put = [&](std::string& text) {
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
            text.replace(at, mark.size(), value);
    };
    for (report::Advice& one : advice) {
        put(one.text);
        for (std::string& line : one.lines) put(line);
    }
}

}  // namespace fathom
