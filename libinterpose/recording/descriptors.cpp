// The table of descriptors and their descriptions. Those of the first thousand descriptors are static memory;
// others come in blocks, when they are needed.
#include "libinterpose/recording/descriptors.h"

#include <cerrno>
#include <sys/sysmacros.h>

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/layouts.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/recording/temporary_records.h"
#include "libinterpose/system/one_step.h"
#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace descriptor_table {

FATHOM_LARGE constinit std::array<Slot, block> slots{};

namespace {

using Block = std::array<Slot, block>;

FATHOM_LARGE constinit std::array<OnDemand<Block>, most_descriptors / block> further_slots;

}  // namespace

Slot* further_slot(std::uint32_t fd)
{
    if (fd >= most_descriptors) return nullptr;
    Block* const made = further_slots[fd / block].get();
    return made == nullptr ? nullptr : &(*made)[fd % block];
}

}  // namespace descriptor_table

namespace {

using namespace descriptor_table;

bool is_descriptor(int fd)
{
    return static_cast<std::uint32_t>(fd) < most_descriptors;
}

// nullptr where there is no memory for it.
Slot* made_slot(int fd)
{
    const auto at = static_cast<std::uint32_t>(fd);
    if (at >= block && is_descriptor(fd)) further_slots[at / block].make();
    return slot_of(fd);
}

// Descriptions that are nobody's own, by their number from 1 on, and the first that was never used.
constexpr std::uint32_t most_common = 1u << 16;
FATHOM_LARGE constinit std::array<OnDemand<std::array<Description, block>>, most_common / block> common;
constinit std::atomic<std::uint32_t> fresh{1};
// Head of the list of those that are free again; the upper half counts changes, so that a head that came back
// is noticed.
constinit std::atomic<std::uint64_t> free_list{0};

Description* common_description(std::uint32_t number)
{
    auto* const made = common[number / block].make();
    return made == nullptr ? nullptr : &(*made)[number % block];
}

Description* take_common_description()
{
    std::uint64_t head = free_list.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(head) != 0) {
        Description* const one = common_description(static_cast<std::uint32_t>(head));
        const std::uint64_t next =
            (((head >> 32) + 1) << 32) | one->next_free.load(std::memory_order_relaxed);
        if (free_list.compare_exchange_weak(head, next, std::memory_order_acq_rel)) return one;
    }
    if (fresh.load(std::memory_order_relaxed) >= most_common) return nullptr;
    const std::uint32_t number = fresh.fetch_add(1, std::memory_order_relaxed);
    Description* const one = number < most_common ? common_description(number) : nullptr;
    if (one != nullptr) one->number = number;
    return one;
}

void give_back_common_description(Description* one)
{
    std::uint64_t head = free_list.load(std::memory_order_relaxed);
    std::uint64_t mine = 0;
    do {
        one->next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
        mine = (((head >> 32) + 1) << 32) | one->number;
    } while (!free_list.compare_exchange_weak(head, mine, std::memory_order_acq_rel));
}

// With one user. The descriptor's own is taken unless a duplicate of an earlier descriptor still needs it.
Description* new_description(Slot& slot)
{
    Description& own = slot.description;
    std::uint32_t nobody = 0;
    if (one_step::compare_exchange(own.users, nobody, std::uint32_t{1})) return &own;
    Description* const another = take_common_description();
    if (another != nullptr) another->users.store(1, std::memory_order_relaxed);
    return another;
}

std::uintptr_t entry_of(const Description* one)
{
    return one == nullptr ? untracked : reinterpret_cast<std::uintptr_t>(one);
}

Description* description_in(std::uintptr_t entry)
{
    return entry >= first ? reinterpret_cast<Description*>(entry) : nullptr;
}

// The table describes this process's descriptors, not those of a child that only borrows its memory: that has
// none. Nor is there any where there is no memory for it.
Slot* own_slot(int fd)
{
    return in_borrowed_memory() ? nullptr : made_slot(fd);
}

void set_entry(Slot& slot, std::uintptr_t value)
{
    // What was there was closed behind our back.
    if (Description* const before = description_in(one_step::exchange(slot.entry, value))) let_go(before);
}
void set_entry(int fd, std::uintptr_t value)
{
    if (Slot* const slot = own_slot(fd)) set_entry(*slot, value);
}

// The same of what was looked up rather than opened. Another thread may have opened or closed this number
// since: what it says stands. Returns the description that the descriptor has now.
Description* settle_entry(int fd, std::uintptr_t found)
{
    Slot* const slot = own_slot(fd);
    if (slot == nullptr) return nullptr;
    std::uintptr_t now = unknown;
    if (slot->entry.compare_exchange_strong(now, found, std::memory_order_acq_rel))
        return description_in(found);
    if (Description* const one = description_in(found)) let_go(one);
    return description_in(now);
}

