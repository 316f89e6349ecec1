// Maps parts and hands out their chunks.
#include "libinterpose/recording/arena.h"

#include <algorithm>
#include <bit>
#include <new>

#include "libinterpose/recording/paths.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

// Small processes, of which there may be many, need little.
constexpr std::size_t first_backing = std::size_t{4} << 10, second_backing = std::size_t{8} << 10,
                      most_backing = std::size_t{64} << 10;
constexpr std::size_t page_bytes = 4096, smallest = std::size_t{256} << 10;
constexpr std::size_t first_mapping = std::size_t{256} << 10;

// A file takes a kilobyte and more in the part, so that half of the slots stay free.
constexpr std::uint64_t bytes_for_slot = 512, least_slots = 1024;

struct Mapping {
    void* at;
    std::size_t bytes;
};

// All of it, where it could not grow.
Mapping map_part(std::size_t size, int how, int fd)
{
    const std::size_t some = std::min(size, first_mapping);
    if (void* const at = map_apart(some, size, how, fd)) return {at, some};
    return {sys::map(size, PROT_READ | PROT_WRITE, how, fd), size};
}

// Touches the memory inside the kernel, where a full spool is an error. Needs no file, which the process may
// have left behind in a chroot or have no descriptor for. False on kernels before 5.14, too.
bool populate_memory(void* at, std::size_t bytes)
{
#ifndef MADV_POPULATE_WRITE
    constexpr int MADV_POPULATE_WRITE = 23;
#endif
    return sys::advise(at, bytes, MADV_POPULATE_WRITE) == 0;
}

}  // namespace

bool Arena::create(const char* spool, std::size_t for_records, std::size_t for_traces, std::uint64_t unique)
{
    constexpr std::size_t most = (std::size_t{1} << 32) - page_bytes;  // offsets have 32 bits
    std::size_t size = std::min(for_records + for_traces, most);
    // Other threads may still look at the part before this one: everything is made ready before it takes its
    // place.
    const PathScratch scratch;
    if (!scratch) return false;
    PathText& path = *scratch;
    Mapping mapping{nullptr, 0};
    std::size_t backed = size;
    const std::size_t limit = sys::file_size_limit();
    if (spool != nullptr && limit >= smallest) {
        size = std::min(size, limit & ~(page_bytes - 1));
        path << spool << "/part." << static_cast<std::uint64_t>(sys::process_id()) << ".";
        path.hex(unique);
        const int fd = sys::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL);
        if (fd >= 0) {
            backed = std::min(first_backing, size);
            if (sys::truncate(fd, size) == 0) mapping = map_part(size, MAP_SHARED, fd);
            // Memory is claimed before it is touched: a full spool must be an error here, not a SIGBUS later.
            if (mapping.at != nullptr && !populate_memory(mapping.at, backed) &&
                sys::allocate(fd, 0, backed) != 0) {
                sys::unmap(mapping.at, mapping.bytes);
                mapping = {nullptr, 0};
            }
            sys::close(fd);
            if (mapping.at == nullptr) sys::unlink(path.c_str());
        }
    }
    if (mapping.at == nullptr) {
        path.resize(0);
        mapping = map_part(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
        backed = mapping.bytes;
    }
    if (mapping.at == nullptr) return false;

    auto* const header = new (mapping.at) PartHeader;
    header->size = size;
    header->records = std::min(for_records, size);
    header->trace_room = size - header->records;
    header->used.store(sizeof(PartHeader), std::memory_order_relaxed);
    mapped_.store(mapping.bytes, std::memory_order_relaxed);
    backed_.store(backed, std::memory_order_relaxed);
    // Those of the part before this one stay, as that does.
    slots_.store(nullptr, std::memory_order_relaxed);
    slot_count_ = std::bit_ceil(std::max(header->records / bytes_for_slot, least_slots));
    path_ = path;
    header_ = header;
    return true;
}

Arena::Slots Arena::slots()
{
    if (const Slots known = known_slots(); !known.empty()) return known;
    const std::size_t bytes = slot_count_ * sizeof(std::atomic<std::uint32_t>);
    void* const memory = own_memory(bytes);
    if (memory == nullptr) return {};
    std::atomic<std::uint32_t>* none = nullptr;
    if (!slots_.compare_exchange_strong(none, static_cast<std::atomic<std::uint32_t>*>(memory),
                                        std::memory_order_acq_rel))
        sys::unmap(memory, bytes);  // another thread was faster
    return known_slots();
}

