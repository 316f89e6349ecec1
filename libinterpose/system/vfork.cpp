// vfork, which returns twice on one stack: no C++ function could stand in front of it.
#include "libinterpose/system/vfork.h"

#include <cerrno>

namespace fathom {

extern "C" {
thread_local constinit int fathom_borrowed __attribute__((tls_model("initial-exec"), visibility("hidden"))) =
    0;

// `error` as the kernel gave it.
__attribute__((visibility("hidden"))) int fathom_failed_vfork(int error)
{
    errno = -error;
    return -1;
}
}

}  // namespace fathom

// As libc's does, this keeps the return address in a register, since the child will overwrite the stack where
// it was. The count as it stood before is in another: parent and child each have their own copy of both, so
// that the parent finds its count again however the child ended.
__asm__(R"(
    .text
    .globl vfork
    .globl __vfork
    .type vfork, @function
    .type __vfork, @function
    .p2align 4
vfork:
__vfork:
    .cfi_startproc
    movq fathom_borrowed@gottpoff(%rip), %r8
    movl %fs:(%r8), %esi
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax
    syscall
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
    testl %eax, %eax
    jz 1f
    movl %esi, %fs:(%r8)
    js 2f
    ret
1:  incl %esi
    movl %esi, %fs:(%r8)
    ret
2:  movl %eax, %edi
    jmp fathom_failed_vfork
    .cfi_endproc
    .size vfork, . - vfork
    .size __vfork, . - __vfork
)");
