// What a process forbids itself: system calls (seccomp), the time-stamp counter. A call of ours that it never
// made itself could then be the death of it, so none is made from there on: what is known already is counted
// as before, what the kernel would have to be asked about is counted as missed.
#pragma once

namespace fathom {

enum class Confinement { none, calls, calls_and_clock, clock };

// What these calls ask for. (The first stands for syscall(SYS_prctl) as well.)
Confinement confinement_by_prctl(int option, unsigned long argument);
Confinement confinement_by_seccomp(unsigned operation);

// Makes ready for it, and acts as if it were so already; or takes that back where the call failed.
void confine(Confinement what);
void release(Confinement what);

template <class Call>
inline auto confined(Confinement what, Call call) -> decltype(call())
{
    if (what == Confinement::none) return call();
    confine(what);
    const auto result = call();
    if (result < 0) release(what);
    return result;
}

}  // namespace fathom
