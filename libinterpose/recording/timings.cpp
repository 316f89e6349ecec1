// Finds room for histograms. A thread has its own while they take no more than a quarter of the part; after
// that all further ones share theirs.
#include "libinterpose/recording/timings.h"

#include <algorithm>

namespace fathom::timings {
namespace {

// Takes so much of what threads may have for histograms of their own.
bool may_have(std::size_t bytes)
{
    PartHeader& header = arena.header();
    const std::uint64_t most = header.size / 4;
    if (header.histogram_bytes.load(std::memory_order_relaxed) + bytes > most) return false;
    header.histogram_bytes.fetch_add(static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
    return true;
}

HistogramChunk* new_histogram(std::size_t place, std::size_t histogram, Arena::Room room)
{
    auto* const chunk = arena.allocate<HistogramChunk>(ChunkKind::histogram, {}, 0, room);
    if (chunk == nullptr) return nullptr;
    chunk->place = static_cast<std::uint16_t>(place);
    chunk->histogram = static_cast<std::uint16_t>(histogram);
    Arena::publish(chunk->header);
    return chunk;
}

HistogramChunk* own_histogram(std::size_t place, std::size_t histogram)
{
    std::uint32_t& at = here.thread->histogram[place][histogram];
    if (at != 0) return arena.at<HistogramChunk>(at - ThreadChunk::own);
    if (!may_have(sizeof(HistogramChunk))) return nullptr;
    HistogramChunk* const own = new_histogram(place, histogram, Arena::Room::ordinary);
    if (own != nullptr) at = arena.offset_of(own) + ThreadChunk::own;
    return own;
}

HistogramChunk* shared_histogram(std::size_t place, std::size_t histogram)
{
    auto& at = arena.header().shared_histogram[place][histogram];
    std::uint32_t known = at.load(std::memory_order_acquire);
    if (known != 0) return arena.at<HistogramChunk>(known);
    HistogramChunk* const shared = new_histogram(place, histogram, Arena::Room::reserve);
    // Where another thread was first, ours stays empty.
    if (shared == nullptr || at.compare_exchange_strong(known, arena.offset_of(shared))) return shared;
    return arena.at<HistogramChunk>(known);
}

OctaveChunk* octave_of(HistogramChunk& histogram, std::size_t number, Arena::Room room)
{
    std::uint32_t known = histogram.octave[number].load(std::memory_order_acquire);
    if (known != 0) return arena.at<OctaveChunk>(known);
    if (room == Arena::Room::ordinary && !may_have(sizeof(OctaveChunk))) return nullptr;
    auto* const octave = arena.allocate<OctaveChunk>(ChunkKind::octave, {}, 0, room);
    if (octave == nullptr) return nullptr;
    Arena::publish(octave->header);
    if (histogram.octave[number].compare_exchange_strong(known, arena.offset_of(octave))) return octave;
    return arena.at<OctaveChunk>(known);
}

void count_shared(HistogramChunk& histogram, OctaveChunk& octave, std::size_t within, std::uint64_t took)
{
    std::atomic_ref(octave.count[within]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(histogram.time).fetch_add(took, std::memory_order_relaxed);
    const std::atomic_ref longest(histogram.longest);
    std::uint64_t known = longest.load(std::memory_order_relaxed);
    while (took > known && !longest.compare_exchange_weak(known, took, std::memory_order_relaxed)) {
    }
}

}  // namespace

void count_duration_slowly(std::size_t place, std::size_t histogram, std::uint64_t took)
{
    const auto bin = bins::bin_of(took);
    if (HistogramChunk* const own = own_histogram(place, histogram)) {
        if (OctaveChunk* const octave = octave_of(*own, bin.octave, Arena::Room::ordinary)) {
            add_one(octave->count[bin.within]);
            own->time += took;
            own->longest = std::max(own->longest, took);
            return;
        }
    }
    if (HistogramChunk* const shared = shared_histogram(place, histogram))
        if (OctaveChunk* const octave = octave_of(*shared, bin.octave, Arena::Room::reserve))
            return count_shared(*shared, *octave, bin.within, took);
    arena.header().untimed.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace fathom::timings
