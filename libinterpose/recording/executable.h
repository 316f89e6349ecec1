// The file that this process runs, as the kernel mapped it.
#pragma once

#include <cstdint>
#include <link.h>
#include <span>
#include <string_view>

#include "libinterpose/system/text.h"

namespace fathom {

struct Executable {
    std::span<const ElfW(Phdr)> headers;
    const ElfW(Dyn) * dynamic = nullptr;  // nullptr: not known, as of a program that was given to ld.so
    std::uintptr_t base = 0;
};

Executable find_executable();

// The build id that the linker left in it (a note of GNU, NT_GNU_BUILD_ID): mostly 20 bytes. Empty: none.
std::span<const unsigned char> build_id(const Executable& program);

// Whether it is a program in Go, whose linker leaves a note.
bool is_made_by_go(const Executable& program);

// The path of a program of the system as /proc/self/exe would say it; empty of others, and where only that
// knows it. The kernel makes the folder in /proc of a process when it is first looked into, which takes
// longer than all else that is asked of it at the start.
class SystemProgram {
  public:
    SystemProgram();
    std::string_view path() const { return path_.view(); }

  private:
    bool resolve(const char* name);

    FixedText<256> path_;
};

}  // namespace fathom
