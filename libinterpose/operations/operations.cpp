// The operations that look names up.
#include "libinterpose/operations/operations.h"

#include <sys/sysmacros.h>

#include "libinterpose/recording/failed_paths.h"
#include "libinterpose/recording/further_files.h"
#include "libinterpose/recording/known_paths.h"
#include "libinterpose/recording/layouts.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

FileTraits traits_of(const struct stat& about)
{
    if (S_ISDIR(about.st_mode)) return {NameKind::directory};
    if (S_ISREG(about.st_mode))
        return {NameKind::file, static_cast<std::uint64_t>(about.st_blksize), device_of(about)};
    if (S_ISLNK(about.st_mode)) return {NameKind::file, 0, device_of(about)};  // mostly its target's, too
    return {NameKind::device};
}

// Runs count(path) with the path that a name of shared memory stands for.
template <class Count>
void with_shared_memory_path(const char* name, Count count)
{
    const ProgramText text(name);
    const PathScratch path;
    if (!path || text.is_gone()) return missed();
    *path << "/dev/shm/" << std::string_view(text.c_str());
    count(path->c_str());
}

}  // namespace

void count_append(Description& description, const void* memory, std::int64_t offset, std::int64_t result,
                  Interval when)
{
    Write write(-1, memory);
    write.description = &description;
    if (result < 0) return write.count_at(0, result, when);
    const auto n = static_cast<std::uint64_t>(result);
    const std::uint64_t place = description.end.fetch_add(n, std::memory_order_relaxed);
    if (offset == at_position) description.position.store(place + n, std::memory_order_relaxed);
    write.count_at(place, result, when);
}

namespace {

// Whether an open with O_CREAT or O_TRUNC made the file or emptied it. `seemed_new`: this process had not
// known it, and it is empty.
bool was_created(NameChunk& file, int flags, bool seemed_new)
{
    if (file.kind != NameKind::file && file.kind != NameKind::overflow) return false;
    const bool was_removed = file.removed.load(std::memory_order_relaxed);
    const bool may_make = (flags & (O_CREAT | O_PATH)) == O_CREAT;
    if (may_make && was_removed) file.removed.store(false, std::memory_order_relaxed);
    return always_creates(flags) || (may_make && (seemed_new || was_removed));
}

// What an open that can only have made a file (O_EXCL) found out about it holds for others that are made in
// the same folder: they lie where that lies.
struct MadeIn {
    std::uint64_t folder = 0;  // its id; 0: none
    FileTraits traits;
};
thread_local constinit MadeIn made_in __attribute__((tls_model("initial-exec"))) = {};

constexpr bool is_always_new(int flags)
{
    constexpr int only_new = O_CREAT | O_EXCL;
    return (flags & (only_new | O_PATH)) == only_new;
}

// The traits of a file that was just opened. False: it is closed already. `is_empty`: a file, without bytes.
bool find_traits(int fd, std::string_view path, int flags, FileTraits& traits, bool& is_empty)
{
    const bool is_new = is_always_new(flags);
    const std::uint64_t folder = is_new ? path_id(folder_of(path)) : 0;
    if (is_new && made_in.folder == folder) {
        traits = made_in.traits;
        return is_empty = true;
    }
    struct stat about {};
    if (sys::status(fd, about) != 0) return false;
    traits = traits_of(about);
    is_empty = S_ISREG(about.st_mode) && about.st_size == 0;
    if (is_new && traits.kind == NameKind::file) made_in = {folder, traits};
    return true;
}

// The id of the last file without room of which this thread learned that it is no folder; 0: none.
thread_local constinit std::uint64_t no_folder __attribute__((tls_model("initial-exec"))) = 0;

// Whether the kernel has to be asked about a file for which there is no room: a folder's name is kept all the
// same, and of a file that the open may have made it counts whether it has bytes.
bool is_asked_about(std::uint64_t id, int flags)
{
    const bool may_be_made = (flags & O_CREAT) != 0, may_be_folder = (flags & O_ACCMODE) == O_RDONLY;
    if (may_be_made) return !always_creates(flags);
    return may_be_folder && no_folder != id;
}

// A file that is not known here.
NameChunk* new_opened(int fd, std::string_view path, std::uint64_t id, int flags, bool& seems_new)
{
    const bool has_room = arena.has_room(sizeof(NameChunk) + path.size());
    FileTraits traits;
    if ((has_room || is_asked_about(id, flags)) && !find_traits(fd, path, flags, traits, seems_new))
        return nullptr;
    if (has_room || traits.kind != NameKind::file) return file_of(path, id, traits);
    NameChunk* const for_now = temporary::begin(path, id, traits);
    return for_now != nullptr ? for_now : further_file(path, id);
}

[[gnu::noinline]] void was_opened_after_all(NameChunk& file)
{
    if (file.not_opened.exchange(false, std::memory_order_relaxed) && file.epoch == here.epoch)
        arena.header().not_opened.fetch_sub(1, std::memory_order_relaxed);
}

// Of a path that is not remembered. `seems_new`: this process had not known the file, and it is empty.
[[gnu::noinline]] Opened look_at_new(int fd, int folder, const char* path, int flags, bool& seems_new)
{
    const AbsolutePath absolute(folder, path);
    if (!absolute) return missed(), Opened{};
    if (is_excluded(absolute.view())) return {.is_excluded = true};
    if (!enter()) return {};
    const std::uint64_t id = path_id(absolute.view());
    NameChunk* file = files::find(id, absolute.view());
    if (file == nullptr) file = new_opened(fd, absolute.view(), id, flags, seems_new);
    if (file == nullptr) return missed(), Opened{};
    if (!temporary::is_temporary(*file)) known_paths::note(path, *file);
    return {.file = file};
}

}  // namespace

