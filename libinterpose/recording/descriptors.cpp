// The table of descriptors and their descriptions: static memory, of which the kernel gives only what
// is touched.
#include "libinterpose/recording/descriptors.h"

#include <cerrno>

#include "libinterpose/recording/files.h"
#include "libinterpose/recording/layouts.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/settings.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace descriptor_table {

constinit std::array<Slot, 2 * most_descriptors> slots{};

}  // namespace descriptor_table

namespace {

using namespace descriptor_table;

// Descriptions past the descriptors' own: those from here on were never used.
constinit std::atomic<std::uint32_t> fresh{most_descriptors};
// Head of the list of those that are free again; the upper half counts changes, so that a head that came back
// is noticed.
constinit std::atomic<std::uint64_t> free_list{0};

Slot& slot_of(int fd)
{
    return slots[static_cast<std::uint32_t>(fd)];
}

std::uint32_t index_of(const Description* one)
{
    return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(one) -
                                      reinterpret_cast<const std::byte*>(&slots[0].description)) /
           static_cast<std::uint32_t>(sizeof(Slot));
}

Description* take_common_description()
{
    std::uint64_t head = free_list.load(std::memory_order_acquire);
    while (static_cast<std::uint32_t>(head) != 0) {
        Description& one = slots[static_cast<std::uint32_t>(head)].description;
        const std::uint64_t next = (((head >> 32) + 1) << 32) | one.next_free.load(std::memory_order_relaxed);
        if (free_list.compare_exchange_weak(head, next, std::memory_order_acq_rel)) return &one;
    }
    if (fresh.load(std::memory_order_relaxed) >= slots.size()) return nullptr;
    const std::uint32_t at = fresh.fetch_add(1, std::memory_order_relaxed);
    return at < slots.size() ? &slots[at].description : nullptr;
}

void give_back_common_description(Description* one)
{
    std::uint64_t head = free_list.load(std::memory_order_relaxed);
    std::uint64_t mine = 0;
    do {
        one->next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
        mine = (((head >> 32) + 1) << 32) | index_of(one);
    } while (!free_list.compare_exchange_weak(head, mine, std::memory_order_acq_rel));
}

// With one user. The descriptor's own is taken unless a duplicate of an earlier descriptor still needs it.
Description* new_description(int fd)
{
    Description& own = slot_of(fd).description;
    std::uint32_t nobody = 0;
    if (own.users.compare_exchange_strong(nobody, 1, std::memory_order_acq_rel)) return &own;
    Description* const common = take_common_description();
    if (common != nullptr) common->users.store(1, std::memory_order_relaxed);
    return common;
}

bool is_descriptor(int fd)
{
    return static_cast<std::uint32_t>(fd) < most_descriptors;
}

// The table describes this process's descriptors, not those of a child that only borrows its memory.
void set_entry(int fd, std::uint32_t value)
{
    if (!is_descriptor(fd) || in_borrowed_memory()) return;
    const std::uint32_t before = slot_of(fd).entry.exchange(value, std::memory_order_acq_rel);
    if (before >= first) let_go(&slots[before - first].description);  // closed behind our back
}

// The same of what was looked up rather than opened. Another thread may have opened or closed this number
// since: what it says stands. Returns the description that the descriptor has now.
Description* settle_entry(int fd, std::uint32_t value)
{
    if (!is_descriptor(fd) || in_borrowed_memory()) return nullptr;
    std::uint32_t now = unknown;
    if (slot_of(fd).entry.compare_exchange_strong(now, value, std::memory_order_acq_rel))
        now = value;
    else if (value >= first)
        let_go(&slots[value - first].description);
    return now >= first ? &slots[now - first].description : nullptr;
}

bool is_untracked(int fd)
{
    return is_descriptor(fd) && slot_of(fd).entry.load(std::memory_order_relaxed) == untracked;
}

