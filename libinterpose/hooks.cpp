// Expands the tables of POSIX and stdio calls to the functions that programs call.
#include <dirent.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <utime.h>

#include "libinterpose/hook.h"
#include "libinterpose/observe.h"
#include "libinterpose/operations.h"
#include "libinterpose/rarer_operations.h"
#include "libinterpose/stdio_operations.h"

namespace fathom {

#include "libinterpose/posix_hooks.inc"
#include "libinterpose/stdio_hooks.inc"

}  // namespace fathom
