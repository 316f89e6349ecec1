// The file that this process runs, as the kernel mapped it.
#pragma once

#include <cstdint>
#include <link.h>
#include <span>
#include <string_view>

namespace fathom {

struct Executable {
    std::span<const ElfW(Phdr)> headers;
    const ElfW(Dyn) * dynamic = nullptr;  // nullptr: not known, as of a program that was given to ld.so
    std::uintptr_t base = 0;
};

Executable find_executable();

// The build id that the linker left in it (a note of GNU, NT_GNU_BUILD_ID): mostly 20 bytes. Empty: none.
std::span<const unsigned char> build_id(const Executable& program);

}  // namespace fathom
