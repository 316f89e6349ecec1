// Finds the bursts of the job's bytes over time, then goes through slices and files again to see who did
// them.
#include "analyzer/job/job_phases.h"

#include <algorithm>
#include <numeric>

#include "analyzer/job/figures.h"

namespace fathom {
namespace {

constexpr std::size_t most_phase_slices = 1024, no_phase = ~std::size_t{0};

std::uint64_t begin_of(const TimeGrid& grid, std::size_t slice)
{
    return grid.start + slice * grid.length;
}

// Slices are long; when each process had I/O under way the log knows better.
void sharpen(const Job& job, const TimeGrid& grid, std::vector<Phase>& phases)
{
    std::vector<std::uint64_t> first(phases.size(), ~std::uint64_t{0}), last(phases.size(), 0);
    for (const Burst& burst : job.log.rows<Burst>()) {
        if (job.rank_index(burst.process) < 0 || burst.end < burst.start) continue;
        auto at = std::partition_point(phases.begin(), phases.end(), [&](const Phase& phase) {
            return begin_of(grid, phase.slices.to) <= burst.start;
        });
        for (; at != phases.end() && begin_of(grid, at->slices.from) <= burst.end; ++at) {
            const auto phase = static_cast<std::size_t>(at - phases.begin());
            const std::uint64_t from = begin_of(grid, at->slices.from), to = begin_of(grid, at->slices.to);
            first[phase] = std::min(first[phase], std::max(burst.start, from));
            last[phase] = std::max(last[phase], std::min(burst.end, to));
        }
    }
    for (std::size_t at = 0; at < phases.size(); ++at) {
        Phase& phase = phases[at];
        phase.start = begin_of(grid, phase.slices.from);
        phase.end = begin_of(grid, phase.slices.to);
        if (job.start > phase.start && job.start < phase.end) phase.start = job.start;
        if (job.end > phase.start && job.end < phase.end) phase.end = job.end;
        const bool in_first = first[at] < begin_of(grid, phase.slices.from + 1);
        const bool in_last = last[at] > begin_of(grid, phase.slices.to - 1);
        if (in_first) phase.start = first[at];
        if (in_last) phase.end = last[at];
        phase.end = std::max(phase.end, phase.start);
    }
}

struct RankInPhase {
    std::uint64_t bytes = 0, mpiio_bytes = 0, time = 0, mpiio_time = 0;
};

// Indices of the phases with most bytes, ascending.
std::vector<std::size_t> largest_of(const std::vector<Phase>& phases, std::size_t most)
{
    std::vector<std::size_t> all(phases.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
        return phases[a].done.bytes() > phases[b].done.bytes();
    });
    all.resize(std::min(all.size(), most));
    std::sort(all.begin(), all.end());
    return all;
}

// From the first to the last access of a file in one direction.
struct Window {
    std::uint64_t first = 0, last = 0;

    bool meets(std::uint64_t from, std::uint64_t to) const
    {
        return first > 0 && first <= to && last >= from;
    }
};

std::vector<Window> windows_of(const Job& job, Direction direction)
{
    std::vector<Window> windows(job.files.size());
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const bool read = direction == Direction::read;
        if ((read ? record[&Transfers::bytes_read] : record[&Transfers::bytes_written]) == 0) continue;
        merge_value(windows[file].first,
                    read ? record[&Transfers::first_read] : record[&Transfers::first_write], Rule::earliest);
        merge_value(windows[file].last, read ? record[&Transfers::last_read] : record[&Transfers::last_write],
                    Rule::largest);
    }
    return windows;
}

void tell_mode(const Job& job, const std::vector<Window>& windows, const std::vector<Phase>& phases,
               const Phase& phase, PhaseRanks& ranks)
{
    std::vector<FileData> files;
    ranks.mode_exact = true;
    for (std::size_t at = 0; at < windows.size(); ++at) {
        if (!windows[at].meets(phase.start, phase.end) || !job.files[at].counts_for_modes()) continue;
        FileData data = data_of(job.files[at].application(), ranks.direction);
        data.movers = std::min(data.movers, ranks.movers);
        files.push_back(data);
        ranks.mode_exact =
            ranks.mode_exact && std::none_of(phases.begin(), phases.end(), [&](const Phase& other) {
                return &other != &phase && windows[at].meets(other.start, other.end);
            });
    }
    const std::uint64_t all = job.taking_part[static_cast<std::size_t>(ranks.direction)];
    ranks.mode_exact = ranks.mode_exact || ranks.movers == 1;  // which is 1-1, whatever the files
    ranks.mode = study_modes(files, ranks.movers, all).mode;
}

