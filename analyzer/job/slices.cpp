// Finds the longest slices that a rank kept and adds all slices up in grids of that length.
#include "analyzer/job/slices.h"

#include <algorithm>

#include "analyzer/job/figures.h"

namespace fathom {
namespace {

void add_calls(Activity& to, const Slice& slice)
{
    to.transfers += static_cast<double>(slice.reads + slice.writes);
    to.metadata += static_cast<double>(slice.metadata);
    to.transfer_time += static_cast<double>(slice.read_time + slice.write_time);
    to.metadata_time += static_cast<double>(slice.metadata_time);
}

void add_bytes(Activity& to, const Slice& slice, std::array<bool, 2> directions_that_count = {true, true})
{
    if (directions_that_count[0]) to.bytes_read += static_cast<double>(slice.bytes_read);
    if (directions_that_count[1]) to.bytes_written += static_cast<double>(slice.bytes_written);
}

TimeGrid grid_of(const Job& job, std::uint64_t& recorded, std::size_t most_slices)
{
    std::uint64_t first = job.start, last = job.end;
    each_rank_slice(job, [&](const Slice& slice, std::size_t) {
        merge_value(first, slice.start, Rule::earliest);
        recorded = std::max(recorded, slice.length);
        // Its beginning: its end may lie behind that of the job.
        last = std::max(last, slice.start + 1);
    });
    return grid_over(first, last, recorded, most_slices);
}

std::vector<RankBand> bands_of(const Job& job, std::size_t most, std::size_t slices)
{
    const std::size_t ranks = job.ranks.size(), members = (ranks + most - 1) / most;
    std::vector<RankBand> bands;
    for (std::size_t from = 0; from < ranks; from += members)
        bands.push_back({from, std::min(from + members, ranks), Activities(slices)});
    return bands;
}

}  // namespace

bool has_slices(const Job& job)
{
    bool any = false;
    each_rank_slice(job, [&](const Slice&, std::size_t) { any = true; });
    return any;
}

JobSlices slices_of(const Job& job, std::size_t most_slices, std::size_t most_bands)
{
    JobSlices all;
    all.grid = grid_of(job, all.recorded, most_slices);
    const std::size_t slices = all.grid.slices;
    all.lowest.resize(slices);
    all.mpiio.resize(slices);
    all.busy.resize(slices);
    all.bands = bands_of(job, most_bands, slices);
    for (const Direction direction : directions)
        all.mpiio_is_lowest[static_cast<std::size_t>(direction)] = mpiio_unseen_beneath(job, direction);
    const std::size_t members = all.bands.empty() ? 1 : all.bands[0].members();
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        const std::size_t at = all.grid.slice_of(slice.start);
        Activities* const levels[] = {&all.lowest, &all.bands[rank / members].lowest};
        const bool mpiio = static_cast<Layer>(slice.layer) == Layer::mpiio;
        for (Activities* const level : levels) {
            add_bytes((*level)[at], slice, mpiio ? all.mpiio_is_lowest : std::array{true, true});
            if (!mpiio) add_calls((*level)[at], slice);
        }
        if (!mpiio) return;
        add_bytes(all.mpiio[at], slice);
        add_calls(all.mpiio[at], slice);
    });
    for (std::size_t at = 0; at < slices; ++at) all.busy[at] = all.lowest[at].any() || all.mpiio[at].any();
    const std::uint64_t run = job.run_time();
    all.seconds = static_cast<double>(run > 0 ? std::min(run, all.grid.length) : all.grid.length) / 1e9;
    return all;
}

}  // namespace fathom