// False: another thread has just closed the last descriptor, and the description is free or about to be.
bool add_user(Description& one)
{
    std::uint32_t users = one.users.load(std::memory_order_relaxed);
    while (users != 0)
        if (one.users.compare_exchange_weak(users, users + 1, std::memory_order_relaxed)) return true;
    return false;
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

// A description that no descriptor has yet. nullptr where there is no room.
Description* describe(int fd, NameChunk* file, std::uint64_t position)
{
    Description* const one = is_descriptor(fd) && !in_borrowed_memory() ? new_description(fd) : nullptr;
    if (one == nullptr) return missed(), nullptr;
    one->file.store(file, std::memory_order_relaxed);
    one->position.store(position, std::memory_order_relaxed);
    one->stream_position.store(position, std::memory_order_relaxed);
    one->used_in_place.store(false, std::memory_order_relaxed);
    one->appends.store(false, std::memory_order_relaxed);
    return one;
}

}  // namespace

Description* adopt(int fd)
{
    struct stat about {};
    if (sys::status(fd, about) != 0) return nullptr;  // not open: nothing to remember
    const PathScratch scratch;
    if (!scratch) return missed(), nullptr;
    PathText& path = *scratch;
    Description* found = nullptr;
    if (S_ISREG(about.st_mode) && path_of_descriptor(fd, path) && !is_excluded(path.view()) &&
        !path.view().starts_with("/memfd:")) {
        if (!enter()) return nullptr;
        const long position = sys::seek(fd, 0, SEEK_CUR);
        NameChunk* const file =
            file_of(path.view(), {fd <= 2 && is_stream_of_job(about) ? NameKind::stream : NameKind::file,
                                  static_cast<std::uint64_t>(about.st_blksize), device_of(about)});
        if (file != nullptr && !file->opened.load(std::memory_order_relaxed)) note_first_open(fd, *file);
        if (file != nullptr)
            found = describe(fd, file, position > 0 ? static_cast<std::uint64_t>(position) : 0);
        const long how = sys::flags(fd);
        if (found != nullptr && how > 0 && (how & O_APPEND) != 0) begin_appending(fd, *found);
    } else if (fd <= 2 && !S_ISREG(about.st_mode)) {
        if (!enter()) return nullptr;
        if (NameChunk* const file = file_of(stream_names[fd], {NameKind::stream}))
            found = describe(fd, file, 0);
    }
    return settle_entry(fd, found != nullptr ? first + index_of(found) : untracked);
}

Description* track(int fd, NameChunk* file, std::uint64_t position)
{
    Description* const one = describe(fd, file, position);
    set_entry(fd, one != nullptr ? first + index_of(one) : untracked);
    return one;
}

void begin_appending(int fd, Description& description)
{
    struct stat about {};
    if (sys::status(fd, about) != 0 || !S_ISREG(about.st_mode)) return;
    description.end.store(static_cast<std::uint64_t>(about.st_size), std::memory_order_relaxed);
    description.appends.store(true, std::memory_order_relaxed);
}

void do_not_track(int fd)
{
    set_entry(fd, untracked);
}

void share(int from, int to)
{
    if (from == to || !is_descriptor(to) || in_borrowed_memory()) return;
    Description* const one = tracked(from);
    if (one != nullptr && add_user(*one)) return set_entry(to, first + index_of(one));
    // A pipe that becomes a standard stream is looked at afresh, under that name; so is the copy of a
    // descriptor that another thread has closed since.
    set_entry(to, to > 2 && is_untracked(from) ? untracked : unknown);
}

Description* detach(int fd)
{
    if (!is_descriptor(fd) || in_borrowed_memory()) return nullptr;
    const std::uint32_t before = slot_of(fd).entry.exchange(unknown, std::memory_order_acq_rel);
    return before >= first ? &slots[before - first].description : nullptr;
}

void forget(int fd)
{
    if (Description* const one = detach(fd)) let_go(one);
}

void forget_range(unsigned from, unsigned to)
{
    for (unsigned fd = from; fd <= to && fd < most_descriptors; ++fd)
        if (slots[fd].entry.load(std::memory_order_relaxed) != unknown) forget(static_cast<int>(fd));
}

void let_go(Description* one)
{
    if (one->users.fetch_sub(1, std::memory_order_acq_rel) == 1 && index_of(one) >= most_descriptors)
        give_back_common_description(one);
}

}  // namespace fathom
