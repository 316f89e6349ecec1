// Spreads each rank's time in transfers over the slices in which it was, and takes the union slice by slice.
#include "analyzer/job/transfer_time.h"

#include <algorithm>

#include "analyzer/job/slices.h"
#include "analyzer/methods/coverage.h"
#include "analyzer/methods/intervals.h"
#include "analyzer/methods/time_grid.h"

namespace fathom {
namespace {

constexpr std::size_t most_windows = 4096;
// A union is as good as known where chance moves it by less than this.
constexpr double little = 0.05;

struct Times {
    double read = 0, write = 0;

    double both() const { return read + write; }
};

// What a rank did in one slice of the grid. What MPI-IO took is beneath it again in the other layers.
struct Piece {
    std::size_t slice = 0;
    Times mpiio, beneath;

    Times time() const { return mpiio.both() > beneath.both() ? mpiio : beneath; }
};

using Pieces = std::vector<std::vector<Piece>>;  // a list a rank, in order of time

Pieces pieces_of(const Job& job, const TimeGrid& grid)
{
    Pieces pieces(job.ranks.size());
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        const std::size_t at = grid.slice_of(slice.start);
        std::vector<Piece>& mine = pieces[rank];
        auto found = std::lower_bound(mine.begin(), mine.end(), at,
                                      [](const Piece& piece, std::size_t one) { return piece.slice < one; });
        if (found == mine.end() || found->slice != at) found = mine.insert(found, Piece{at, {}, {}});
        Times& times = static_cast<Layer>(slice.layer) == Layer::mpiio ? found->mpiio : found->beneath;
        times.read += static_cast<double>(slice.read_time);
        times.write += static_cast<double>(slice.write_time);
    });
    return pieces;
}

// How long data was under way in each slice, by the bursts of all ranks: ns.
std::vector<double> windows_of(const Job& job, const TimeGrid& grid)
{
    std::vector<double> windows(grid.slices);
    for (const Interval& one : united(bursts_of_ranks(job)))
        for (std::size_t at = grid.slice_of(one.start); at <= grid.slice_of(one.end); ++at) {
            const std::uint64_t begin = grid.start + at * grid.length;
            const std::uint64_t from = std::max(one.start, begin),
                                to = std::min(one.end, begin + grid.length);
            if (to > from) windows[at] += static_cast<double>(to - from);
        }
    return windows;
}

// All windows of one grid, with what the ranks did in them.
class Windows {
  public:
    Windows(std::vector<double> lengths, double longest) : longest_(longest)
    {
        for (const double length : lengths) windows_.push_back({length, {}, {}, 0});
    }
    void stretch(std::size_t at, double time)
    {
        windows_[at].length = std::max(windows_[at].length, std::min(time, longest_));
    }
    void add(std::size_t at, const Times& times)
    {
        Window& window = windows_[at];
        window.sum.read += times.read;
        window.sum.write += times.write;
        window.most = std::max(window.most, times.both());
        window.coverage.add(times.both(), window.length);
    }
    // Ranks meet at barriers, and then all do I/O at once; other processes do it by chance.
    TransferTime united(bool meet) const
    {
        TransferTime all;
        double least = 0, most = 0;
        for (const Window& window : windows_) {
            const double sum = window.sum.both();
            if (!(sum > 0)) continue;
            const double longest = std::min(window.most, window.length),
                         covered = meet ? longest : window.coverage.covered(window.length);
            all.read += covered * window.sum.read / sum;
            all.write += covered * window.sum.write / sum;
            least += longest;
            most += std::min(sum, window.length);
        }
        all.estimated = most - least > little * most;
        return all;
    }

  private:
    struct Window {
        double length;
        Coverage coverage;
        Times sum;    // of all ranks
        double most;  // of one
    };
    std::vector<Window> windows_;
    double longest_;
};

Times times_of(const Member& member)
{
    const TimeSplit split = member.time();
    return {static_cast<double>(split.read), static_cast<double>(split.write)};
}

TransferTime by_totals(const Job& job, double window)
{
    Windows whole({window}, window);
    for (const Member& member : job.ranks) whole.add(0, times_of(member));
    return whole.united(job.mpi);
}

}  // namespace

std::vector<Interval> bursts_of_ranks(const Job& job)
{
    std::vector<Interval> bursts;
    if (job.log.rows<Burst>().empty()) return bursts;
    std::vector<std::int64_t> ranks;
    ranks.reserve(job.ranks.size());
    for (const Member& member : job.ranks) ranks.push_back(member.process.process);
    std::sort(ranks.begin(), ranks.end());
    for (const Burst& burst : job.log.rows<Burst>())
        if (std::binary_search(ranks.begin(), ranks.end(), burst.process))
            bursts.push_back({burst.start, burst.end});
    return bursts;
}

TransferTime transfer_time_of(const Job& job)
{
    if (!job.told_apart()) return {};
    const auto run = static_cast<double>(job.run_time());
    std::uint64_t recorded = 0;
    each_rank_slice(job,
                    [&](const Slice& slice, std::size_t) { recorded = std::max(recorded, slice.length); });
    if (recorded == 0) return by_totals(job, run);
    const TimeGrid grid = grid_over(job.start, std::max(job.end, job.start + 1), recorded, most_windows);
    const Pieces pieces = pieces_of(job, grid);
    Windows windows(windows_of(job, grid), static_cast<double>(grid.length));
    for (const auto& mine : pieces)
        for (const Piece& piece : mine) windows.stretch(piece.slice, piece.time().both());
    // Slices hold most of the time and the totals all of it.
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
        Times in_slices;
        for (const Piece& piece : pieces[rank]) {
            in_slices.read += piece.time().read;
            in_slices.write += piece.time().write;
        }
        const Times all = times_of(job.ranks[rank]);
        const double read = in_slices.read > 0 ? all.read / in_slices.read : 0,
                     write = in_slices.write > 0 ? all.write / in_slices.write : 0;
        for (const Piece& piece : pieces[rank]) {
            const Times time = piece.time();
            windows.add(piece.slice, {time.read * read, time.write * write});
        }
    }
    return windows.united(job.mpi);
}

}  // namespace fathom