Opened look_at_opened(int fd, int folder, const char* path, int flags)
{
    Opened opened{.file = known_paths::find(path, folder == AT_FDCWD)};
    bool seemed_new = false;
    if (opened.file == nullptr) {
        opened = look_at_new(fd, folder, path, flags, seemed_new);
        if (opened.file == nullptr) return opened;
    }
    if ((flags & O_APPEND) != 0 && (flags & O_ACCMODE) == O_WRONLY) {
        struct stat about {};
        if (sys::status(fd, about) != 0) return missed(), Opened{};
        opened.position = static_cast<std::uint64_t>(about.st_size);
    }
    NameChunk& file = *opened.file;
    if ((flags & (O_CREAT | O_TRUNC)) != 0) opened.created = was_created(file, flags, seemed_new);
    if (!file.opened.load(std::memory_order_relaxed)) {
        if (file.not_opened.load(std::memory_order_relaxed)) was_opened_after_all(file);
        note_first_open(fd, file);
    }
    return opened;
}

void leave_unopened(int fd, const Opened& opened)
{
    if (opened.is_excluded)
        do_not_track(fd);
    else
        forget(fd);
}

namespace {

inline Description* count_opened(const Open& open, int fd, Interval when)
{
    const Opened opened = look_at_opened(fd, open.folder, open.path, open.flags);
    if (opened.file == nullptr) return leave_unopened(fd, opened), nullptr;
    Description* const description = track(fd, opened.file, opened.position);
    if (auto* const at = counters_of<PosixCounters>(opened.file)) {
        at->counters.creates += opened.created;
        count_open(*at, when);
    }
    return description;
}

[[gnu::noinline]] void count_unusual(const Open& open, int fd, Interval when)
{
    if ((open.flags & O_TMPFILE) == O_TMPFILE) return count_nameless(fd, open.flags, when);
    Description* const description = count_opened(open, fd, when);
    if (description != nullptr) note_flags(fd, *description, open.flags);
}

}  // namespace

void Open::count(std::int64_t result, Interval when) const
{
    constexpr int unusual = O_APPEND | O_DSYNC | (O_TMPFILE & ~O_DIRECTORY);
    const ProgramText name(path);
    if (name.is_gone()) return result < 0 ? missed() : (missed(), forget(static_cast<int>(result)));
    if (result < 0) return count_failed_call(folder, name.c_str(), when);
    note_asked(folder, name.c_str(), false);
    const Open named(folder, name.c_str(), flags);
    if (__builtin_expect((flags & unusual) != 0, 0))
        return count_unusual(named, static_cast<int>(result), when);
    count_opened(named, static_cast<int>(result), when);
}

void count_nameless(int fd, int flags, Interval when)
{
    const PathScratch path;
    if (!path || !path_of_descriptor(fd, *path)) return missed(), do_not_track(fd);
    const bool is_new = (flags & O_TMPFILE) == O_TMPFILE;
    Open(AT_FDCWD, path->c_str(), is_new ? (flags & ~O_TMPFILE) | O_CREAT | O_EXCL : flags).count(fd, when);
}

