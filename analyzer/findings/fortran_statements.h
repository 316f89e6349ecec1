// What a process's statements of Fortran say of its I/O.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "logformat/rows.h"

namespace fathom {

// The line of its source at which they took most time: "solver.f90:12"; empty where it is not known.
inline std::string fortran_line_of(const Process& process)
{
    if (process.fortran_line == 0) return {};
    const std::string_view path = process.fortran_source;
    return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), process.fortran_line);
}

// gfortran goes back to put the length of a record before it, and then behind it: it needs several writes for
// each statement without a format.
inline bool writes_record_lengths(const Process& process, std::uint64_t writes)
{
    constexpr double more_than_statements = 1.5;
    const std::uint64_t unformatted =
        process.fortran_statements - std::min(process.fortran_formatted, process.fortran_statements);
    return unformatted > 0 &&
           static_cast<double>(writes) > more_than_statements * static_cast<double>(unformatted);
}

}  // namespace fathom
