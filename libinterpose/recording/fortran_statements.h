// Statements of Fortran that transfer data: where one begins and ends in a thread, which may be inside of
// another one.
#pragma once

#include <cstdint>

namespace fathom::fortran {

// What gfortran's library is given for each statement begins with this (st_parameter_common in libgfortran's
// io.h), which is the same since GCC 8.
struct Statement {
    std::int32_t flags;
    std::int32_t unit;
    const char* file;  // of the source
    std::int32_t line;
};

void begins(const Statement& statement);
void ends(const Statement& statement);

}  // namespace fathom::fortran
