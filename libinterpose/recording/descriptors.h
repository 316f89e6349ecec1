// Which file a descriptor stands for, and where in it the next read or write falls. One array load for a
// descriptor that is known; sockets and excluded files are remembered as not tracked and cost just that load.
// Pipes without a name have one record of the process, and no description of their own.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "logformat/part/part.h"

namespace fathom {

// An open file description: what descriptors that were dup'ed from one another share.
struct Description {
    std::atomic<NameChunk*> file{};
    std::atomic<std::uint64_t> position{};  // of read and write
    std::atomic<std::uint64_t>
        stream_position{};                    // of the stdio stream on it, which reads ahead and writes late
    std::atomic<std::uint32_t> users{};       // descriptors that refer to it
    std::atomic<std::uint32_t> next_free{};   // read also by those who lose the race for this one
    std::uint32_t number = 0;                 // of those that duplicates need; 0: a descriptor's own
    std::atomic<bool> used_in_place{};        // the program uses the buffer of its stdio stream by itself
    std::atomic<bool> synchronous{};          // each write waits for the device: O_SYNC, O_DSYNC
    std::atomic<std::uint8_t> handed_over{};  // how often another thread went on with its stream
    std::atomic<bool> appends{};              // opened with O_APPEND: writes fall at the end of the file,
    std::atomic<std::uint64_t> end{};         // …which is here as far as this description's own calls show
    std::atomic<CountersOf<StdioCounters>*> run{};  // that stream_position does not have yet
};

inline constexpr std::uint32_t most_descriptors = 1u << 20;

namespace descriptor_table {
// An entry that is none of these is the address of the descriptor's description. `piped`: not tracked, but
// its reads and writes are counted.
inline constexpr std::uintptr_t unknown = 0, piped = 1, untracked = 2, first = 3;

// A descriptor's slot, and the description that it has to itself unless it is dup'ed: a cache line, so that
// threads with descriptors of their own do not meet.
struct alignas(64) Slot {
    std::atomic<std::uintptr_t> entry{};
    Description description;
};
static_assert(sizeof(Slot) == 64);
inline constexpr std::uint32_t block = 1024;
extern std::array<Slot, block> slots __attribute__((visibility("hidden")));  // of the first descriptors

// The slot of any descriptor; nullptr where none of its block was used yet.
Slot* further_slot(std::uint32_t fd);
inline Slot* slot_of(int fd)
{
    const auto at = static_cast<std::uint32_t>(fd);
    return __builtin_expect(at < block, 1) ? &slots[at] : further_slot(at);
}
}  // namespace descriptor_table

// What is said of a descriptor that is not open, or for whose number others race.
inline Description* const nobody_knows = reinterpret_cast<Description*>(descriptor_table::untracked);

// Finds out what a descriptor is that was never seen being opened: inherited, a socket, a pipe.
Description* adopt(int fd);

// What all pipes without a name share: their record, and no position.
extern Description pipes __attribute__((visibility("hidden")));
// The same as adopt() for reads and writes at the position: it is `pipes` for a pipe without a name.
Description* adopt_with_pipes(int fd);

// The description of a tracked descriptor; nullptr if it is not tracked, or `nobody_knows`.
template <Description* adopt_it(int)>
inline Description* look_up_by(int fd)
{
    using namespace descriptor_table;
    const Slot* const slot = slot_of(fd);
    const std::uintptr_t entry = slot == nullptr ? unknown : slot->entry.load(std::memory_order_acquire);
    if (__builtin_expect(entry >= first, 1)) return reinterpret_cast<Description*>(entry);
    return __builtin_expect(entry == untracked, 1) ? nullptr : adopt_it(fd);
}
inline Description* look_up(int fd)
{
    return look_up_by<adopt>(fd);
}
inline Description* look_up_with_pipes(int fd)
{
    return look_up_by<adopt_with_pipes>(fd);
}

// The same without that difference.
inline Description* tracked(int fd)
{
    Description* const found = look_up(fd);
    return found == nobody_knows ? nullptr : found;
}

// The same of a descriptor that was used before: others are not looked at.
inline Description* known(int fd)
{
    using namespace descriptor_table;
    const Slot* const slot = slot_of(fd);
    const std::uintptr_t entry = slot == nullptr ? unknown : slot->entry.load(std::memory_order_acquire);
    return entry >= first ? reinterpret_cast<Description*>(entry) : nullptr;
}

// A call went well on a descriptor of which nothing was known when it began: where it may be a file's, the
// call is missed.
void note_unknown(int fd);
void miss_contended();

// Says what a descriptor that was just opened stands for. nullptr where there is no room to track it.
Description* track(int fd, NameChunk* file, std::uint64_t position);

// What an open with these flags, or fcntl, says of writes.
void note_flags(int fd, Description& description, long flags);

// From now on each write falls at the end of the file, which the kernel is asked for this once.
void begin_appending(int fd, Description& description);

void do_not_track(int fd);

// Both descriptors share one description from now on.
void share(int from, int to);

// Detaches a descriptor before it is closed: another thread may be given its number at once. The description,
// if any, stays valid until let_go().
Description* detach(int fd);
// The same for a call that is to be counted: a file that nothing is known of is looked up. `was_closed`:
// there is no such descriptor.
Description* detach_to_close(int fd, bool& was_closed);
void let_go(Description* description);

// Closed, or opened, by means that show nothing: what these descriptors are is looked up at their next call.
void forget(int fd);
void forget_range(unsigned first, unsigned last);

}  // namespace fathom
