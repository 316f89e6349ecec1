// Room for the records of one process: a part (logformat/part/part.h) that is mapped from a file in the spool
// folder, so that it outlives the process; or plain memory where there is no spool. The mapping grows as the
// part is used.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "libinterpose/system/text.h"
#include "logformat/part/part.h"

namespace fathom {

class Arena {
  public:
    // Maps a new part. Without a spool folder, or where that cannot be used, the memory is the process's own.
    // False: no memory at all; nothing can be recorded.
    bool create(const char* spool, std::size_t for_records, std::size_t for_traces, std::uint64_t unique);
    // Its header is filled in: from now on it is a part to those who read the spool.
    void publish() { std::atomic_ref(header_->layout).store(part_layout(), std::memory_order_release); }

    PartHeader& header() const { return *header_; }
    bool in_spool() const { return !path_.empty(); }
    const char* path() const { return path_.c_str(); }
    std::span<const std::byte> bytes() const
    {
        if (header_ == nullptr) return {};
        return {reinterpret_cast<const std::byte*>(header_),
                static_cast<std::size_t>(mapped_.load(std::memory_order_acquire))};
    }

    // An eighth of the room is kept back for what must not fail when files have used up the rest: threads,
    // the overflow record, slices of time.
    // Half of that may go to names of folders, which the paths of what is opened in them need, and a little
    // of the rest to records that files have while they are open. Traces have room of their own.
    enum class Room { ordinary, folder, temporary, reserve, trace };

    // Whether this much would be had of the ordinary room.
    bool has_room(std::size_t bytes) const
    {
        return header_->used.load(std::memory_order_relaxed) + bytes + kept_back(Room::ordinary) <=
               std::min(header_->size,
                        header_->records + header_->trace_bytes.load(std::memory_order_relaxed));
    }

    // A zeroed chunk of T with `extra` bytes behind it, or nullptr when the arena is full. The caller fills
    // it and then calls publish(). Any thread, no lock.
    template <class T>
    T* allocate(ChunkKind kind, Layer layer = {}, std::size_t extra = 0, Room room = Room::ordinary)
    {
        ChunkHeader* const chunk = take(sizeof(T) + extra, room);
        if (chunk == nullptr) return nullptr;
        chunk->kind = kind;
        chunk->layer = layer;
        return reinterpret_cast<T*>(chunk);
    }
    static void publish(ChunkHeader& chunk) { chunk.mark.store(chunk_mark, std::memory_order_release); }

    std::uint32_t offset_of(const void* at) const
    {
        return static_cast<std::uint32_t>(static_cast<const std::byte*>(at) -
                                          reinterpret_cast<const std::byte*>(header_));
    }
    template <class T>
    T* at(std::uint32_t offset) const
    {
        return offset == 0 ? nullptr : reinterpret_cast<T*>(reinterpret_cast<std::byte*>(header_) + offset);
    }
    // The same of an offset that is not 0.
    template <class T>
    T& known_at(std::uint64_t offset) const
    {
        return *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(header_) + offset);
    }

    // Where files are found by name (files.h): a number of slots that is a power of two, 0 at first, in
    // memory of this process alone, which is there once a file needs it.
    using Slots = std::span<std::atomic<std::uint32_t>>;
    Slots known_slots() const
    {
        auto* const first = slots_.load(std::memory_order_acquire);
        return {first, first == nullptr ? 0 : slot_count_};
    }
    // The same, made where there are none. Empty: there is no memory.
    Slots slots();

    // Makes sure that so much more can be handed out without a system call, if there is so much.
    void back_ahead(std::size_t bytes);

    std::uint32_t add_text(std::string_view text);

  private:
    ChunkHeader* take(std::size_t bytes, Room room);
    std::uint64_t kept_back(Room from) const
    {
        constexpr std::uint64_t share = 8;
        if (from == Room::ordinary) return header_->records / share;
        if (from == Room::folder) return header_->records / (2 * share);
        return from == Room::temporary ? header_->records / (4 * share) : 0;
    }
    bool back(std::uint64_t until);
    bool map_until(std::uint64_t until);
    bool populate(std::uint64_t from, std::uint64_t to) const;
    bool extend(std::uint64_t from, std::uint64_t until, std::uint64_t& to) const;

    PartHeader* header_ = nullptr;
    std::atomic<std::uint64_t> mapped_{};  // bytes that have an address
    std::atomic<std::uint64_t> backed_{};  // …and memory behind it
    std::atomic<std::atomic<std::uint32_t>*> slots_{};
    std::size_t slot_count_ = 0;
    PathText path_;
};

}  // namespace fathom
