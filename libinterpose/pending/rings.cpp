// Reads the rings of io_uring.
#include "libinterpose/pending/rings.h"

#include <algorithm>
#include <bit>
#include <linux/openat2.h>
#include <span>

#include "libinterpose/pending/program_memory.h"
#include "libinterpose/recording/clock.h"
#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/temporary_records.h"
#include "libinterpose/system/own_memory.h"

namespace fathom {
namespace {

constexpr std::uint32_t most_rings = 64;

// Operations that headers of today may not know.
constexpr unsigned truncate = 55, read_vector_fixed = 60, write_vector_fixed = 61;

struct RingTable {
    std::atomic<std::uint32_t> used;  // rings from here on were never used
    std::atomic<bool> any_raw;
    Ring ring[most_rings];
};
constinit OnDemand<RingTable> ring_table;

// Those that are or were in use.
std::span<Ring> used_rings()
{
    RingTable* const table = ring_table.get();
    if (table == nullptr) return {};
    return {table->ring, table->used.load(std::memory_order_acquire)};
}

Ring* find(int fd)
{
    if (fd < 0) return nullptr;
    for (Ring& ring : used_rings())
        if (ring.number.load(std::memory_order_acquire) == fd + 1) return &ring;
    return nullptr;
}

void remove(Ring& ring)
{
    ring.ready.store(false, std::memory_order_relaxed);
    ring.number.store(0, std::memory_order_release);
}

// A new one, of which only `number` is to be set.
Ring* vacant()
{
    // The kernel empties it in a forked child, whose rings are its parent's.
    RingTable* const table = ring_table.make(MADV_WIPEONFORK);
    if (table == nullptr) return nullptr;
    for (std::uint32_t at = 0; at < most_rings; ++at) {
        Ring& ring = table->ring[at];
        int nobody = 0;
        if (!ring.number.compare_exchange_strong(nobody, -1, std::memory_order_acq_rel)) continue;
        std::uint32_t before = table->used.load(std::memory_order_relaxed);
        while (before <= at &&
               !table->used.compare_exchange_weak(before, at + 1, std::memory_order_release)) {
        }
        ring.array = nullptr;
        ring.consumed = nullptr;
        ring.in_flight.store(0, std::memory_order_relaxed);
        std::fill(std::begin(ring.memory), std::end(ring.memory), Range{});
        rings::forget_files(ring);
        return &ring;
    }
    return nullptr;
}

// Larger entries, if they are all of one size.
bool set_entry_sizes(Ring& ring, unsigned setup_flags)
{
    constexpr unsigned large_sqes = 1u << 10, large_cqes = 1u << 11, mixed_sizes = 1u << 18 | 1u << 19;
    ring.submissions.entry_bits = (setup_flags & large_sqes) != 0 ? 7 : 6;
    ring.completions.entry_bits = (setup_flags & large_cqes) != 0 ? 5 : 4;
    return (setup_flags & mixed_sizes) == 0;
}

template <class Entry>
Entry entry_at(const Ring::Queue& queue, unsigned place)
{
    Entry entry;
    __builtin_memcpy(&entry, queue.entries + (std::size_t{place & queue.mask} << queue.entry_bits),
                     sizeof entry);
    return entry;
}

unsigned load(const unsigned* at)
{
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

// Users' data are any numbers: those of different rings must not be taken for one another.
OperationKey key_of(const Ring& ring, std::uint64_t user_data)
{
    const auto number = static_cast<std::uint64_t>(&ring - ring_table.get()->ring) + 1;
    return user_data ^ (number * 0x9e3779b97f4a7c15u);
}

// The file of a submission; the descriptor's position, if that is what it uses, becomes its offset.
bool set_file(const Ring& ring, const io_uring_sqe& entry, Submission& what)
{
    if ((entry.flags & IOSQE_FIXED_FILE) != 0) {
        const auto index = static_cast<std::uint32_t>(entry.fd);
        what.file = index < Ring::most_files ? ring.files[index].load(std::memory_order_relaxed) : nullptr;
        return what.file != nullptr;
    }
    Description* const description = tracked(entry.fd);
    if (description == nullptr) return false;
    what.file = temporary::lasting(description->file.load(std::memory_order_relaxed));
    constexpr std::uint64_t position = ~std::uint64_t{0};
    if (moves_data(what.kind) && what.offset == position) {
        what.offset = description->position.load(std::memory_order_relaxed);
        what.fd = entry.fd;
    }
    return true;
}

// A close takes the descriptor out of the table before it happens, as Close does.
bool close_file(const io_uring_sqe& entry, Submission& what)
{
    what.kind = Kind::close;
    if (entry.file_index != 0) return false;
    Description* const description = detach(entry.fd);
    if (description == nullptr) return false;
    what.file = temporary::lasting(description->file.load(std::memory_order_relaxed));
    let_go(description);
    return true;
}

bool is_transfer(unsigned opcode)
{
    switch (opcode) {
        case IORING_OP_READ:
        case IORING_OP_READ_FIXED:
        case IORING_OP_READV:
        case read_vector_fixed:
        case IORING_OP_WRITE:
        case IORING_OP_WRITE_FIXED:
        case IORING_OP_WRITEV:
        case write_vector_fixed:
            return true;
        default:
            return false;
    }
}

// What an entry of the queue asks for. False: nothing that is counted.
bool describe(const Ring& ring, const io_uring_sqe& entry, Submission& what, std::uint64_t& bytes)
{
    what.offset = entry.off;
    what.memory = reinterpret_cast<const void*>(entry.addr);
    bytes = entry.len;
    switch (entry.opcode) {
        case IORING_OP_READ:
        case IORING_OP_READ_FIXED:
            what.kind = Kind::read;
            return set_file(ring, entry, what);
        case IORING_OP_WRITE:
        case IORING_OP_WRITE_FIXED:
            what.kind = Kind::write;
            return set_file(ring, entry, what);
        case IORING_OP_READV:
        case IORING_OP_WRITEV:
        case read_vector_fixed:
        case write_vector_fixed: {
            const bool reads = entry.opcode == IORING_OP_READV || entry.opcode == read_vector_fixed;
            what.kind = reads ? Kind::read : Kind::write;
            if (!set_file(ring, entry, what)) return false;
            const auto* const vector = static_cast<const iovec*>(what.memory);
            ReadableMemory memory;
            bytes = memory.bytes_of(vector, entry.len, what.memory);
            return true;
        }
        case IORING_OP_FSYNC:
        case IORING_OP_SYNC_FILE_RANGE:
            what.kind = Kind::sync;
            return set_file(ring, entry, what);
        case IORING_OP_FALLOCATE:
        case truncate:
            what.kind = Kind::other;
            what.counter = &PosixCounters::truncates;
            return set_file(ring, entry, what);
        case IORING_OP_FADVISE:
            what.kind = Kind::other;
            what.counter = &PosixCounters::advices;
            return set_file(ring, entry, what);
        case IORING_OP_OPENAT:
            what.kind = Kind::open;
            what.creates = always_creates(static_cast<int>(entry.open_flags));
            return entry.file_index == 0;
        case IORING_OP_OPENAT2: {
            what.kind = Kind::open;
            const auto* const how = reinterpret_cast<const open_how*>(entry.off);
            ReadableMemory memory;
            what.creates = memory.has(how, sizeof *how) && always_creates(static_cast<int>(how->flags));
            return entry.file_index == 0;
        }
        case IORING_OP_CLOSE:
            return close_file(entry, what);
        default:
            return false;
    }
}

void note_submission(Ring& ring, const io_uring_sqe& entry, Shares& shares)
{
    Submission what;
    std::uint64_t bytes = 0;
    if (!describe(ring, entry, what, bytes)) return;
    constexpr unsigned silent_if_good = 1u << 6;
    if ((entry.flags & silent_if_good) != 0) return missed();  // nobody will be told of its end
    if (!submit(key_of(ring, entry.user_data), what, bytes, in_flight::Again::possible)) return;
    ring.in_flight.fetch_add(1, std::memory_order_relaxed);
    shares.add(what.file, what.kind);
}

// Claims the next entry that nobody has looked at, so that two threads do not both count it. False: there is
// none up to `end`. Of more than the queue holds, the older ones are lost.
bool next_entry(Ring::Queue& queue, unsigned end, unsigned& place, std::uint64_t& lost)
{
    unsigned seen = queue.seen.load(std::memory_order_relaxed);
    unsigned skipped = 0;
    do {
        const auto left = static_cast<std::int32_t>(end - seen);
        if (left <= 0) return false;
        const unsigned kept = queue.mask + 1;
        skipped = end - seen > kept ? end - seen - kept : 0;
        place = seen + skipped;
    } while (!queue.seen.compare_exchange_weak(seen, place + 1, std::memory_order_relaxed));
    lost += skipped;
    return true;
}

// A submission that is taken for `times` of its kind.
void count_like(const Ring& ring, const io_uring_sqe& entry, std::uint64_t times, Interval when)
{
    Submission what;
    std::uint64_t bytes = 0;
    if (!describe(ring, entry, what, bytes)) return;
    auto* const at = counters_of<PosixCounters>(what.file);
    if (at == nullptr) return;
    if (what.kind == Kind::read)
        count_unseen<ReadSide>(*at, what.offset, bytes, times, when);
    else
        count_unseen<WriteSide>(*at, what.offset, bytes, times, when);
}

// What the kernel has taken without a call that was seen. Of these the ring holds the last ones; the reads
// and writes among them stand for all but the others. Without any of these nobody knows what they were.
void count_unseen_of(Ring& ring)
{
    Ring::Queue& queue = ring.submissions;
    const unsigned end = load(ring.consumed);
    unsigned seen = queue.seen.load(std::memory_order_relaxed);
    const unsigned unseen = end - seen;
    if (static_cast<std::int32_t>(unseen) <= 0 ||
        !queue.seen.compare_exchange_strong(seen, end, std::memory_order_relaxed))
        return;
    const Interval when{ring.looked_at, now()};
    const unsigned kept = std::min(unseen, queue.mask + 1);
    const auto entry = [&](unsigned nth) {
        const unsigned place = end - 1 - nth;
        return entry_at<io_uring_sqe>(
            queue, ring.array == nullptr ? place : load(ring.array + (place & queue.mask)));
    };
    unsigned transfers = 0;
    for (unsigned nth = 0; nth < kept; ++nth) transfers += is_transfer(entry(nth).opcode);
    if (transfers == 0) {  // a sync at the end has taken the last one's place
        missed(unseen);
        return;
    }
    const unsigned stand_for = unseen - (kept - transfers);
    unsigned done = 0;
    for (unsigned nth = 0; nth < kept; ++nth) {
        if (!is_transfer(entry(nth).opcode)) continue;
        count_like(ring, entry(nth), stand_for / transfers + (done < stand_for % transfers ? 1 : 0), when);
        ++done;
    }
    ring.looked_at = when.end;
}

// Whether what is known of a queue can still be read there.
bool is_there(const Ring::Queue& queue)
{
    ReadableMemory memory;
    return memory.has(queue.tail, sizeof *queue.tail) && memory.has(queue.mask_is_at, sizeof(unsigned)) &&
           load(queue.mask_is_at) == queue.mask &&
           memory.has(queue.entries, (std::size_t{queue.mask} + 1) << queue.entry_bits);
}

void set_queue(Ring::Queue& queue, const void* entries, const unsigned* tail, const unsigned* mask)
{
    queue.entries = static_cast<const std::byte*>(entries);
    queue.tail = tail;
    queue.mask_is_at = mask;
    queue.mask = load(mask);
}

template <class Thing>
const Thing* inside(Range memory, std::uint32_t offset)
{
    return reinterpret_cast<const Thing*>(memory.start + offset);
}

}  // namespace

namespace rings {

Ring* of(int fd)
{
    Ring* const ring = find(fd);
    return ring != nullptr && ring->ready.load(std::memory_order_acquire) ? ring : nullptr;
}

Ring* of(const LiburingRing& liburing)
{
    Ring* const ring = of(liburing.fd);
    if (ring != nullptr && ring->submissions.tail == liburing.sq.tail &&
        ring->submissions.entries == liburing.sq.sqes && ring->completions.entries == liburing.cq.cqes)
        return ring;
    made(liburing);
    return of(liburing.fd);
}

void made(const LiburingRing& liburing)
{
    if (Ring* const before = find(liburing.fd)) remove(*before);
    if (liburing.sq.tail == nullptr || liburing.cq.tail == nullptr) return;
    Ring* const ring = vacant();
    if (ring == nullptr) return missed();
    ring->raw = false;
    set_queue(ring->submissions, liburing.sq.sqes, liburing.sq.tail, liburing.sq.mask);
    set_queue(ring->completions, liburing.cq.cqes, liburing.cq.tail, liburing.cq.mask);
    ring->submissions.seen.store(load(liburing.sq.head), std::memory_order_relaxed);
    ring->completions.seen.store(load(liburing.cq.tail), std::memory_order_relaxed);
    ring->ready.store(set_entry_sizes(*ring, liburing.flags), std::memory_order_relaxed);
    ring->number.store(liburing.fd + 1, std::memory_order_release);
}

bool any_raw()
{
    const RingTable* const table = ring_table.get();
    return table != nullptr && table->any_raw.load(std::memory_order_relaxed);
}

void made_raw(int fd, const io_uring_params& about)
{
    if (Ring* const before = find(fd)) remove(*before);
    Ring* const ring = vacant();
    if (ring == nullptr) return missed();
    ring->raw = true;
    ring->about = about;
    ring_table.get()->any_raw.store(true, std::memory_order_relaxed);
    ring->number.store(fd + 1, std::memory_order_release);
}

void mapped(int fd, std::int64_t offset, void* at, std::uint64_t length)
{
    Ring* const ring = find(fd);
    // One that has all its parts may be closed by now, and this is something else of the same number.
    if (ring == nullptr || !ring->raw || ring->ready.load(std::memory_order_acquire)) return;
    const Range range = pages_of(at, length);
    auto& [submissions, completions, entries] = ring->memory;
    if (offset == IORING_OFF_SQ_RING) {
        submissions = range;
        if ((ring->about.features & IORING_FEAT_SINGLE_MMAP) != 0) completions = range;
    } else if (offset == IORING_OFF_CQ_RING) {
        completions = range;
    } else if (offset == IORING_OFF_SQES) {
        entries = range;
    }
    if (submissions.empty() || completions.empty() || entries.empty()) return;
    const io_sqring_offsets& sq = ring->about.sq_off;
    const io_cqring_offsets& cq = ring->about.cq_off;
    set_queue(ring->submissions, inside<void>(entries, 0), inside<unsigned>(submissions, sq.tail),
              inside<unsigned>(submissions, sq.ring_mask));
    set_queue(ring->completions, inside<void>(completions, cq.cqes), inside<unsigned>(completions, cq.tail),
              inside<unsigned>(completions, cq.ring_mask));
    constexpr unsigned no_array = 1u << 16;
    if ((ring->about.flags & no_array) == 0) ring->array = inside<unsigned>(submissions, sq.array);
    ring->consumed = inside<unsigned>(submissions, sq.head);
    ring->looked_at = now();
    ring->submissions.seen.store(load(ring->consumed), std::memory_order_relaxed);
    ring->completions.seen.store(load(ring->completions.tail), std::memory_order_relaxed);
    ring->ready.store(set_entry_sizes(*ring, ring->about.flags), std::memory_order_release);
}

void unmapped(Range range)
{
    for (Ring& ring : used_rings()) {
        if (ring.number.load(std::memory_order_acquire) <= 0 || !ring.raw) continue;
        for (const Range part : ring.memory)
            if (!overlap(part, range).empty()) {
                gone(ring);
                break;
            }
    }
}

void count_unseen()
{
    for (Ring& ring : used_rings())
        if (ring.number.load(std::memory_order_acquire) > 0 && ring.raw &&
            ring.ready.load(std::memory_order_acquire) && is_there(ring.submissions))
            count_unseen_of(ring);
}

void gone(Ring& ring)
{
    if (ring.ready.load(std::memory_order_acquire) && is_there(ring.submissions) &&
        is_there(ring.completions)) {
        Shares shares;
        count_completions(ring, now(), shares);
        if (ring.raw) count_unseen_of(ring);
    }
    remove(ring);
}

void all_gone()
{
    for (Ring& ring : used_rings())
        if (ring.number.load(std::memory_order_acquire) > 0) gone(ring);
}

unsigned tail_of(const Ring::Queue& queue)
{
    return load(queue.tail);
}

void note_submissions(Ring& ring, unsigned end, Shares& shares)
{
    Ring::Queue& queue = ring.submissions;
    std::uint64_t lost = 0;
    for (unsigned place = 0; next_entry(queue, end, place, lost);) {
        const unsigned index = ring.array == nullptr ? place : load(ring.array + (place & queue.mask));
        note_submission(ring, entry_at<io_uring_sqe>(queue, index), shares);
    }
    if (lost > 0) missed(lost);
}

void count_completions(Ring& ring, std::uint64_t now, Shares& shares)
{
    Ring::Queue& queue = ring.completions;
    const unsigned end_of_queue = load(queue.tail);
    // In this order: who completes something that is in the queue now has submitted it before.
    if (ring.in_flight.load(std::memory_order_acquire) <= 0) {
        unsigned seen = queue.seen.load(std::memory_order_relaxed);
        if (static_cast<std::int32_t>(end_of_queue - seen) > 0)
            queue.seen.compare_exchange_strong(seen, end_of_queue, std::memory_order_relaxed);
        return;
    }
    if (now == 0) now = fathom::now();
    std::uint64_t lost = 0;  // these operations stay in flight, and are missed in the end
    for (unsigned place = 0; next_entry(queue, end_of_queue, place, lost);) {
        const auto entry = entry_at<io_uring_cqe>(queue, place);
        if (load(queue.tail) - place > queue.mask + 1) continue;  // it has been written over meanwhile
        Submission what;
        if (!in_flight::take(key_of(ring, entry.user_data), what)) continue;
        ring.in_flight.fetch_sub(1, std::memory_order_relaxed);
        count_end(what, entry.res, now);
        shares.add(what.file, what.kind);
    }
}

void register_files(Ring& ring, std::uint32_t first, const int* fds, std::uint32_t n)
{
    constexpr int unchanged = -2;
    for (std::uint32_t at = 0; at < n && first + at < Ring::most_files; ++at) {
        if (fds[at] == unchanged) continue;
        Description* const description = fds[at] < 0 ? nullptr : tracked(fds[at]);
        ring.files[first + at].store(
            description == nullptr ? nullptr
                                   : temporary::lasting(description->file.load(std::memory_order_relaxed)),
            std::memory_order_relaxed);
    }
}

void forget_files(Ring& ring)
{
    for (auto& file : ring.files)
        if (file.load(std::memory_order_relaxed) != nullptr) file.store(nullptr, std::memory_order_relaxed);
}

}  // namespace rings
}  // namespace fathom
