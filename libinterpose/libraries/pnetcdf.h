// PnetCDF without linking it: what it is asked, found in the library that a call went to. None of these asks
// other ranks anything.
#pragma once

#include <cstdint>

#include "libinterpose/libraries/originals.h"

namespace fathom::pnetcdf {

using libraries::Loaded;
using Offset = long long;  // MPI_Offset
using Handle = std::uintptr_t;

#define FATHOM_PNETCDF_QUESTIONS(QUESTION)                                  \
    QUESTION(ncmpi_inq_libvers, const char*, ())                            \
    QUESTION(ncmpi_inq_var, int, (int, int, char*, int*, int*, int*, int*)) \
    QUESTION(ncmpi_inq_dimlen, int, (int, int, Offset*))                    \
    QUESTION(ncmpi_inq_unlimdim, int, (int, int*))                          \
    QUESTION(ncmpi_inq_header_size, int, (int, Offset*))                    \
    QUESTION(ncmpi_inq_header_extent, int, (int, Offset*))

enum class Question : std::uint8_t { FATHOM_PNETCDF_QUESTIONS(FATHOM_QUESTION_NUMBER) };
FATHOM_PNETCDF_QUESTIONS(FATHOM_QUESTION_ASKED)

// Whether this PnetCDF can be asked. Looks once for what is needed.
bool is_known(Loaded& library);

}  // namespace fathom::pnetcdf
