// What a process forbids itself: system calls (seccomp), the time-stamp counter. A call of ours that it never
// made itself could then be the death of it, so none is made from there on: what is known already is counted
// as before, what the kernel would have to be asked about is counted as missed.
#pragma once

#include "libinterpose/operations/operations.h"

namespace fathom {

enum class Confinement { none, calls, calls_and_clock, clock };

// What these calls ask for. (The first stands for syscall(SYS_prctl) as well.)
Confinement confinement_by_prctl(int option, unsigned long argument);
Confinement confinement_by_seccomp(unsigned operation);

// Makes ready for it, and acts as if it were so already; or takes that back where the call failed.
void confine(Confinement what);
void release(Confinement what);

// A call that asks for it, as a value like those of operations.h.
struct Confine : NotCounted {
    Confinement wanted;

    explicit Confine(Confinement what) : wanted(what) {}
    bool find() const
    {
        if (wanted != Confinement::none) confine(wanted);
        return false;
    }
    template <class Result>
    void passed(Result result) const
    {
        if (wanted != Confinement::none && result != 0) release(wanted);
    }
};

}  // namespace fathom
