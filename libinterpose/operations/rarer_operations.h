// Rarer calls as values: opening by other means, directories, locks, fcntl, vmsplice; see operations.h.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>

#include "libinterpose/operations/operations.h"

namespace fathom {

// openat2 has its flags in the program's memory.
struct OpenHow : Open {
    const open_how* how;

    OpenHow(int in, const char* name, const open_how* what) : Open(in, name, 0), how(what) {}
    void count(std::int64_t result, Interval when)
    {
        if (result < 0) return count_failed(when);
        flags = static_cast<int>(how->flags);
        if ((how->resolve & RESOLVE_IN_ROOT) != 0)  // the kernel knows which file that was
            return count_nameless(static_cast<int>(result), flags, when);
        Open::count(result, when);
    }
    // What its path is below is not known: that `how` could be read is not, either.
    void count_failed(Interval when) const;
};

struct OpenByHandle : Operation {
    int flags;

    explicit OpenByHandle(int how) : flags(how) {}
    static bool find() { return true; }
    void count(std::int64_t result, Interval when) const
    {
        if (result < 0) return count_unopened(when);
        count_nameless(static_cast<int>(result), flags, when);
    }
};

inline int descriptor_of(DIR* folder)
{
    return folder == nullptr ? -1 : dirfd(folder);
}

struct OpenFolder : Open {
    explicit OpenFolder(const char* name) : Open(AT_FDCWD, name, O_RDONLY | O_DIRECTORY) {}
    void count(DIR* opened, Interval when) const { Open::count(descriptor_of(opened), when); }
};

// The end of a directory and an error look alike but for errno, which the program may have set before: both
// are reads.
struct ReadFolder : OnFile {
    explicit ReadFolder(DIR* folder) : OnFile(descriptor_of(folder), &PosixCounters::directory_reads) {}
    void count(const void*, Interval when) const { OnFile::count(0, when); }
    void passed(const void* entry) const { OnFile::passed(entry == nullptr ? -1 : 0); }
};

struct Lock : OnDescriptor {
    using OnDescriptor::OnDescriptor;
    void count(std::int64_t result, Interval when) const
    {
        auto* const at = counters();
        if (at == nullptr) return;
        if (__builtin_expect(polled.slept != 0, 0)) note_lock_asked_again(*file(), result < 0);
        at->counters.lock_time += when.length();
        if (result < 0) {
            count_failure(*at, &Transfers::metadata_time, when);
            // errno is still the call's.
            if (errno == EAGAIN || errno == EACCES) note_refused_lock(*file(), when);
            return;
        }
        ++at->counters.locks;
        count_metadata(*at, Kind::lock, when);
    }
};

// vmsplice: memory goes into a pipe, or a pipe's content to memory. Of pipes, the standard streams are
// recorded.
struct SpliceMemory : ReadVector {
    using ReadVector::ReadVector;
    void count(std::int64_t result, Interval when)
    {
        if (!is_for_writing(fd)) return ReadVector::count(result, when);
        WriteVector out(fd, vector);
        out.description = description;
        out.count(result, when);
    }
    static bool is_for_writing(int fd);
};

// fcntl: some of what it does concerns us.
struct Control : OnDescriptor {
    int command;
    long argument;

    Control(int number, int what, long with) : OnDescriptor(number), command(what), argument(with) {}
    bool duplicates() const { return command == F_DUPFD || command == F_DUPFD_CLOEXEC; }
    bool locks() const
    {
        switch (command) {
            case F_GETLK:
            case F_SETLK:
            case F_SETLKW:
            case F_OFD_GETLK:
            case F_OFD_SETLK:
            case F_OFD_SETLKW:
                return true;
            default:
                return false;
        }
    }
    template <class Call>
    Call as() const
    {
        Call call(fd);
        static_cast<OnDescriptor&>(call) = *this;
        return call;
    }
    bool find() { return (duplicates() || locks()) && OnDescriptor::find(); }
    void passed(std::int64_t result) const;
    void count(std::int64_t result, Interval when) const;
};

}  // namespace fathom
