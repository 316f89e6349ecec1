// Finds room for histograms. A thread has its own while they take no more than a quarter of the room for
// times; after that all further ones share theirs.
#include "libinterpose/recording/timings.h"

#include <algorithm>

namespace fathom::timings {
namespace {

// Takes so much of what threads may have for histograms of their own.
bool may_have(std::size_t bytes)
{
    PartHeader& header = arena.header();
    const std::uint64_t most = room_for_times(header) / 4;
    if (header.histogram_bytes.load(std::memory_order_relaxed) + bytes > most) return false;
    header.histogram_bytes.fetch_add(static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
    return true;
}

HistogramChunk* new_histogram(std::size_t row, Arena::Room room)
{
    auto* const chunk = arena.allocate<HistogramChunk>(ChunkKind::histogram, {}, 0, room);
    if (chunk == nullptr) return nullptr;
    chunk->row = static_cast<std::uint32_t>(row);
    Arena::publish(chunk->header);
    return chunk;
}

HistogramChunk* own_histogram(std::size_t row)
{
    std::uint32_t& at = here.thread->histogram[row];
    if (at != 0) return arena.at<HistogramChunk>(at - ThreadChunk::own);
    if (!may_have(sizeof(HistogramChunk))) return nullptr;
    HistogramChunk* const own = new_histogram(row, Arena::Room::ordinary);
    if (own != nullptr) at = arena.offset_of(own) + ThreadChunk::own;
    return own;
}

HistogramChunk* shared_histogram(std::size_t row)
{
    auto& at = arena.header().shared_histogram[row];
    std::uint32_t known = at.load(std::memory_order_acquire);
    if (known != 0) return arena.at<HistogramChunk>(known);
    HistogramChunk* const shared = new_histogram(row, Arena::Room::reserve);
    // Where another thread was first, ours stays empty.
    if (shared == nullptr || at.compare_exchange_strong(known, arena.offset_of(shared))) return shared;
    return arena.at<HistogramChunk>(known);
}

// The count of a bin, made where there is none.
std::uint64_t* count_of(HistogramChunk& histogram, bins::Bin bin, Arena::Room room)
{
    const auto at = [&](std::uint32_t octave) {
        return &arena.known_at<std::uint64_t>(octave + bin.within * sizeof(std::uint64_t));
    };
    std::uint32_t known = histogram.octave[bin.shift].load(std::memory_order_acquire);
    if (known != 0) return at(known);
    const std::size_t extra = (OctaveChunk::counts(bin.shift) - 1) * sizeof(std::uint64_t);
    if (room == Arena::Room::ordinary && !may_have(sizeof(OctaveChunk) + extra)) return nullptr;
    auto* const octave = arena.allocate<OctaveChunk>(ChunkKind::octave, {}, extra, room);
    if (octave == nullptr) return nullptr;
    Arena::publish(octave->header);
    const auto origin = static_cast<std::uint32_t>(arena.offset_of(octave) + OctaveChunk::origin(bin.shift));
    return at(histogram.octave[bin.shift].compare_exchange_strong(known, origin) ? origin : known);
}

void count_shared(HistogramChunk& histogram, std::uint64_t& count, std::uint64_t took, std::uint64_t times)
{
    std::atomic_ref(count).fetch_add(times, std::memory_order_relaxed);
    std::atomic_ref(histogram.time).fetch_add(took * times, std::memory_order_relaxed);
    const std::atomic_ref longest(histogram.longest);
    std::uint64_t known = longest.load(std::memory_order_relaxed);
    while (took > known && !longest.compare_exchange_weak(known, took, std::memory_order_relaxed)) {
    }
}

}  // namespace

void count_duration_slowly(std::size_t row, std::uint64_t took, std::uint64_t times)
{
    const auto bin = bins::bin_of(took);
    if (HistogramChunk* const own = own_histogram(row)) {
        if (std::uint64_t* const count = count_of(*own, bin, Arena::Room::ordinary)) {
            *count += times;
            own->time += took * times;
            own->longest = std::max(own->longest, took);
            return;
        }
    }
    if (HistogramChunk* const shared = shared_histogram(row))
        if (std::uint64_t* const count = count_of(*shared, bin, Arena::Room::reserve))
            return count_shared(*shared, *count, took, times);
    arena.header().untimed.fetch_add(times, std::memory_order_relaxed);
}

}  // namespace fathom::timings
