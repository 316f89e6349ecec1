// What a hooked call is, as a value: where it looks up its file, and what it adds to the counters. Each has
//   bool find()                      before the call: is it to be timed and counted?
//   void count(result, interval)     after a call that was found
//   void passed(result)              after a call that was not
// observe.h puts the three around the call.
#pragma once

#include <cstdint>
#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "libinterpose/pending/rings.h"
#include "libinterpose/recording/content.h"
#include "libinterpose/recording/failed_paths.h"
#include "libinterpose/recording/files.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/program_text.h"
#include "libinterpose/recording/recorder.h"
#include "libinterpose/recording/working_folder.h"
#include "libinterpose/system/sys.h"

namespace fathom {

struct Operation {
    template <class Result>
    void passed(Result) const
    {}
};

// A call that only changes what descriptors stand for.
struct NotCounted : Operation {
    static bool find() { return false; }
    template <class Result>
    void count(Result, Interval)
    {}
};

// A call on a descriptor: found when that is tracked.
struct OnDescriptor : Operation {
    int fd;
    Description* description = nullptr;
    bool is_unknown = false;  // not even whether it is a file's: not open yet, or others race for its number

    explicit OnDescriptor(int number) : fd(number) {}
    bool find()
    {
        Description* const found = look_up(fd);
        is_unknown = found == nobody_knows;
        description = is_unknown ? nullptr : found;
        return description != nullptr;
    }
    void passed(std::int64_t result) const
    {
        if (__builtin_expect(is_unknown, 0) && result >= 0) note_unknown(fd);
    }
    NameChunk* file() const { return description->file.load(std::memory_order_relaxed); }
    CountersOf<PosixCounters>* counters() const { return counters_of<PosixCounters>(file()); }
};

inline constexpr std::int64_t at_position = -1;

// A write to a description that appends: Linux lets it fall at the end of the file whatever offset it names.
// The end is what it was when the description began to append, and what its own writes and truncations made
// of it since. What moves it by other means is not seen: another open of the file, another process,
// fallocate. Asking the kernel at each write would cost more than all else.
void count_append(Description& description, const void* memory, std::int64_t offset, std::int64_t result,
                  Interval when);

// Reads and writes, at the descriptor's position or at an offset of their own.
template <class Side>
struct Transfer : OnDescriptor {
    const void* memory;
    std::int64_t offset;
    std::uint64_t room = ~std::uint64_t{0};  // of memory, where that is less than what was moved

    Transfer(int number, const void* buffer, std::int64_t at = at_position)
        : OnDescriptor(number), memory(buffer), offset(at)
    {}
    void count(std::int64_t result, Interval when)
    {
        if (appends()) return count_append(*description, memory, offset, result, when);
        if (offset >= 0 || result < 0) return count_at(static_cast<std::uint64_t>(offset), result, when);
        const auto n = static_cast<std::uint64_t>(result);
        count_at(description->position.fetch_add(n, std::memory_order_relaxed), result, when);
    }
    bool appends() const
    {
        return std::is_same_v<Side, WriteSide> &&
               __builtin_expect(description->appends.load(std::memory_order_relaxed), 0);
    }
    void count_at(std::uint64_t place, std::int64_t result, Interval when)
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (result < 0) return count_failure(*at, Side::time, when);
        const auto n = static_cast<std::uint64_t>(result);
        count_alignment(*at, place, memory);
        count_place<Side>(*at, place, n);
        if (content::is_due(at->counters, at->counters.*Side::calls + 1)) look(at->counters, n);
        count_transfer<Side>(*at, n, when, place);
        if (std::is_same_v<Side, WriteSide> &&
            __builtin_expect(description->synchronous.load(std::memory_order_relaxed), 0))
            count_synced(*at, when);
    }
    void look(Content& content, std::uint64_t n) const
    {
        if (description->file.load(std::memory_order_relaxed)->kind == NameKind::file)
            content::look(content, memory, std::min(n, room));
    }
    static void count_synced(CountersOf<PosixCounters>& at, Interval when)
    {
        ++at.counters.synced_writes;
        at.counters.synced_write_time += when.length();
    }
};
using Read = Transfer<ReadSide>;
using Write = Transfer<WriteSide>;

// Those that always name an offset: a negative one fails.
template <class Side>
struct TransferAt : Transfer<Side> {
    using Transfer<Side>::Transfer;
    void count(std::int64_t result, Interval when)
    {
        if (this->appends())
            return count_append(*this->description, this->memory, this->offset, result, when);
        this->count_at(static_cast<std::uint64_t>(this->offset), result, when);
    }
};
using ReadAt = TransferAt<ReadSide>;
using WriteAt = TransferAt<WriteSide>;

