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

enum class Question : std::uint8_t {
#define QUESTION(name, result, parameters) name,
    FATHOM_NETCDF_QUESTIONS(QUESTION)
#undef QUESTION
};
#define QUESTION(name, result, parameters)                                \
    inline auto ask_##name(const Loaded& library)                         \
    {                                                                     \
        return reinterpret_cast<result(*) parameters>(                    \
            library.functions[static_cast<std::size_t>(Question::name)]); \
    }
FATHOM_NETCDF_QUESTIONS(QUESTION)
#undef QUESTION

// Whether this netCDF-C can be asked. Looks once for what is needed.
bool is_known(Loaded& library);

}  // namespace fathom::netcdf
