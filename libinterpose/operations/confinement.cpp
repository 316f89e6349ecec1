// Sees confinements coming.
#include "libinterpose/operations/confinement.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "libinterpose/mpi/mpi_library.h"
#include "libinterpose/mpi/roll_call.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/recording/descriptors.h"
#include "libinterpose/recording/paths.h"
#include "libinterpose/recording/session.h"
#include "libinterpose/recording/working_folder.h"
#include "libinterpose/recording/world.h"
#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

// Asks the kernel now for what will be needed: memory behind the part, what descriptors are, where we are.
void ask_in_advance()
{
    constexpr std::size_t ahead = std::size_t{1} << 20;
    constexpr int descriptors = 1024;
    if (!enter()) return;
    arena.back_ahead(ahead);
    arena.slots();
    for (int fd = 0; fd < descriptors; ++fd) tracked(fd);
    const PathScratch folder;
    if (folder) working_folder(*folder);
    if (world.size > 0) every_rank_is_recorded();
}

bool stops_clock(Confinement what)
{
    // A clock that is not the counter itself is libc's, which may need a system call for it.
    return what != Confinement::calls || clock_kind != ClockKind::tsc;
}

}  // namespace

Confinement confinement_by_prctl(int option, unsigned long argument)
{
    if (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV) return Confinement::clock;
    if (option != PR_SET_SECCOMP) return Confinement::none;
    // The kernel takes the time-stamp counter away as well in this mode.
    return argument == SECCOMP_MODE_STRICT ? Confinement::calls_and_clock : Confinement::calls;
}

Confinement confinement_by_seccomp(unsigned operation)
{
    switch (operation) {
        case SECCOMP_SET_MODE_STRICT:
            return Confinement::calls_and_clock;
        case SECCOMP_SET_MODE_FILTER:
            return Confinement::calls;
        default:
            return Confinement::none;
    }
}

// A child of vfork confines itself, and this memory is its parent's.
void confine(Confinement what)
{
    if (in_borrowed_memory()) return;
    if (!sys::forbidden()) ask_in_advance();
    if (stops_clock(what)) stop_clock();
    if (what != Confinement::clock) sys::forbid();
}

void release(Confinement what)
{
    if (in_borrowed_memory()) return;
    if (what != Confinement::clock) sys::forbid(-1);
    if (stops_clock(what)) go_on_with_clock();
}

}  // namespace fathom
