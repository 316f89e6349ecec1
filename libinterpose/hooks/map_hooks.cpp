// mmap and its kin. Programs' memory allocators call them before anything else has been set up, when looking
// for the C library's would call the allocator: until our constructor knows where those are, the system call
// is made.
#include <cerrno>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/map_operations.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

template <class Result, class... Arguments>
Result system_call(long number, Arguments... arguments)
{
    const long result = sys::call_in_any_case(number, (long)arguments...);
    if (result >= 0 || result < -4095) return (Result)result;
    errno = static_cast<int>(-result);
    return (Result)-1;
}

template <long number, class Function>
class EarlyNext;

template <long number, class Result, class... Arguments>
class EarlyNext<number, Result(Arguments...)> : public Next<Result(Arguments...)> {
  public:
    using Next<Result(Arguments...)>::Next;

    Result operator()(Arguments... arguments)
    {
        if (__builtin_expect(this->find_quickly() != nullptr, 1)) return this->call_known(arguments...);
        return system_call<Result>(number, arguments...);
    }
};

}  // namespace

#define HOOK_EARLY(result, name, number, parameters, arguments, operation)             \
    namespace {                                                                        \
    FATHOM_ORIGINAL constinit EarlyNext<number, result parameters> next_##name(#name); \
    }                                                                                  \
    FATHOM_HOOK(result, name, parameters)                                              \
    {                                                                                  \
        return observe(operation, [&]() -> result { return next_##name arguments; });  \
    }

HOOK_EARLY(void*, mmap, SYS_mmap, (void* at, size_t n, int protection, int flags, int fd, off_t from),
           (at, n, protection, flags, fd, from), Map(at, n, protection, flags, fd, from))
HOOK_EARLY(void*, mmap64, SYS_mmap, (void* at, size_t n, int protection, int flags, int fd, off_t from),
           (at, n, protection, flags, fd, from), Map(at, n, protection, flags, fd, from))
HOOK_EARLY(int, munmap, SYS_munmap, (void* at, size_t n), (at, n), Unmap(at, n))
// Its last argument is there only with MREMAP_FIXED; as one word it passes through unchanged.
HOOK_EARLY(void*, mremap, SYS_mremap, (void* at, size_t n, size_t new_n, int flags, void* target),
           (at, n, new_n, flags, target), Remap(at, n, new_n, flags, target))
HOOK_EARLY(int, msync, SYS_msync, (void* at, size_t n, int flags), (at, n, flags), SyncMapping(at, n))
HOOK_EARLY(int, madvise, SYS_madvise, (void* at, size_t n, int advice), (at, n, advice),
           AdviseMapping(at, n, advice))

namespace {
FATHOM_ORIGINAL constinit Next<int(void*, size_t, int)> next_posix_madvise("posix_madvise");
}  // namespace
FATHOM_HOOK(int, posix_madvise, (void* at, size_t n, int advice))
{
    return observe(AdviseMapping(at, n, advice == POSIX_MADV_RANDOM ? MADV_RANDOM : MADV_NORMAL),
                   [&] { return next_posix_madvise(at, n, advice); });
}

}  // namespace fathom