// The vectored forms. Memory of the program's is looked at only after a call that succeeded (before it, a bad
// pointer would be our fault rather than the kernel's EFAULT), and not where it may be gone by then: the data
// count as aligned.
template <class Side>
struct VectorTransfer : Transfer<Side> {
    const iovec* vector;

    VectorTransfer(int number, const iovec* pieces, std::int64_t at = at_position)
        : Transfer<Side>(number, nullptr, at), vector(pieces)
    {}
    void count(std::int64_t result, Interval when)
    {
        if (result > 0 && !ProgramText::may_be_gone(vector)) {
            this->memory = vector[0].iov_base;
            this->room = vector[0].iov_len;
        }
        Transfer<Side>::count(result, when);
    }
};
using ReadVector = VectorTransfer<ReadSide>;
using WriteVector = VectorTransfer<WriteSide>;

// pwritev2, which can be told to wait for the device.
struct WriteVectorFlags : WriteVector {
    int flags;

    WriteVectorFlags(int number, const iovec* pieces, std::int64_t at, int how)
        : WriteVector(number, pieces, at), flags(how)
    {}
    void count(std::int64_t result, Interval when)
    {
        WriteVector::count(result, when);
        if ((flags & (RWF_SYNC | RWF_DSYNC)) == 0 || result < 0 ||
            description->synchronous.load(std::memory_order_relaxed))
            return;
        if (auto* const at = counters()) count_synced(*at, when);
    }
};

// A message through a pipe without a name.
template <class Side>
[[gnu::noinline]] void count_message(const OnDescriptor& call, std::uint64_t n, Interval when)
{
    auto* const at = call.counters();
    if (at == nullptr) return;
    const std::size_t size_class = count_moved<Side>(*at, n, when, at->counters.*Side::time);
    note_times(*at, Side::kind, timings::sums_of(Side::kind), size_class, n, no_offset, when);
    // No burst: who waits for a message does no I/O.
    release_place(*here.thread);
}

// Those at the position that may be of a pipe without a name. What fails there is no message: it would wait,
// or nobody reads.
template <class Side, class Call>
struct OfPipeToo : Call {
    using Call::Call;
    bool find()
    {
        Description* const found = look_up_with_pipes(this->fd);
        this->is_unknown = found == nobody_knows;
        this->description = this->is_unknown ? nullptr : found;
        return this->description != nullptr;
    }
    void count(std::int64_t result, Interval when)
    {
        if (__builtin_expect(this->description == &pipes, 0)) {
            if (result >= 0) count_message<Side>(*this, static_cast<std::uint64_t>(result), when);
        } else {
            Call::count(result, when);
        }
    }
};
using ReadAny = OfPipeToo<ReadSide, Read>;
using WriteAny = OfPipeToo<WriteSide, Write>;
using ReadAnyVector = OfPipeToo<ReadSide, ReadVector>;
using WriteAnyVector = OfPipeToo<WriteSide, WriteVector>;

// copy_file_range, sendfile, splice: a read of one file and a write of another, half of the time each. Either
// may be untracked: of splice, one is a pipe. The offsets are those that the call takes and moves on, or
// nullptr for the descriptor's position, as they are where the kernel does not look at them.
struct CopyBetween : Operation {
    Read from;
    Write to;
    const off_t* from_end;
    const off_t* to_end;

    CopyBetween(int in, int out, const off_t* in_at, const off_t* out_at)
        : from(in, nullptr), to(out, nullptr), from_end(in_at), to_end(out_at)
    {}
    bool find()
    {
        const bool reads = from.find(), writes = to.find();
        return reads || writes;
    }
    void count(std::int64_t result, Interval when)
    {
        const std::uint64_t middle = when.start + when.length() / 2;
        if (result >= 0 && from_end != nullptr) from.offset = *from_end - result;
        if (result >= 0 && to_end != nullptr) to.offset = *to_end - result;
        if (from.description != nullptr)
            from.count(result, {when.start, middle});
        else
            from.passed(result);
        if (to.description != nullptr)
            to.count(result, {middle, when.end});
        else
            to.passed(result);
    }
    void passed(std::int64_t result) const
    {
        from.passed(result);
        to.passed(result);
    }
};

// What a descriptor was just opened for.
struct Opened {
    NameChunk* file = nullptr;   // nullptr: it is not recorded
    std::uint64_t position = 0;  // at which it begins
    bool created = false;        // the open made the file, or emptied it
    bool is_excluded = false;    // by its path; else there was no room for it, or nothing is recorded now
};
// Where there is no file: calls on the descriptor of an excluded one are left alone, others are counted or
// missed.
void leave_unopened(int fd, const Opened& opened);
Opened look_at_opened(int fd, int folder, const char* path, int flags);

// open, openat, creat: makes the file known.
struct Open : Operation {
    static constexpr bool path_stays = true;

