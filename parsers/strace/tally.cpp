// Counts by the rules that logformat/counters.h states.
#include "parsers/strace/tally.h"

#include <algorithm>

namespace fathom::strace {
namespace {

using P = PosixCounters;

// What reads and writes have in common: members that belong to the direction.
struct Direction {
    std::uint64_t P::*calls, P::*bytes, P::*time, P::*first, P::*last;
    SlowestCall P::*slowest;
    SizeHistogram P::*sizes;
    std::uint64_t P::*consecutive, P::*sequential, P::*strided, P::*highest;
};
constexpr Direction directions_of_tally[] = {
    {&P::reads, &P::bytes_read, &P::read_time, &P::first_read, &P::last_read, &P::slowest_read, &P::read_size,
     &P::consecutive_reads, &P::sequential_reads, &P::strided_reads, &P::highest_read},
    {&P::writes, &P::bytes_written, &P::write_time, &P::first_write, &P::last_write, &P::slowest_write,
     &P::write_size, &P::consecutive_writes, &P::sequential_writes, &P::strided_writes, &P::highest_written}};

void note_span(std::uint64_t& first, std::uint64_t& last, const Operation& operation)
{
    if (first == 0 || operation.start < first) first = operation.start;
    last = std::max(last, operation.end);
}

}  // namespace

Tally::OfThread& Tally::of(std::uint64_t tid)
{
    const auto known =
        std::find_if(threads_.begin(), threads_.end(), [&](const OfThread& one) { return one.tid == tid; });
    if (known != threads_.end()) return *known;
    // Programs that make a thread for each request have only the last ones in mind.
    constexpr std::size_t most_threads = 64;
    if (threads_.size() >= most_threads) threads_.erase(threads_.begin());
    return threads_.emplace_back(OfThread{.tid = tid, .place = {}});
}

void Tally::add_place(const Operation& operation, bool write, Place& place)
{
    const Direction& of = directions_of_tally[write ? 1 : 0];
    if (place.any) {
        if (const std::uint64_t gap = operation.offset - place.end; gap == 0) {
            ++(record_.*of.consecutive);
        } else {
            record_.*of.sequential += operation.offset > place.end;
            if (gap == place.gap)
                ++(record_.*of.strided);
            else
                place.gap = gap;
        }
    }
    place.any = true;
    place.end = operation.offset + operation.size;
    if (operation.place_known) record_.*of.highest = std::max(record_.*of.highest, place.end);
}

void Tally::add_transfer(const Operation& operation, bool write)
{
    const Direction& of = directions_of_tally[write ? 1 : 0];
    OfThread& thread = this->of(operation.tid);
    if (operation.has_place) add_place(operation, write, thread.place[write ? 1 : 0]);
    const std::uint64_t took = operation.end - operation.start;
    ++(record_.*of.calls);
    record_.*of.bytes += operation.size;
    record_.*of.time += took;
    note_span(record_.*of.first, record_.*of.last, operation);
    (record_.*of.slowest).merge({took, operation.size});
    (record_.*of.sizes).add(operation.size);
    record_.common_size.count(operation.size);
    record_.switches += thread.last_direction == (write ? 0 : 1);
    thread.last_direction = write ? 1 : 0;
}

void Tally::add(const Operation& operation)
{
    const std::uint64_t took = operation.end - operation.start;
    switch (operation.kind) {
        case Kind::read:
        case Kind::write:
            return add_transfer(operation, operation.kind == Kind::write);
        case Kind::failed_read:
            ++record_.failed;
            record_.read_time += took;
            return;
        case Kind::failed_write:
            ++record_.failed;
            record_.write_time += took;
            return;
        case Kind::failed:
            ++record_.failed;
            break;
        case Kind::sync:
            ++record_.syncs;
            record_.sync_time += took;
            record_.write_time += took;
            return note_span(record_.first_write, record_.last_write, operation);
        case Kind::open:
            ++record_.opens;
            record_.creates += operation.created;
            note_span(record_.first_open, record_.last_open, operation);
            break;
        case Kind::close:
            ++record_.closes;
            if (const std::uint64_t since = std::max(record_.last_open, record_.last_close);
                record_.last_open != 0 && operation.start > since)
                record_.held_time += operation.start - since;
            note_span(record_.first_close, record_.last_close, operation);
            break;
        case Kind::lock:
            record_.lock_time += took;
            [[fallthrough]];
        default:
            if (operation.counter != nullptr) ++(record_.*operation.counter);
    }
    record_.metadata_time += took;
}

}  // namespace fathom::strace
