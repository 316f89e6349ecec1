// Changes of a value in one step. What other cores must see at once takes a processor some twenty cycles; in
// a process with one thread there is nobody but a signal handler that could come in between, and one
// instruction is a step to that.
#pragma once

#include <atomic>
#include <sys/single_threaded.h>

namespace fathom {

inline bool is_alone()
{
    return __builtin_expect(__libc_single_threaded != 0, 1);
}

namespace one_step {

// What std::atomic has in memory is the value alone.
template <class Value>
Value& in_memory(std::atomic<Value>& at)
{
    static_assert(sizeof at == sizeof(Value) && std::atomic<Value>::is_always_lock_free);
    return reinterpret_cast<Value&>(at);
}

// False, and `expected` is what was there, where that is another value.
template <class Value>
[[gnu::always_inline]] inline bool compare_exchange(std::atomic<Value>& at, Value& expected, Value to)
{
    if (!is_alone()) return at.compare_exchange_strong(expected, to, std::memory_order_acq_rel);
    bool done = false;
    __asm__ volatile("cmpxchg %3, %1"
                     : "+a"(expected), "+m"(in_memory(at)), "=@ccz"(done)
                     : "r"(to)
                     : "memory");
    return done;
}

template <class Value>
[[gnu::always_inline]] inline Value exchange(std::atomic<Value>& at, Value to)
{
    if (!is_alone()) return at.exchange(to, std::memory_order_acq_rel);
    Value before = at.load(std::memory_order_relaxed);
    while (!compare_exchange(at, before, to)) {
    }
    return before;
}

template <class Value>
[[gnu::always_inline]] inline Value fetch_add(std::atomic<Value>& at, Value more)
{
    if (!is_alone()) return at.fetch_add(more, std::memory_order_acq_rel);
    __asm__ volatile("xadd %0, %1" : "+r"(more), "+m"(in_memory(at)) : : "cc", "memory");
    return more;
}

}  // namespace one_step
}  // namespace fathom
