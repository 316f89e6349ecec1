// Expands the tables of asynchronous calls.
#include <aio.h>
#include <sys/uio.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/async_operations.h"
#include "libinterpose/operations/uring_operations.h"

namespace fathom {

#define HOOK_OF_LIBRARY(result, name, parameters, arguments, operation) \
    FATHOM_ROW(result, name, parameters, arguments, operation)

#include "libinterpose/hooks/aio_hooks.inc"
#include "libinterpose/hooks/libaio_hooks.inc"
#include "libinterpose/hooks/uring_hooks.inc"

// What the ring shows goes with it.
namespace {
constinit Next<void(LiburingRing*)> next_io_uring_queue_exit("io_uring_queue_exit");
}
FATHOM_HOOK(void, io_uring_queue_exit, (LiburingRing * ring))
{
    if (Ring* const known = rings::of(ring->fd)) rings::gone(*known);
    next_io_uring_queue_exit(ring);
}

}  // namespace fathom
