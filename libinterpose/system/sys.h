// System calls that leave errno alone and are nobody's hook: the only way in which the library talks to the
// kernel. Each returns what the kernel returned; failures are negative error numbers.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <span>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>

#if !defined(__x86_64__)
#error "system calls are written for x86-64; add this processor's convention here"
#endif

namespace fathom::sys {

// How many confinements (confinement.h) forbid calls to us.
inline constinit std::atomic<int> forbidding{0};
inline bool forbidden()
{
    return __builtin_expect(forbidding.load(std::memory_order_relaxed) > 0, 0);
}
inline void forbid(int one = 1)
{
    forbidding.fetch_add(one, std::memory_order_relaxed);
}

inline long call_in_any_case(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                             long f = 0)
{
    long result = 0;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0)
{
    return forbidden() ? -EPERM : call_in_any_case(number, a, b, c, d, e, f);
}

inline long address(const void* at)
{
    return reinterpret_cast<long>(at);
}

inline int open(const char* path, int flags, unsigned mode = 0600)
{
    return static_cast<int>(call(SYS_openat, AT_FDCWD, address(path), flags | O_CLOEXEC, mode));
}
inline long read(int fd, void* to, std::size_t n)
{
    return call(SYS_read, fd, address(to), static_cast<long>(n));
}
inline long write(int fd, const void* from, std::size_t n)
{
    return call(SYS_write, fd, address(from), static_cast<long>(n));
}
inline bool write_whole(int fd, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const long written = write(fd, bytes.data(), bytes.size());
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}
inline void close(int fd)
{
    call(SYS_close, fd);
}
inline long unlink(const char* path)
{
    return call(SYS_unlink, address(path));
}
inline long rename(const char* from, const char* to)
{
    return call(SYS_rename, address(from), address(to));
}
inline long truncate(int fd, std::size_t size)
{
    return call(SYS_ftruncate, fd, static_cast<long>(size));
}
inline long allocate(int fd, std::size_t from, std::size_t size)
{
    return call(SYS_fallocate, fd, 0, static_cast<long>(from), static_cast<long>(size));
}
inline long seek(int fd, long offset, int whence)
{
    return call(SYS_lseek, fd, offset, whence);
}
inline long status(int fd, struct stat& to)
{
    return call(SYS_fstat, fd, address(&to));
}
inline long status(const char* path, struct stat& to)
{
    return call(SYS_stat, address(path), address(&to));
}
// ns since 1970, as files are stamped.
inline std::int64_t wall_clock()
{
    timespec now{};
    call(SYS_clock_gettime, CLOCK_REALTIME, address(&now));
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}
inline long file_system(int fd, struct statfs& to)
{
    return call(SYS_fstatfs, fd, address(&to));
}
inline long attribute(int fd, const char* name, void* to, std::size_t n)
{
    return call(SYS_fgetxattr, fd, address(name), address(to), static_cast<long>(n));
}
// Follows no link and mounts nothing: it must not touch more than the program did.
inline long link_status(const char* path, struct stat& to)
{
    return call(SYS_lstat, address(path), address(&to));
}
inline long flags(int fd)
{
    return call(SYS_fcntl, fd, F_GETFL);
}
// One of two sockets that know one another alone: neither has an address.
inline bool is_of_pair(int fd)
{
    constexpr unsigned short of_unix = 1;
    for (const long which : {SYS_getsockname, SYS_getpeername}) {
        struct {
            unsigned short family = 0;
            char path[126];
        } name;
        int length = sizeof name;
        if (call(which, fd, address(&name), address(&length)) != 0 || name.family != of_unix ||
            length != sizeof name.family)
            return false;
    }
    return true;
}
inline long readlink(const char* path, char* to, std::size_t n)
{
    return call(SYS_readlink, address(path), address(to), static_cast<long>(n));
}
inline long symlink(const char* target, const char* path)
{
    return call(SYS_symlink, address(target), address(path));
}
inline long entries(int fd, void* to, std::size_t n)
{
    return call(SYS_getdents64, fd, address(to), static_cast<long>(n));
}
// Waits for it; closing the descriptor lets it go.
inline long lock(int fd)
{
    return call(SYS_flock, fd, LOCK_EX);
}
inline long working_folder(char* to, std::size_t n)
{
    return call(SYS_getcwd, address(to), static_cast<long>(n));
}
// Where it may not be asked for, a number that no thread has.
inline constinit std::atomic<std::uint32_t> next_stand_in{~std::uint32_t{0}};
inline std::uint32_t thread_id()
{
    return forbidden() ? next_stand_in.fetch_sub(1, std::memory_order_relaxed)
                       : static_cast<std::uint32_t>(call(SYS_gettid));
}
inline long usage(struct rusage& to)
{
    return call(SYS_getrusage, RUSAGE_SELF, address(&to));
}

inline long process_id()
{
    return call(SYS_getpid);
}
inline long user_id()
{
    return call(SYS_getuid);
}
inline long group_id()
{
    return call(SYS_getgid);
}
inline long parent_id()
{
    return call(SYS_getppid);
}
// Whatever else forbids the call, a thread that is not known to be dead lives.
inline bool thread_lives(long process, std::uint32_t thread)
{
    return call(SYS_tgkill, process, thread, 0) != -ESRCH;
}
// The largest file that this process may make. Beyond it the kernel sends SIGXFSZ, so it is asked first.
inline std::size_t file_size_limit()
{
    rlimit limit{};
    return call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, address(&limit)) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}
inline void yield()
{
    call(SYS_sched_yield);
}
inline void rest(long nanoseconds)
{
    const timespec time{0, nanoseconds};
    call(SYS_nanosleep, address(&time), 0);
}

inline void* map(std::size_t size, int protection, int how, int fd)
{
    const long at = call(SYS_mmap, 0, static_cast<long>(size), protection, how, fd, 0);
    return at < 0 && at > -4096 ? nullptr : reinterpret_cast<void*>(at);
}
inline void unmap(void* at, std::size_t size)
{
    call(SYS_munmap, address(at), static_cast<long>(size));
}
inline long advise(void* at, std::size_t size, int advice)
{
    return call(SYS_madvise, address(at), static_cast<long>(size), advice);
}

}  // namespace fathom::sys
