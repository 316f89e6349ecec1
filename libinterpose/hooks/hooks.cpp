// Expands the tables of POSIX and stdio calls to the functions that programs call.
#include <dirent.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <utime.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/operations.h"
#include "libinterpose/operations/rarer_operations.h"
#include "libinterpose/operations/stdio_operations.h"

namespace fathom {

#include "libinterpose/hooks/posix_hooks.inc"
#include "libinterpose/hooks/stdio_hooks.inc"

}  // namespace fathom
