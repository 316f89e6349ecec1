// Languages whose programs make system calls of their own, past the C library and what is preloaded.
#pragma once

#include <string_view>

namespace fathom {

// In place of the libraries of a process (see Process): a program in Go. Its I/O is not recorded.
inline constexpr std::string_view go_runtime = "go";

}  // namespace fathom
