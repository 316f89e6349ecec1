// The first and the last that the library does in a process.
#include "libinterpose/pending/unfinished.h"
#include "libinterpose/recording/ending.h"
#include "libinterpose/recording/libraries.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/system/next.h"

namespace fathom {
namespace {

__attribute__((constructor)) void start()
{
    find_originals();
    // A first look that writes takes one page fault, and not two.
    guard.epoch.fetch_add(0, std::memory_order_relaxed);
    enter();
}

__attribute__((destructor)) void finish()
{
    count_unfinished();
    note_libraries();
    note_ending(Ending::exited);
    leave();
}

}  // namespace
}  // namespace fathom
