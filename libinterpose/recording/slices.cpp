// Slices of time: keeps this thread's current one, and puts what is done with into a table that all threads
// share, a few times a second.
//
// The table is a list of chunks that are only added to. When the slices of one length have become many, the
// next chunk is of slices twice as long; chunks before it stay as they are, and whoever reads them all merges
// neighbours. So nothing is ever moved, and no thread waits for another.
#include <algorithm>

#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/timings.h"

namespace fathom::timings {
namespace {

// Slices of a length in which this many things happened make room for longer ones, up to those of 4 s. From
// there on only the end of the memory does.
constexpr std::uint32_t enough = 128, first_capacity = 32;
constexpr std::uint32_t level_of_4s = 6, last_level = 40;

constexpr std::uint64_t length_ns(std::uint32_t level)
{
    return shortest_slice_ns << level;
}

// Ticks to UNIX time while the process runs: by the clock that nobody sets, since the start.
class SliceClock {
  public:
    SliceClock()
    {
        const PartHeader& header = arena.header();
        if (header.clock == ClockKind::monotonic || is_confined()) return;
        const Moment now = this_moment(header.clock);
        if (now.ticks <= header.start_ticks || now.monotonic_ns <= header.start_monotonic_ns) return;
        elapsed_ = now.ticks - header.start_ticks;
        latest_rate.store(
            static_cast<double>(now.monotonic_ns - header.start_monotonic_ns) / static_cast<double>(elapsed_),
            std::memory_order_relaxed);
    }

    std::uint64_t unix_ns(std::uint64_t ticks) const
    {
        const PartHeader& header = arena.header();
        if (ticks < header.start_ticks) return header.start_ns;
        return header.start_ns +
               static_cast<std::uint64_t>(static_cast<double>(ticks - header.start_ticks) * rate());
    }
    std::uint64_t ticks(std::uint64_t unix_ns) const
    {
        const PartHeader& header = arena.header();
        if (unix_ns < header.start_ns) return 0;
        return header.start_ticks +
               static_cast<std::uint64_t>(static_cast<double>(unix_ns - header.start_ns) / rate());
    }
    // The rate is known the better the longer it was measured: it may be relied on for a while after that.
    std::uint64_t reliable_for() const { return elapsed_ == 0 ? ~std::uint64_t{0} : 8 * elapsed_; }

  private:
    static double rate()
    {
        return arena.header().clock == ClockKind::monotonic ? 1 : latest_rate.load(std::memory_order_relaxed);
    }