ChunkHeader* Arena::take(std::size_t bytes, Room room)
{
    bytes = (bytes + chunk_alignment - 1) & ~(chunk_alignment - 1);
    auto& traces = header_->trace_bytes;
    const bool traced = room == Room::trace;
    if (traced && traces.fetch_add(bytes, std::memory_order_relaxed) + bytes > header_->trace_room) {
        traces.fetch_sub(bytes, std::memory_order_relaxed);
        return nullptr;
    }
    const std::uint64_t left = kept_back(room);
    std::uint64_t from = header_->used.load(std::memory_order_relaxed);
    std::uint64_t start = 0;
    do {
        start = (from + chunk_alignment - 1) & ~std::uint64_t{chunk_alignment - 1};
        const std::uint64_t end =
            traced ? header_->size
                   : std::min(header_->size, header_->records + traces.load(std::memory_order_relaxed));
        if (start + bytes + left > end) return nullptr;
        if (!back(start + bytes)) return nullptr;
    } while (!header_->used.compare_exchange_weak(from, start + bytes, std::memory_order_acq_rel));
    auto* const chunk = reinterpret_cast<ChunkHeader*>(reinterpret_cast<std::byte*>(header_) + start);
    chunk->bytes = static_cast<std::uint32_t>(bytes);
    return chunk;
}

// Makes sure that there is memory behind the part up to here. Two threads that do it at once do no harm.
bool Arena::back(std::uint64_t until)
{
    std::uint64_t now = backed_.load(std::memory_order_acquire);
    if (until <= now) return true;
    const std::uint64_t step = std::clamp<std::uint64_t>(now, second_backing, most_backing);
    std::uint64_t wanted = std::min((until + step - 1) / step * step, header_->size);
    if (!map_until(wanted)) return false;
    if (in_spool() && !populate(now, wanted) && !extend(now, until, wanted)) return false;
    while (now < wanted && !backed_.compare_exchange_weak(now, wanted, std::memory_order_acq_rel)) {
    }
    return true;
}

// Makes the mapping grow in place. A child that has no part of its own does not let its parent's grow: what
// it put there, the parent could not read.
bool Arena::map_until(std::uint64_t until)
{
    std::uint64_t now = mapped_.load(std::memory_order_acquire);
    if (until <= now) return true;
    if (header_->pid != 0 && header_->pid != static_cast<std::uint64_t>(sys::process_id())) return false;
    const std::uint64_t wanted = std::min(std::max(until, 2 * now), header_->size);
    const long at =
        sys::call(SYS_mremap, sys::address(header_), static_cast<long>(now), static_cast<long>(wanted), 0);
    // Another thread may have been faster: then it is there.
    if (at != sys::address(header_) &&
        sys::advise(reinterpret_cast<std::byte*>(header_) + now, until - now, MADV_NORMAL) != 0)
        return false;
    const std::uint64_t reached = at == sys::address(header_) ? wanted : until;
    while (now < reached && !mapped_.compare_exchange_weak(now, reached, std::memory_order_acq_rel)) {
    }
    return true;
}

void Arena::back_ahead(std::size_t bytes)
{
    back(std::min(header_->used.load(std::memory_order_relaxed) + bytes, header_->size));
}

bool Arena::populate(std::uint64_t from, std::uint64_t to) const
{
    from &= ~std::uint64_t{page_bytes - 1};
    return populate_memory(reinterpret_cast<std::byte*>(header_) + from, to - from);
}

// The same for kernels before 5.14. The least that helps is up to `until`.
bool Arena::extend(std::uint64_t from, std::uint64_t until, std::uint64_t& to) const
{
    to = std::min(to, std::uint64_t{sys::file_size_limit()});
    if (until > to) return false;
    const int fd = sys::open(path_.c_str(), O_RDWR);
    if (fd < 0) return false;
    const bool good = sys::allocate(fd, from, to - from) == 0;
    sys::close(fd);
    return good;
}

std::uint32_t Arena::add_text(std::string_view text)
{
    auto* const chunk = allocate<TextChunk>(ChunkKind::text, {}, text.size());
    if (chunk == nullptr) return 0;
    chunk->length = static_cast<std::uint32_t>(text.size());
    std::memcpy(chunk->text, text.data(), text.size());
    publish(chunk->header);
    return offset_of(chunk);
}

}  // namespace fathom
