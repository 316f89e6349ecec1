// The operations under way.
#include "libinterpose/operations/mpi_requests.h"

#include <cstring>

#include "libinterpose/operations/handle_table.h"
#include "libinterpose/system/own_memory.h"

namespace fathom {

constinit std::atomic<std::uint32_t> operations_under_way{0};

namespace {

// Written by whoever has its slot: the thread that began it, then the one that waits for it.
struct Begun {
    Handle request = 0;
    NameChunk* file = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t start = 0;   // ticks
    std::uint64_t waited = 0;  // in tests that found it incomplete
    bool writes = false;
    int index = 0;         // in the array of the call that is waiting
    std::size_t next = 0;  // that this call took
};
FATHOM_LARGE constinit HandleTable requests_under_way;
FATHOM_LARGE constinit std::array<Begun, HandleTable::size> begun{};

Handle handle_at(const void* array, int index)
{
    const std::size_t width = mpi::constants()->handle_bytes;
    Handle handle = 0;
    std::memcpy(&handle, static_cast<const char*>(array) + width * static_cast<std::size_t>(index), width);
    return handle;
}

void forget(std::size_t slot)
{
    requests_under_way.release(slot);
    operations_under_way.fetch_sub(1, std::memory_order_relaxed);
}

// The program was told of the end by a call of which this much is for this operation.
template <class Side>
void count_end(CountersOf<MpiioCounters>& at, const Begun& operation, std::uint64_t share, Interval when)
{
    const std::uint64_t took = Interval{operation.start, when.end}.length();
    MpiioCounters& counters = at.counters;
    counters.nonblocking_time += took;
    counters.*Side::time += share;
    counters.*Side::last = when.end;
    if (took > (counters.*Side::slowest).time) counters.*Side::slowest = {took, operation.bytes};
    note_time_spent(at, Side::kind, {when.end - share, when.end});
    note_burst(when);
}

void count_end(const Begun& operation, std::uint64_t share, Interval when, bool failed)
{
    NameChunk* file = operation.file;
    auto* const at = counters_of<MpiioCounters>(file);
    if (at == nullptr) return;
    if (failed) ++at->counters.failed;
    if (operation.writes)
        count_end<WriteSide>(*at, operation, share, when);
    else
        count_end<ReadSide>(*at, operation, share, when);
}

}  // namespace

template <class Side>
void operation_begins(const void* request, NameChunk* file, std::uint64_t bytes, Interval call)
{
    const mpi::Constants* const known = mpi::constants();
    const Handle handle = known == nullptr ? 0 : handle_at(request, 0);
    const bool is_known = handle != 0 && handle != known->request_null;
    const std::size_t slot = is_known ? requests_under_way.reserve(handle) : HandleTable::none;
    if (slot == HandleTable::none) {
        // Complete already, or its end will not be seen: this call is all that is known of it.
        if (auto* const at = counters_of<MpiioCounters>(file)) {
            at->counters.nonblocking_time += call.length();
            note_burst(call);
        }
        return;
    }
    begun[slot] = {handle, file, bytes, call.start, 0, std::is_same_v<Side, WriteSide>, 0, 0};
    operations_under_way.fetch_add(1, std::memory_order_relaxed);
    requests_under_way.publish(slot, handle);
}
template void operation_begins<ReadSide>(const void*, NameChunk*, std::uint64_t, Interval);
template void operation_begins<WriteSide>(const void*, NameChunk*, std::uint64_t, Interval);

bool MpiCompletion::take()
{
    if (mpiio_depth > 0 || requests == nullptr) return false;
    const Handle null = mpi::constants()->request_null;
    for (int index = 0; index < number; ++index) {
        const Handle handle = handle_at(requests, index);
        const std::size_t slot = handle == null ? HandleTable::none : requests_under_way.take(handle);
        if (slot == HandleTable::none) continue;
        begun[slot].index = index;
        begun[slot].next = first;
        first = slot;
        ++taken;
    }
    return taken > 0;
}

bool MpiCompletion::is_complete(std::size_t operation) const
{
    return handle_at(requests, begun[operation].index) != begun[operation].request;
}

void MpiCompletion::count(int result, Interval when)
{
    std::size_t complete = 0;
    for (std::size_t at = 0, slot = first; at < taken; ++at, slot = begun[slot].next)
        complete += is_complete(slot) ? 1 : 0;
    // The call's time is that of the operations that it completed; of all, where it completed none.
    const std::uint64_t share = when.length() / (complete > 0 ? complete : taken);
    std::size_t slot = first;
    for (std::size_t at = 0; at < taken; ++at) {
        Begun& operation = begun[slot];
        const std::size_t next = operation.next;
        if (is_complete(slot)) {
            // Which of several requests failed, only their statuses say.
            count_end(operation, share + operation.waited, when, result != 0 && number == 1);
            forget(slot);
        } else {
            if (complete == 0) operation.waited += share;
            requests_under_way.publish(slot, operation.request);
        }
        slot = next;
    }
}

bool MpiStatus::find() const
{
    return operations_under_way.load(std::memory_order_relaxed) != 0 &&
           requests_under_way.find(handle_at(&request, 0)) != HandleTable::none;
}

void MpiStatus::count(int result, Interval when) const
{
    if (result != 0 || *flag == 0) return;
    const std::size_t slot = requests_under_way.take(handle_at(&request, 0));
    if (slot == HandleTable::none) return;
    count_end(begun[slot], when.length() + begun[slot].waited, when, false);
    forget(slot);
}

bool MpiRequestFree::find() const
{
    if (operations_under_way.load(std::memory_order_relaxed) == 0 || request == nullptr) return false;
    const std::size_t slot = requests_under_way.take(handle_at(request, 0));
    if (slot != HandleTable::none) forget(slot);
    return false;
}

}  // namespace fathom
