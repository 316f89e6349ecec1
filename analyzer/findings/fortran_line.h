// The line of a program's source at which Fortran's statements took most time.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

#include "logformat/rows.h"

namespace fathom {

// "solver.f90:12"; empty where it is not known.
inline std::string fortran_line_of(const Process& process)
{
    if (process.fortran_line == 0) return {};
    const std::string_view path = process.fortran_source;
    return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), process.fortran_line);
}

}  // namespace fathom