namespace {

FileTraits traits_of_path(const OnPath& call, const AbsolutePath& path, const struct stat* known)
{
    if (known != nullptr) return traits_of(*known);
    struct stat about {};
    if (sys::link_status(path.c_str(), about) == 0) return traits_of(about);
    // What rmdir has removed was a folder.
    const bool folder = call.counter == &PosixCounters::directory_changes;
    return {folder ? NameKind::directory : NameKind::file};
}

NameChunk* new_file(const OnPath& call, const AbsolutePath& path, std::uint64_t id)
{
    struct stat about {};
    const struct stat* const known = call.found_out(about) ? &about : nullptr;
    const bool is_folder =
        known != nullptr ? S_ISDIR(known->st_mode) : call.counter == &PosixCounters::directory_changes;
    if (!is_folder) {
        const bool is_further = !arena.has_room(sizeof(NameChunk) + path.view().size());
        if (known != nullptr) no_folder = id;
        if (is_one_of_many(id)) return file_by_path(path.view(), id);
        if (is_further) return further_file(path.view(), id);
    }
    const FileTraits traits = traits_of_path(call, path, known);
    NameChunk* const file = file_of(path.view(), id, traits);
    if (file == nullptr || traits.kind == NameKind::directory || file->kind == NameKind::overflow)
        return file;
    if (!file->not_opened.exchange(true, std::memory_order_relaxed))
        arena.header().not_opened.fetch_add(1, std::memory_order_relaxed);
    return file;
}

// The file of a path that is not remembered; nullptr where it is not recorded.
[[gnu::noinline]] NameChunk* look_up_new(const OnPath& call, const char* path)
{
    const AbsolutePath absolute(call.folder, path);
    if (!absolute) return missed(), nullptr;
    if (is_excluded(absolute.view()) || !enter()) return nullptr;
    const std::uint64_t id = path_id(absolute.view());
    NameChunk* file = files::find(id, absolute.view());
    if (file == nullptr) file = new_file(call, absolute, id);
    if (file != nullptr && file->kind != NameKind::by_path) known_paths::note(path, *file);
    return file;
}

// With what the call says of its file and its counters besides.
template <class Also>
void count_on_path(const OnPath& call, std::int64_t result, Interval when, Also also)
{
    const ProgramText name(call.path);
    if (name.is_gone()) return missed();
    if (result < 0) return count_failed_call(call.folder, name.c_str(), when);
    note_asked(call.folder, name.c_str(), false);
    NameChunk* file = known_paths::find(name.c_str(), call.folder == AT_FDCWD);
    if (file == nullptr) file = look_up_new(call, name.c_str());
    if (file == nullptr) return;
    if (call.counter == &PosixCounters::unlinks || call.counter == &PosixCounters::renames)
        file->removed.store(true, std::memory_order_relaxed);
    if (auto* const at = counters_of<PosixCounters>(file)) {
        ++(at->counters.*call.counter);
        also(*file, at->counters);
        count_metadata(*at, call.kind, when);
    }
}

}  // namespace

bool OnPath::found_out(struct stat& to) const
{
    if (about != nullptr) {
        if (ProgramText::may_be_gone(about)) return false;
        to = *about;
        return true;
    }
    if (aboutx == nullptr || ProgramText::may_be_gone(aboutx) || (aboutx->stx_mask & STATX_TYPE) == 0)
        return false;
    to.st_mode = aboutx->stx_mode;
    to.st_blksize = aboutx->stx_blksize;
    to.st_dev = makedev(aboutx->stx_dev_major, aboutx->stx_dev_minor);
    return true;
}

[[gnu::flatten]] void OnPath::count(std::int64_t result, Interval when) const
{
    count_on_path(*this, result, when, [](NameChunk&, PosixCounters&) {});
}

void RenameTo::count(std::int64_t result, Interval when) const
{
    count_on_path(*this, result, when, [this](NameChunk& file, PosixCounters& counters) {
        const ProgramText name(to);
        if (name.is_gone()) return;
        const auto now = static_cast<std::uint32_t>(path_id(name.c_str())) | 1,
                   before = file.renamed_to.exchange(now, std::memory_order_relaxed);
        if (before != 0 && before != now) ++counters.renames_elsewhere;
    });
}

void OpenSharedMemory::count(int fd, Interval when) const
{
    with_shared_memory_path(name, [&](const char* path) { Open(AT_FDCWD, path, flags).count(fd, when); });
}

void UnlinkSharedMemory::count(int result, Interval when) const
{
    with_shared_memory_path(
        name, [&](const char* path) { OnPath(AT_FDCWD, path, &PosixCounters::unlinks).count(result, when); });
}

}  // namespace fathom
