// Which file a descriptor stands for, and where in it the next read or write falls. One array load for a
// descriptor that is known; sockets, pipes and excluded files are remembered as not tracked and cost just
// that load.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "logformat/part.h"

namespace fathom {

// An open file description: what descriptors that were dup'ed from one another share.
struct Description {
    std::atomic<NameChunk*> file{};
    std::atomic<std::uint64_t> position{};  // of read and write
    std::atomic<std::uint64_t>
        stream_position{};                   // of the stdio stream on it, which reads ahead and writes late
    std::atomic<std::uint32_t> users{};      // descriptors that refer to it
    std::atomic<std::uint32_t> next_free{};  // read also by those who lose the race for this one
};

inline constexpr std::uint32_t most_descriptors = 1u << 16;

namespace descriptor_table {
inline constexpr std::uint32_t unknown = 0, untracked = 1, first = 2;
extern std::array<std::atomic<std::uint32_t>, most_descriptors>
    entry;  // by descriptor: one of the above or an index
extern std::array<Description, most_descriptors> description;
}  // namespace descriptor_table

// Finds out what a descriptor is that was never seen being opened: inherited, a socket, a pipe.
Description* adopt(int fd);

// The description of a tracked descriptor; nullptr if it is not tracked.
inline Description* tracked(int fd)
{
    if (static_cast<std::uint32_t>(fd) >= most_descriptors) return nullptr;
    const std::uint32_t at =
        descriptor_table::entry[static_cast<std::uint32_t>(fd)].load(std::memory_order_acquire);
    if (__builtin_expect(at >= descriptor_table::first, 1)) return &descriptor_table::description[at];
    return at == descriptor_table::untracked ? nullptr : adopt(fd);
}

// Says what a descriptor that was just opened stands for. nullptr where there is no room to track it.
Description* track(int fd, NameChunk* file, std::uint64_t position);
void do_not_track(int fd);

// Both descriptors share one description from now on.
void share(int from, int to);

// Detaches a descriptor before it is closed: another thread may be given its number at once. The description,
// if any, stays valid until let_go().
Description* detach(int fd);
void attach_again(int fd, Description* description);  // the close failed
void let_go(Description* description);

// Closed, or opened, by means that tell nothing: what these descriptors are is looked up at their next call.
void forget(int fd);
void forget_range(unsigned first, unsigned last);

}  // namespace fathom
