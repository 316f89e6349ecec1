// What takes more of a stack than a program may have left: the process may end in a signal handler or in a
// thread with the smallest of stacks.
#pragma once

#include <cstddef>

#include "libinterpose/system/sys.h"

namespace fathom {

// Runs `work` on memory of our own; not at all where there is none.
inline void on_own_stack(void (*work)())
{
    constexpr std::size_t size = std::size_t{512} << 10;
    void* const memory = sys::map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (memory == nullptr) return;
    // rbx, which is kept by all, has the old stack; the calls by which others are found spoil the rest.
    __asm__ volatile(
        "movq %%rsp, %%rbx\n\t"
        "movq %[top], %%rsp\n\t"
        "call *%[work]\n\t"
        "movq %%rbx, %%rsp"
        :
        : [top] "r"(static_cast<std::byte*>(memory) + size), [work] "r"(work)
        : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
          "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
          "xmm15", "cc", "memory");
    sys::unmap(memory, size);
}

}  // namespace fathom
