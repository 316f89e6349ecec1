// netCDF-C without linking it, as PnetCDF (pnetcdf.h).
#pragma once

#include <cstdint>

#include "libinterpose/libraries/originals.h"

namespace fathom::netcdf {

using libraries::Loaded;

#define FATHOM_NETCDF_QUESTIONS(QUESTION)                                \
    QUESTION(nc_inq_path, int, (int, std::size_t*, char*))               \
    QUESTION(nc_inq_var, int, (int, int, char*, int*, int*, int*, int*)) \
    QUESTION(nc_inq_dimlen, int, (int, int, std::size_t*))               \
    QUESTION(nc_inq_unlimdim, int, (int, int*))

enum class Question : std::uint8_t { FATHOM_NETCDF_QUESTIONS(FATHOM_QUESTION_NUMBER) };
FATHOM_NETCDF_QUESTIONS(FATHOM_QUESTION_ASKED)

// Whether this netCDF-C can be asked. Looks once for what is needed.
bool is_known(Loaded& library);

}  // namespace fathom::netcdf