PhaseRanks ranks_of(const std::vector<RankInPhase>& all)
{
    PhaseRanks ranks;
    const bool by_mpiio =
        std::any_of(all.begin(), all.end(), [](const RankInPhase& one) { return one.mpiio_bytes > 0; });
    double sum = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const std::uint64_t time = std::max(all[at].time, all[at].mpiio_time);
        ranks.movers += (by_mpiio ? all[at].mpiio_bytes : all[at].bytes) > 0;
        if (time == 0 && all[at].bytes + all[at].mpiio_bytes == 0) continue;
        ++ranks.active;
        sum += static_cast<double>(time);
        if (time <= ranks.slowest_time) continue;
        ranks.slowest_time = time;
        ranks.slowest = at;
    }
    if (ranks.active > 0) ranks.mean_time = sum / static_cast<double>(ranks.active);
    return ranks;
}

void tell_ranks(const Job& job, const TimeGrid& grid, std::vector<Phase>& phases, std::size_t detailed)
{
    const std::vector<std::size_t> chosen = largest_of(phases, detailed);
    std::vector<std::size_t> of_slice(grid.slices, no_phase);
    for (std::size_t one = 0; one < chosen.size(); ++one)
        std::fill_n(of_slice.begin() + static_cast<std::ptrdiff_t>(phases[chosen[one]].slices.from),
                    phases[chosen[one]].slices.length(), one);
    std::vector<std::vector<RankInPhase>> all(chosen.size(), std::vector<RankInPhase>(job.ranks.size()));
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        const std::size_t one = of_slice[grid.slice_of(slice.start)];
        if (one == no_phase) return;
        RankInPhase& sum = all[one][rank];
        const std::uint64_t bytes = slice.bytes_read + slice.bytes_written;
        const std::uint64_t time = slice.read_time + slice.write_time + slice.metadata_time;
        const bool mpiio = static_cast<Layer>(slice.layer) == Layer::mpiio;
        (mpiio ? sum.mpiio_bytes : sum.bytes) += bytes;
        (mpiio ? sum.mpiio_time : sum.time) += time;
    });
    std::array<std::vector<Window>, 2> windows;  // of those directions that any phase is in
    for (std::size_t one = 0; one < chosen.size(); ++one) {
        Phase& phase = phases[chosen[one]];
        phase.ranks = ranks_of(all[one]);
        phase.ranks->direction =
            phase.done.bytes_read > phase.done.bytes_written ? Direction::read : Direction::write;
        std::vector<Window>& in_direction = windows[static_cast<std::size_t>(phase.ranks->direction)];
        if (in_direction.empty()) in_direction = windows_of(job, phase.ranks->direction);
        tell_mode(job, in_direction, phases, phase, *phase.ranks);
    }
}

}  // namespace

JobPhases phases_of(const Job& job, std::size_t detailed)
{
    JobPhases found;
    if (!has_slices(job)) return found;
    const JobSlices slices = slices_of(job, most_phase_slices, 1);
    found.grid = slices.grid;
    found.slice_seconds = slices.seconds;
    std::vector<double> series;
    for (const Activity& one : slices.lowest) {
        series.push_back(one.bytes());
        found.bytes += one.bytes();
    }
    for (const Stretch& stretch : bursts_of(series)) {
        Phase& phase = found.phases.emplace_back();
        phase.slices = stretch;
        for (std::size_t at = stretch.from; at < stretch.to; ++at) {
            merge(phase.done, slices.lowest[at]);
            phase.peak = std::max(phase.peak, series[at]);
        }
    }
    sharpen(job, found.grid, found.phases);
    tell_ranks(job, found.grid, found.phases, detailed);
    std::vector<double> starts, amounts;
    for (const Phase& phase : found.phases) {
        starts.push_back(static_cast<double>(phase.start - found.grid.start) / 1e9);
        amounts.push_back(phase.done.bytes());
    }
    found.period = period_of(starts, amounts);
    return found;
}

}  // namespace fathom
