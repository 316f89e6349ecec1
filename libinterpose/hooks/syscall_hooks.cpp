// syscall(): the calls that programs make by number. Those of the table are what the functions of their names
// are; all others, such as the futexes of runtimes, are passed on by a jump. Our own system calls do not come
// here (sys.h).
#include <array>
#include <cstdint>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "libinterpose/hooks/hook.h"
#include "libinterpose/operations/async_operations.h"
#include "libinterpose/operations/confinement.h"
#include "libinterpose/operations/map_operations.h"
#include "libinterpose/operations/observe.h"
#include "libinterpose/operations/rarer_operations.h"
#include "libinterpose/operations/uring_operations.h"

namespace fathom {

using Syscall = Next<long(long, long, long, long, long, long, long)>;
constexpr std::size_t bits = 64, words = 8;

extern "C" {
// What the assembly below reads: the original, and the set of the numbers in the table.
FATHOM_ORIGINAL constinit Syscall fathom_next_syscall __attribute__((visibility("hidden"))) ("syscall");
extern const std::array<std::uint64_t, words> fathom_counted_numbers __attribute__((visibility("hidden")));
constinit const std::array<std::uint64_t, words> fathom_counted_numbers = [] {
    std::array<std::uint64_t, words> set{};
#define BY_NUMBER(name, operation) set[SYS_##name / bits] |= std::uint64_t{1} << SYS_##name % bits;
#include "libinterpose/hooks/syscall_hooks.inc"
#undef BY_NUMBER
    return set;
}();
}

namespace {

// The kernel, too, takes the lower half of a register for an int.
int number(long argument)
{
    return static_cast<int>(argument);
}
template <class Pointed>
const Pointed* memory(long argument)
{
    return reinterpret_cast<const Pointed*>(argument);
}
template <class Pointed>
Pointed* writable(long argument)
{
    return reinterpret_cast<Pointed*>(argument);
}
const char* text(long argument)
{
    return memory<char>(argument);
}

// The address that a function returns is a number here, as all results are.
template <class Call>
struct ReturnsAddress : Call {
    using Call::Call;
    void count(long result, Interval when) { Call::count(reinterpret_cast<void*>(result), when); }
    void passed(long result) { Call::passed(reinterpret_cast<void*>(result)); }
};

// Once for each kind of operation, rather than for each number.
template <class Operation>
[[gnu::noinline]] long counted(Operation operation, long call, long a, long b, long c, long d, long e, long f)
{
    return observe(operation, [&] { return fathom_next_syscall(call, a, b, c, d, e, f); });
}

}  // namespace

// A call of the table, or any where the original was not called yet.
extern "C" __attribute__((visibility("hidden"))) long fathom_counted_syscall(long call, long a, long b,
                                                                             long c, long d, long e, long f)
{
    switch (call) {
#define BY_NUMBER(name, operation) \
    case SYS_##name:               \
        return counted(operation, call, a, b, c, d, e, f);
#include "libinterpose/hooks/syscall_hooks.inc"
#undef BY_NUMBER
        default:
            return fathom_next_syscall(call, a, b, c, d, e, f);
    }
}

}  // namespace fathom

// As libc does, this takes six arguments, whatever the caller gave. The last of them is on the stack, where a
// caller that gave fewer may have something of its own: so it is left where it is, and C++ works on a copy.
// (A compiler would write it back before the jump, and undo what another thread has stored there since, in a
// futex for example.)
static_assert(std::is_standard_layout_v<fathom::Original>, "an original begins with the address");
static_assert(fathom::words * fathom::bits == 512);
__asm__(R"(
    .text
    .globl syscall
    .type syscall, @function
    .p2align 4
syscall:
    .cfi_startproc
    cmpq $511, %rdi
    ja 1f
    movq %rdi, %rax
    shrq $6, %rax
    leaq fathom_counted_numbers(%rip), %r10
    movq (%r10,%rax,8), %rax
    btq %rdi, %rax
    jc 2f
1:  movq fathom_next_syscall(%rip), %rax
    testq %rax, %rax
    jz 2f
    jmp *%rax
2:  pushq 8(%rsp)
    .cfi_adjust_cfa_offset 8
    call fathom_counted_syscall
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size syscall, . - syscall
)");