// False: another thread has just closed the last descriptor, and the description is free or about to be.
bool add_user(Description& one)
{
    std::uint32_t users = one.users.load(std::memory_order_relaxed);
    while (users != 0)
        if (one.users.compare_exchange_weak(users, users + 1, std::memory_order_relaxed)) return true;
    return false;
}

bool is_piped(int fd)
{
    const Slot* const slot = slot_of(fd);
    return slot != nullptr && slot->entry.load(std::memory_order_acquire) == piped;
}

// Whether a regular file is what the whole job's standard input, output or error was redirected to. A
// redirection inside the job (a shell's) is file I/O like any other.
bool is_stream_of_job(const struct stat& about)
{
    FixedText<64> key;
    key << " ";
    key.hex(about.st_dev) << ":";
    key.hex(about.st_ino) << " ";
    return settings().streams.view().find(key.view()) != std::string_view::npos;
}

constexpr std::string_view stream_names[3] = {"<stdin>", "<stdout>", "<stderr>"};
constexpr std::string_view pipe_name = "<pipe>";

// One that pipe() made, or one of socketpair(): nobody can open it by a path.
bool has_no_name(int fd, const struct stat& about, PathText& path)
{
    if (S_ISFIFO(about.st_mode)) return !path_of_descriptor(fd, path);
    return S_ISSOCK(about.st_mode) && !is_confined() && sys::is_of_pair(fd);
}

// A description that no descriptor has yet. nullptr where there is no room.
Description* describe(Slot* slot, NameChunk* file, std::uint64_t position)
{
    Description* const one = slot == nullptr ? nullptr : new_description(*slot);
    if (one == nullptr) return nullptr;
    one->file.store(file, std::memory_order_relaxed);
    one->position.store(position, std::memory_order_relaxed);
    one->stream_position.store(position, std::memory_order_relaxed);
    one->used_in_place.store(false, std::memory_order_relaxed);
    one->appends.store(false, std::memory_order_relaxed);
    one->synchronous.store(false, std::memory_order_relaxed);
    one->handed_over.store(0, std::memory_order_relaxed);
    return one;
}

}  // namespace

constinit Description pipes;

Description* adopt(int fd)
{
    if (fd < 0 || in_borrowed_memory()) return nobody_knows;
    if (is_piped(fd)) return nullptr;
    struct stat about {};
    if (sys::status(fd, about) != 0) return nobody_knows;  // not open: nothing to remember
    const bool is_file = S_ISREG(about.st_mode);
    const PathScratch scratch;
    if (!scratch) {
        if (is_file) enter();  // a thread without a place misses the call here, others do in note_unknown()
        return nobody_knows;
    }
    PathText& path = *scratch;
    if (is_file && !path_of_descriptor(fd, path) && sys::status(fd, about) != 0)
        return nobody_knows;  // closed since
    Description* found = nullptr;
    if (fd > 2 && has_no_name(fd, about, path)) return settle_entry(fd, piped);
    if (is_file && !path.view().empty() && !is_excluded(path.view()) && !path.view().starts_with("/memfd:")) {
        if (!enter()) return nobody_knows;
        const long position = sys::seek(fd, 0, SEEK_CUR);
        NameChunk* const file =
            file_of(path.view(), {fd <= 2 && is_stream_of_job(about) ? NameKind::stream : NameKind::file,
                                  static_cast<std::uint64_t>(about.st_blksize), device_of(about)});
        if (file == nullptr) return nobody_knows;  // there may be room for it at the next call
        if (!file->opened.load(std::memory_order_relaxed)) note_first_open(fd, *file);
        found = describe(own_slot(fd), file, position > 0 ? static_cast<std::uint64_t>(position) : 0);
        if (found == nullptr) return nobody_knows;
        if (const long how = sys::flags(fd); how > 0) note_flags(fd, *found, how);
    } else if (fd <= 2 && !is_file) {
        if (!enter()) return nobody_knows;
        if (NameChunk* const file = file_of(stream_names[fd], {NameKind::stream}))
            found = describe(own_slot(fd), file, 0);
    }
    return settle_entry(fd, entry_of(found));
}

Description* adopt_with_pipes(int fd)
{
    if (in_borrowed_memory()) return nobody_knows;
    if (Description* const found = is_piped(fd) ? nullptr : adopt(fd); found != nullptr || !is_piped(fd))
        return found;
    if (!enter()) return nullptr;
    const NameChunk* const known = pipes.file.load(std::memory_order_acquire);
    if (known == nullptr || known->epoch != here.epoch) {
        NameChunk* const file = add_file(pipe_name, {NameKind::stream}, Arena::Room::reserve);
        if (file == nullptr) return missed(), nullptr;
        pipes.file.store(file, std::memory_order_release);
    }
    return &pipes;
}