    int folder;
    const char* path;
    int flags;

    Open(int in, const char* name, int how) : folder(in), path(name), flags(how) {}
    bool find() const { return true; }
    void count(std::int64_t result, Interval when) const;
};

// The call itself completes the name: mkstemp and its kin.
template <class Call>
struct MakesName : Call {
    using Call::Call;
    static constexpr bool path_stays = false;
};

// What was opened without a name of its own (O_TMPFILE, by a handle) has the one that the kernel gives it.
void count_nameless(int fd, int flags, Interval when);

// A call that names its file by path and returns a negative number if it fails: stat, unlink, rename, chmod.
struct OnPath : Operation {
    static constexpr bool path_stays = true;

    int folder;
    const char* path;
    std::uint64_t PosixCounters::*counter;
    Kind kind;                   // of the counter: found here, where the compiler knows it
    const struct stat* about;    // what the call has found out; nullptr: nothing
    const struct statx* aboutx;  // the same

    OnPath(int in, const char* name, std::uint64_t PosixCounters::*what, const struct stat* found = nullptr)
        : folder(in), path(name), counter(what), kind(kind_of(what)), about(found), aboutx(nullptr)
    {}
    OnPath(int in, const char* name, std::uint64_t PosixCounters::*what, const struct statx* found)
        : folder(in), path(name), counter(what), kind(kind_of(what)), about(nullptr), aboutx(found)
    {}
    bool find() const { return true; }
    void count(std::int64_t result, Interval when) const;
    // Of what it has found out: kind, device and size of blocks. False where that is not known.
    bool found_out(struct stat& to) const;
};

// To what name a file goes tells whether one is replaced again and again, or many are made under one name.
struct RenameTo : OnPath {
    const char* to;

    RenameTo(int in, const char* from, const char* other)
        : OnPath(in, from, &PosixCounters::renames), to(other)
    {}
    void count(std::int64_t result, Interval when) const;
};

// The same where the kernel may not have looked at the path at all: of two, it gives up at the first one;
// where there is nothing to set, it sets nothing.
struct OnPathUnread : OnPath {
    using OnPath::OnPath;
    void count(std::int64_t result, Interval when) const
    {
        if (is_readable(path)) OnPath::count(result, when);
    }
};

// What unlinkat does with these flags.
constexpr std::uint64_t PosixCounters::*removed_by(int flags)
{
    return (flags & AT_REMOVEDIR) != 0 ? &PosixCounters::directory_changes : &PosixCounters::unlinks;
}

// Some calls take no path as one to the descriptor that otherwise is the folder.
inline const char* path_or_itself(const char* path)
{
    return path == nullptr ? "" : path;
}

// shm_open and shm_unlink name files below /dev/shm.
struct OpenSharedMemory : Operation {
    const char* name;
    int flags;

    OpenSharedMemory(const char* what, int how) : name(what), flags(how) {}
    bool find() const { return true; }
    void count(int fd, Interval when) const;
};

struct UnlinkSharedMemory : Operation {
    const char* name;

    explicit UnlinkSharedMemory(const char* what) : name(what) {}
    bool find() const { return true; }
    void count(int result, Interval when) const;
};

// A metadata call on a descriptor, counted as such: fstat, ftruncate, lseek (below), fallocate.
struct OnFile : OnDescriptor {
    std::uint64_t PosixCounters::*counter;

    OnFile(int number, std::uint64_t PosixCounters::*what) : OnDescriptor(number), counter(what) {}
    void count(std::int64_t result, Interval when, std::uint64_t offset = no_offset) const
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (result < 0) return count_failure(*at, &Transfers::metadata_time, when);
        ++(at->counters.*counter);
        count_metadata(*at, kind_of(counter), when, offset);
    }
};

// The calls that return an error number, or a pointer, instead of -1.
template <class Call>
struct ReturnsError : Call {
    using Call::Call;
    void count(int error, Interval when) const { Call::count(error == 0 ? 0 : -1, when); }
    void passed(int error) const { Call::passed(error == 0 ? 0 : -1); }
};
template <class Call>
struct ReturnsPointer : Call {
    using Call::Call;
    void count(const void* result, Interval when) const { Call::count(result == nullptr ? -1 : 0, when); }
    void passed(const void* result) const { Call::passed(result == nullptr ? -1 : 0); }
};

struct Advise : OnFile {
    int advice;

    Advise(int number, int what) : OnFile(number, &PosixCounters::advices), advice(what) {}
    void count(std::int64_t result, Interval when) const
    {
        if (result >= 0 && advice == POSIX_FADV_RANDOM)
            if (auto* const at = counters()) ++at->counters.random_advices;
        OnFile::count(result, when);
    }
};

