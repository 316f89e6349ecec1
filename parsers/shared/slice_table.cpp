// Appends rows, and brings them together when there are too many.
#include "parsers/shared/slice_table.h"

#include <algorithm>

#include "logformat/slice_rows.h"

namespace fathom {
namespace {

constexpr std::uint64_t longest_slice_ns = shortest_slice_ns << 35;
// The sums of a slice.
struct SumsOfSlice {
    std::uint64_t Slice::*calls;
    std::uint64_t Slice::*time;
    std::uint64_t Slice::*bytes;  // nullptr: such calls move none
};
constexpr SumsOfSlice sums_of_slice[] = {{&Slice::reads, &Slice::read_time, &Slice::bytes_read},
                                         {&Slice::writes, &Slice::write_time, &Slice::bytes_written},
                                         {&Slice::metadata, &Slice::metadata_time, nullptr}};
// What spreading may cost: so many slices an addition, and so many for all.
constexpr std::uint64_t most_slices_of_one = 4096, steps_of_each = 16, steps_of_all = 1 << 20;

// How much of `bytes` goes until a point of time; exact in sum whatever the points are.
std::uint64_t bytes_until(std::uint64_t bytes, std::uint64_t passed, std::uint64_t all)
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(bytes) * passed / all);
}

// Merges the runs that are in order already, of which a log has one a file or so.
template <class Value, class Before>
void sort_runs(std::vector<Value>& values, Before before)
{
    std::vector<typename std::vector<Value>::iterator> ends{values.begin()};
    while (ends.back() != values.end())
        ends.push_back(std::is_sorted_until(ends.back(), values.end(), before));
    while (ends.size() > 2) {
        std::size_t kept = 1;
        for (std::size_t at = 1; at < ends.size(); at += 2) {
            const auto end = ends[std::min(at + 1, ends.size() - 1)];
            std::inplace_merge(ends[at - 1], ends[at], end, before);
            ends[kept++] = end;
        }
        ends.resize(kept);
    }
}

// In the order that coarsen() wants: by keys, since rows are large to swap.
std::vector<Slice> sorted(const std::vector<Slice>& rows)
{
    struct Place {
        std::uint64_t whose = 0, start = 0;
        std::size_t row = 0;
    };
    std::vector<Place> places;
    places.reserve(rows.size());
    for (const Slice& row : rows)
        places.push_back({static_cast<std::uint64_t>(row.process) << 8 | row.layer << 1 | row.streams,
                          row.start, places.size()});
    sort_runs(places, [](const Place& a, const Place& b) {
        return a.whose != b.whose ? a.whose < b.whose : a.start < b.start;
    });
    std::vector<Slice> in_order;
    in_order.reserve(rows.size());
    for (const Place& place : places) in_order.push_back(rows[place.row]);
    return in_order;
}

}  // namespace

SliceSums sums_of(Kind kind)
{
    if (kind == Kind::read || kind == Kind::failed_read) return SliceSums::reads;
    if (kind == Kind::write || kind == Kind::sync || kind == Kind::failed_write) return SliceSums::writes;
    return SliceSums::metadata;
}

void SliceTable::coarsen_rows()
{
    rows_ = sorted(rows_);
    rows_.resize(coarsen(rows_, most_));
}

void SliceTable::at_least(std::uint64_t length)
{
    while (length_ < length && length_ < longest_slice_ns) length_ *= 2;
}

bool SliceTable::is_of(const Slice& row, const Target& target) const
{
    return row.length == length_ && row.process == target.process && row.layer == target.layer &&
           row.streams == target.streams;
}

Slice& SliceTable::row_of(const Target& target, std::uint64_t start)
{
    // Operations come in the order of time, mostly.
    if (!rows_.empty()) {
        Slice& last = rows_.back();
        if (last.start == start && is_of(last, target)) return last;
    }
    if (rows_.size() >= 2 * most_) {
        coarsen_rows();
        if (!rows_.empty()) at_least(rows_.front().length);
        start -= start % length_;
    }
    Slice row;
    row.process = target.process;
    row.layer = target.layer;
    row.streams = target.streams;
    row.start = start;
    row.length = length_;
    return rows_.emplace_back(row);
}

void SliceTable::spread(const Target& target, std::uint64_t start, std::uint64_t end, std::uint64_t bytes,
                        bool operation)
{
    ++additions_;
    const SumsOfSlice& sums = sums_of_slice[static_cast<std::size_t>(target.sums)];
    // Most lie in the slice of the one before.
    if (!rows_.empty()) {
        Slice& last = rows_.back();
        if (start >= last.start && start < last.start + last.length && end <= last.start + last.length &&
            is_of(last, target) && steps_ < steps_of_all + steps_of_each * additions_) {
            ++steps_;
            if (sums.bytes != nullptr) last.*sums.bytes += bytes;
            if (operation) {
                last.*sums.time += end - start;
                ++(last.*sums.calls);
            }
            return;
        }
    }
    const auto covered = [&] { return end == start ? 1 : (end - 1) / length_ - start / length_ + 1; };
    while (length_ < longest_slice_ns && (covered() > most_slices_of_one ||
                                          steps_ + covered() > steps_of_all + steps_of_each * additions_)) {
        length_ *= 2;
        steps_ /= 2;
    }
    steps_ += covered();
    std::uint64_t given = 0, at = start;
    do {
        // Longer slices on the way only take in more.
        Slice& row = row_of(target, at - at % length_);
        const std::uint64_t until = std::min(end, row.start + row.length);
        const std::uint64_t bytes_so_far =
            until == end ? bytes : bytes_until(bytes, until - start, end - start);
        if (sums.bytes != nullptr) row.*sums.bytes += bytes_so_far - given;
        if (operation) {
            row.*sums.time += until - at;
            if (at == start) ++(row.*sums.calls);
        }
        given = bytes_so_far;
        at = until;
    } while (at < end);
}

void SliceTable::add_operation(const Target& target, std::uint64_t start, std::uint64_t end,
                               std::uint64_t bytes)
{
    spread(target, start, end, bytes, true);
}

void SliceTable::add_bytes(const Target& target, std::uint64_t start, std::uint64_t end, std::uint64_t bytes)
{
    if (bytes > 0) spread(target, start, end, bytes, false);
}

std::vector<Slice> SliceTable::take_rows()
{
    coarsen_rows();
    return std::move(rows_);
}

}  // namespace fathom
