// Sums by class, lengths by process, threads by number.
#include "analyzer/record/merge_timings.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "logformat/slice_rows.h"

namespace fathom {
namespace {

auto key_of(const OperationTimes& row)
{
    return std::tie(row.layer, row.streams, row.kind, row.size_class);
}
auto key_of(const DurationBin& row)
{
    return std::tie(row.layer, row.streams, row.kind, row.size_class, row.at_least, row.below);
}

// Adds rows to others that are sorted by their keys; those of equal keys become one.
template <class Row>
void take_sums(std::vector<Row>& ours, std::vector<Row>& theirs)
{
    const auto before = [](const Row& a, const Row& b) { return key_of(a) < key_of(b); };
    const auto middle = static_cast<std::ptrdiff_t>(ours.size());
    ours.insert(ours.end(), theirs.begin(), theirs.end());
    theirs.clear();
    std::stable_sort(ours.begin() + middle, ours.end(), before);
    std::inplace_merge(ours.begin(), ours.begin() + middle, ours.end(), before);
    std::size_t kept = 0;
    for (const Row& row : ours) {
        if (kept > 0 && key_of(ours[kept - 1]) == key_of(row))
            merge(ours[kept - 1], row);
        else
            ours[kept++] = row;
    }
    ours.resize(kept);
}

template <class Visit>
void each_trace_row(Log& log, Visit visit)
{
    for (TracePiece& row : log.rows<TracePiece>()) visit(row);
    for (TracePlace& row : log.rows<TracePlace>()) visit(row);
    for (TraceTimes& row : log.rows<TraceTimes>()) visit(row);
}

// The rows of one thread keep their order.
template <class Row>
void sort_by_thread(std::vector<Row>& rows)
{
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.process, a.thread) < std::tie(b.process, b.thread);
    });
}

void settle_slices(std::vector<Slice>& slices, std::size_t processes)
{
    std::stable_sort(slices.begin(), slices.end(),
                     [](const Slice& a, const Slice& b) { return a.process < b.process; });
    const std::size_t most = slices.size() > most_slice_rows ? slice_rows_of_each(processes) : slices.size();
    std::size_t kept = 0;
    for (auto from = slices.begin(); from != slices.end();) {
        const auto to = std::find_if(from, slices.end(),
                                     [&](const Slice& slice) { return slice.process != from->process; });
        const std::size_t left = coarsen({from, to}, most);
        std::copy_n(from, left, slices.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += left;
        from = to;
    }
    slices.resize(kept);
}

}  // namespace

void TimingMerger::take(Log& ours, Log& other)
{
    take_sums(ours.rows<OperationTimes>(), other.rows<OperationTimes>());
    take_sums(ours.rows<DurationBin>(), other.rows<DurationBin>());
    std::erase_if(other.rows<TraceShape>(),
                  [&](const TraceShape& shape) { return !shapes_.insert(shape.shape).second; });
    // Of a process that a damaged log does not list it is not known whose threads these are.
    std::erase_if(other.rows<TracePiece>(), [](const auto& row) { return row.process < 0; });
    std::erase_if(other.rows<TracePlace>(), [](const auto& row) { return row.process < 0; });
    std::erase_if(other.rows<TraceTimes>(), [](const auto& row) { return row.process < 0; });
    std::map<std::int64_t, std::uint64_t> first;
    each_trace_row(other, [&](auto& row) {
        std::uint64_t& used = threads_[row.process];
        row.thread += first.try_emplace(row.process, used).first->second;
        used = std::max(used, row.thread + 1);
    });
}

void settle_timings(Log& log)
{
    settle_slices(log.rows<Slice>(), log.rows<Process>().size());
    auto& pieces = log.rows<TracePiece>();
    std::stable_sort(pieces.begin(), pieces.end(), [](const TracePiece& a, const TracePiece& b) {
        return std::tie(a.process, a.thread, a.number) < std::tie(b.process, b.thread, b.number);
    });
    sort_by_thread(log.rows<TracePlace>());
    sort_by_thread(log.rows<TraceTimes>());
}

}  // namespace fathom