// Only what a thread sleeps between two calls by the same path is noted.
struct Sleep : Operation {
    int watched;  // descriptors that it waits for as well: then it is no sleep

    explicit Sleep(int descriptors = 0) : watched(descriptors) {}
    bool find() const
    {
        if (watched != 0 || !polled.is_last()) return false;
        if (polled.slept == 0) polled.asleep = sys::wall_clock();
        return true;
    }
    template <class Result>
    static void count(Result, Interval when)
    {
        if (polled.is_last()) polled.slept += when.length();
    }
};

struct Truncate : OnFile {
    std::int64_t size;

    Truncate(int number, std::int64_t to) : OnFile(number, &PosixCounters::truncates), size(to) {}
    void count(std::int64_t result, Interval when) const
    {
        if (result >= 0) description->end.store(static_cast<std::uint64_t>(size), std::memory_order_relaxed);
        OnFile::count(result, when, static_cast<std::uint64_t>(size));
    }
};

struct Seek : OnFile {
    explicit Seek(int number) : OnFile(number, &PosixCounters::seeks) {}
    void count(std::int64_t result, Interval when) const
    {
        if (result >= 0)
            description->position.store(static_cast<std::uint64_t>(result), std::memory_order_relaxed);
        OnFile::count(result, when, static_cast<std::uint64_t>(result));
    }
};

// fsync and its like: their time is time in writes.
struct Sync : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    void count(std::int64_t result, Interval when) const
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (result < 0) return count_failure(*at, &Transfers::write_time, when);
        count_sync(*at, when);
    }
};

// The descriptor is detached before the call: once it is closed, another thread may be given its number.
struct Close : OnDescriptor {
    bool contended = false;

    using OnDescriptor::OnDescriptor;
    bool find()
    {
        if (__builtin_expect(rings::any_raw(), 0)) rings::count_unseen();
        return (description = detach_to_close(fd, contended)) != nullptr;
    }
    void passed(std::int64_t result) const
    {
        if (result >= 0 && contended) miss_contended();
    }
    void count(std::int64_t result, Interval when) const
    {
        if (auto* const at = counters()) {
            if (result < 0)
                count_failure(*at, &Transfers::metadata_time, when);
            else
                count_close(*at, when);
        }
        let_go(description);
    }
};

// close_range: the files' closes are not counted one by one. With CLOSE_RANGE_CLOEXEC nothing is closed yet.
struct CloseRange : NotCounted {
    unsigned first, last;
    bool closes;

    CloseRange(unsigned from, unsigned to, int flags)
        : first(from), last(to), closes((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) == 0)
    {}
    void passed(std::int64_t result) const
    {
        if (result == 0 && closes) forget_range(first, last);
    }
};

// dup, dup2, dup3, fcntl(F_DUPFD). The target of dup2 is closed by the kernel without a call of its own.
struct Duplicate : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    // What a child of vfork does on its way to exec is not counted.
    void passed(std::int64_t result) const
    {
        if (result < 0) return;
        if (!in_borrowed_memory()) OnDescriptor::passed(result);
        share(fd, static_cast<int>(result));
    }
    void count(std::int64_t result, Interval when) const
    {
        auto* const at = counters();
        if (result >= 0) share(fd, static_cast<int>(result));
        if (at == nullptr) return;
        if (result < 0) return count_failure(*at, &Transfers::metadata_time, when);
        ++at->counters.dups;
        count_metadata(*at, Kind::dup, when);
    }
};

// daemon, login_tty, forkpty: 0 where the standard streams are other files from now on, which libc has put
// there itself.
struct ReplacesStreams : NotCounted {
    static void passed(int result)
    {
        constexpr int standard_streams = 3;
        for (int fd = 0; result == 0 && fd < standard_streams; ++fd) forget(fd);
    }
};

// Calls after which relative paths may mean something else. libc's fts functions move about as they walk.
struct ChangesFolder : NotCounted {
    template <class Result>
    void passed(Result) const
    {
        working_folder_changed();
    }
};

// nftw moves about while it calls back.
struct WalksFolders : NotCounted {
    static bool find()
    {
        working_folder_moves();
        return false;
    }
    void passed(int) const { working_folder_rests(); }
};

struct Unshare : NotCounted {
    int flags;

    explicit Unshare(int what) : flags(what) {}
    void passed(std::int64_t result) const
    {
        if (result == 0 && (flags & CLONE_FS) != 0) working_folder_is_each_threads_own();
    }
};

// Any other call on a descriptor that takes time: its counters have no column of its own, the time is
// metadata time.
struct OtherOnFile : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    void count(std::int64_t result, Interval when) const
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (result < 0) return count_failure(*at, &Transfers::metadata_time, when);
        count_metadata(*at, Kind::other, when);
    }
};

}  // namespace fathom