Description* track(int fd, NameChunk* file, std::uint64_t position)
{
    Slot* const slot = own_slot(fd);
    Description* const one = describe(slot, file, position);
    if (one == nullptr) temporary::end(file);
    if (slot != nullptr) set_entry(*slot, one == nullptr ? unknown : entry_of(one));
    return one;
}

void begin_appending(int fd, Description& description)
{
    struct stat about {};
    if (sys::status(fd, about) != 0 || !S_ISREG(about.st_mode)) return;
    description.end.store(static_cast<std::uint64_t>(about.st_size), std::memory_order_relaxed);
    description.appends.store(true, std::memory_order_relaxed);
}

void note_flags(int fd, Description& description, long flags)
{
    if ((flags & O_APPEND) != 0) begin_appending(fd, description);
    if ((flags & O_DSYNC) != 0) description.synchronous.store(true, std::memory_order_relaxed);  // O_SYNC too
}

void do_not_track(int fd)
{
    set_entry(fd, untracked);
}

namespace {

// /dev/zero, /dev/null and their like, and disks: what such a descriptor is a copy of was opened by its path,
// and is left out. A terminal may well have been a standard stream all the time.
bool is_device_with_a_path(int fd)
{
    constexpr unsigned memory_devices = 1;
    struct stat about {};
    if (sys::status(fd, about) != 0) return false;
    return S_ISBLK(about.st_mode) || (S_ISCHR(about.st_mode) && major(about.st_rdev) == memory_devices);
}

bool is_left_out(int fd)
{
    const Slot* const slot = slot_of(fd);
    return slot != nullptr && slot->entry.load(std::memory_order_acquire) == untracked;
}

}  // namespace

void share(int from, int to)
{
    if (from == to || !is_descriptor(to) || in_borrowed_memory()) return;
    Description* const one = tracked(from);
    if (one != nullptr && add_user(*one)) return set_entry(to, entry_of(one));
    // It is looked at afresh: what it was copied from may be another file by now, or closed, and a pipe that
    // becomes a standard stream has its name.
    set_entry(to, is_left_out(from) && is_device_with_a_path(to) ? untracked : unknown);
}

Description* detach(int fd)
{
    Slot* const slot = in_borrowed_memory() ? nullptr : slot_of(fd);
    return slot == nullptr ? nullptr
                           : description_in(slot->entry.exchange(unknown, std::memory_order_acq_rel));
}

namespace {

[[gnu::noinline]] Description* detach_unknown(int fd, bool& contended)
{
    struct stat about {};
    const long error = sys::status(fd, about);
    if (error == -EBADF) contended = true;
    if (error != 0 || !S_ISREG(about.st_mode)) return nullptr;
    adopt(fd);
    Slot* const slot = slot_of(fd);
    const std::uintptr_t entry =
        slot == nullptr ? unknown : slot->entry.exchange(unknown, std::memory_order_acq_rel);
    contended = entry == unknown;
    return description_in(entry);
}

}  // namespace

Description* detach_to_close(int fd, bool& contended)
{
    if (in_borrowed_memory()) return nullptr;
    Slot* const slot = slot_of(fd);
    const std::uintptr_t entry = slot == nullptr ? unknown : one_step::exchange(slot->entry, unknown);
    return entry == unknown ? detach_unknown(fd, contended) : description_in(entry);
}

void note_unknown(int fd)
{
    struct stat about {};
    if (fd >= 0 && (sys::status(fd, about) != 0 || S_ISREG(about.st_mode))) miss_contended();
}

// Where this thread found no place, the look-up has counted the call as missed.
void miss_contended()
{
    if (here.epoch == guard.epoch.load(std::memory_order_relaxed)) missed();
}

void forget(int fd)
{
    if (Description* const one = detach(fd)) let_go(one);
}

void forget_range(unsigned from, unsigned to)
{
    for (unsigned fd = from; fd <= to && fd < most_descriptors; ++fd) {
        const Slot* const slot = slot_of(static_cast<int>(fd));
        if (slot == nullptr)
            fd |= block - 1;  // so is the rest of its block
        else if (slot->entry.load(std::memory_order_relaxed) != unknown)
            forget(static_cast<int>(fd));
    }
}

void let_go(Description* one)
{
    if (__builtin_expect(one->run.load(std::memory_order_relaxed) != nullptr, 0)) {
        one->run.store(nullptr, std::memory_order_relaxed);
        forget_streams();
    }
    NameChunk* const file = one->file.load(std::memory_order_relaxed);
    if (one_step::fetch_add(one->users, ~std::uint32_t{0}) != 1) return;
    if (one->number != 0) give_back_common_description(one);
    temporary::end(file);
}

}  // namespace fathom