    // Several threads may set it at once: to the same, but for what the clock's reading is worth.
    static inline constinit std::atomic<double> latest_rate{1};
    std::uint64_t elapsed_ = 0;
};

SlicesChunk* newest_table()
{
    return arena.at<SlicesChunk>(arena.header().slices.load(std::memory_order_acquire));
}

std::uint32_t current_level()
{
    const SlicesChunk* const table = newest_table();
    return table == nullptr ? 0 : table->level;
}

// Puts an empty table before the others. False when there is no room.
bool add_table(std::uint32_t level, std::uint32_t capacity)
{
    auto& newest = arena.header().slices;
    const std::size_t bytes = (capacity - 1) * sizeof(SlicesChunk::Entry);
    auto* const table = arena.allocate<SlicesChunk>(ChunkKind::slices, {}, bytes, Arena::Room::reserve);
    if (table == nullptr) return false;
    table->level = level;
    table->capacity = capacity;
    std::uint32_t next = newest.load(std::memory_order_relaxed);
    table->next = next;
    Arena::publish(table->header);
    arena.header().slice_bytes.fetch_add(table->header.bytes, std::memory_order_relaxed);
    // Where another thread has just added one, that will do; this one stays empty.
    newest.compare_exchange_strong(next, arena.offset_of(table), std::memory_order_acq_rel);
    return true;
}

// The newest table is full.
bool add_next_table()
{
    const SlicesChunk* const newest = newest_table();
    if (newest == nullptr) return add_table(0, first_capacity);
    std::uint32_t entries = 0;
    for (const auto* table = newest; table != nullptr && table->level == newest->level;
         table = arena.at<SlicesChunk>(table->next))
        entries += table->capacity;
    const bool many =
        newest->level < level_of_4s
            ? entries >= enough
            : arena.header().slice_bytes.load(std::memory_order_relaxed) > room_for_times(arena.header()) / 8;
    if (many && newest->level < last_level) return add_table(newest->level + 1, enough);
    return add_table(newest->level, entries < enough ? enough - entries : enough);
}

// The entry of this key, made where there is none; nullptr in a table that is full.
SlicesChunk::Entry* entry_in(SlicesChunk& table, std::uint64_t key, bool make)
{
    for (std::uint32_t tried = 0; tried < table.capacity; ++tried) {
        SlicesChunk::Entry& entry = table.entry[(key + tried) % table.capacity];
        std::uint64_t known = entry.key.load(std::memory_order_relaxed);
        if (known == 0 && (!make || entry.key.compare_exchange_strong(known, key)))
            return make ? &entry : nullptr;
        if (known == key) return &entry;
    }
    return nullptr;
}

SlicesChunk::Entry* entry_of(std::uint32_t level, std::uint64_t number, std::size_t place)
{
    constexpr int patience = 8;  // others may fill a table before this thread comes to it
    for (int look = 0; look < patience; ++look) {
        SlicesChunk* const newest = newest_table();
        if (newest != nullptr) {
            const std::uint64_t its = number >> (newest->level - std::min(level, newest->level));
            const std::uint64_t key = 1 + place + timing_places * its;
            for (auto* table = newest; table != nullptr && table->level == newest->level;
                 table = arena.at<SlicesChunk>(table->next))
                if (auto* const known = entry_in(*table, key, table == newest)) return known;
        }
        if (!add_next_table()) break;
    }
    return nullptr;
}

void add_to_table(std::uint32_t level, std::uint64_t number, std::size_t place,
                  const std::uint64_t (&sum)[slice_sums])
{
    SlicesChunk::Entry* const entry = entry_of(level, number, place);
    if (entry == nullptr) {
        const std::uint64_t operations = sum[static_cast<std::size_t>(SliceSum::reads)] +
                                         sum[static_cast<std::size_t>(SliceSum::writes)] +
                                         sum[static_cast<std::size_t>(SliceSum::metadata)];
        arena.header().untimed.fetch_add(operations, std::memory_order_relaxed);
        return;
    }
    for (std::size_t at = 0; at < slice_sums; ++at)
        if (sum[at] != 0) entry->sum[at].fetch_add(sum[at], std::memory_order_relaxed);
}

// This thread is done with the slice that it was in.
void put_away(ThreadChunk& thread)
{
    for (std::size_t place = 0; place < timing_places; ++place) {
        std::uint64_t sum[slice_sums];
        bool any = false;
        for (std::size_t at = 0; at < slice_sums; ++at) {
            // At once, since a signal handler may add to it.
            sum[at] = std::atomic_ref(thread.slice[place][at]).exchange(0, std::memory_order_relaxed);
            any = any || sum[at] != 0;
        }
        if (any) add_to_table(thread.slice_level, thread.slice_number, place, sum);
    }
}

void enter_slice(ThreadChunk& thread, const SliceClock& clock, std::uint32_t level, std::uint64_t number,
                 std::uint64_t now)
{
    if (thread.slice_end != 0 && (thread.slice_number != number || thread.slice_level != level))
        put_away(thread);
    thread.slice_number = number;
    thread.slice_level = level;
    thread.slice_start = clock.ticks(number * length_ns(level));
    const std::uint64_t end = clock.ticks((number + 1) * length_ns(level));
    thread.slice_end = end - now > clock.reliable_for() ? now + clock.reliable_for() : end;
}

void add_to(std::uint64_t (&to)[slice_sums], const std::uint64_t (&sum)[slice_sums])
{
    for (std::size_t at = 0; at < slice_sums; ++at) to[at] += sum[at];
}

// The part of a whole that lies before a point of an interval.
std::uint64_t part_of(std::uint64_t whole, std::uint64_t before, std::uint64_t length)
{
    if (before >= length) return whole;
    return static_cast<std::uint64_t>(static_cast<double>(whole) * static_cast<double>(before) /
                                      static_cast<double>(length));
}

}  // namespace

void add_to_slices_slowly(std::size_t place, Sums sums, Interval when, Work work)
{
    constexpr std::uint64_t most_shares = enough / 2;
    ThreadChunk& thread = *here.thread;
    const SliceClock clock;
    const std::uint64_t start = clock.unix_ns(std::min(when.start, when.end)), end = clock.unix_ns(when.end);
    std::uint32_t level = current_level();
    while (level < last_level && (end - start) / length_ns(level) > most_shares) ++level;
    if (level > current_level()) add_table(level, enough);

    const std::uint64_t first = start / length_ns(level), last = end / length_ns(level);
    if (thread.slice_end == 0 || when.end > thread.slice_end)
        enter_slice(thread, clock, level, last, when.end);
    std::uint64_t bytes_done = 0, time_done = 0;
    const std::uint64_t time = work.takes_time ? when.length() : 0;
    for (std::uint64_t number = first; number <= last; ++number) {
        const std::uint64_t before = (number + 1) * length_ns(level) - start, length = end - start;
        const std::uint64_t bytes = number == last ? work.bytes : part_of(work.bytes, before, length);
        const std::uint64_t time_before = number == last ? time : part_of(time, before, length);
        std::uint64_t sum[slice_sums] = {};
        sum[static_cast<std::size_t>(sums.operations)] = number == first ? work.operations : 0;
        sum[static_cast<std::size_t>(sums.time)] = time_before - time_done;
        sum[static_cast<std::size_t>(sums.bytes)] += bytes - bytes_done;
        bytes_done = bytes;
        time_done = time_before;
        if (number == thread.slice_number && level == thread.slice_level)
            add_to(thread.slice[place], sum);
        else
            add_to_table(level, number, place, sum);
    }
}

}  // namespace fathom::timings
