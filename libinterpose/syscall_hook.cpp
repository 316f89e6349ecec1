// syscall(), for the calls of io_uring and libaio that programs make by number.
#include "libinterpose/async_operations.h"
#include "libinterpose/hook.h"
#include "libinterpose/uring_operations.h"

namespace fathom {
namespace {

constinit Next<long(long, long, long, long, long, long, long)> next_syscall("syscall");
FATHOM_ORIGINAL(next_syscall)

template <class Thing>
Thing* at(long address)
{
    return reinterpret_cast<Thing*>(address);
}

}  // namespace

// Its arguments are words, of which those that the call has not are any; they pass through unchanged.
FATHOM_HOOK(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
    const auto call = [&] { return next_syscall(number, a, b, c, d, e, f); };
    switch (number) {
        case SYS_io_uring_setup:
            return observe(UringSetup(at<io_uring_params>(b)), call);
        case SYS_io_uring_enter:
            return observe(UringEnter(static_cast<int>(a), static_cast<unsigned>(d)), call);
        case SYS_io_uring_register:
            return observe(UringRegister(static_cast<int>(a), static_cast<unsigned>(b), at<void>(c),
                                         static_cast<unsigned>(d)),
                           call);
        case SYS_io_submit:
            return observe(LibaioSubmit(at<iocb*>(c), b), call);
        case SYS_io_getevents:
        case SYS_io_pgetevents:
            return observe(LibaioEvents(at<io_event>(d)), call);
        case SYS_io_cancel:
            return observe(LibaioCancel(at<iocb>(b)), call);
        default:
            return call();
    }
}

}  // namespace fathom
