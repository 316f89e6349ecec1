// Children of vfork run in their parent's memory, on its stack and with its thread-local variables, but with
// descriptors and a working folder of their own.
#pragma once

namespace fathom {

// How many vforks deep this thread's caller is; counted by our vfork (vfork.cpp). A number of 32 bits.
extern "C" thread_local constinit int fathom_borrowed
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

// True in a child of vfork until it execs or exits.
inline bool in_borrowed_memory()
{
    return __builtin_expect(fathom_borrowed != 0, 0);
}

}  // namespace fathom
