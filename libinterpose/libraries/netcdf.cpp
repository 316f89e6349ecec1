// Finds netCDF-C's functions in the library that has them.
#include "libinterpose/libraries/netcdf.h"

namespace fathom::netcdf {
namespace {

constexpr const char* questions[] = {
#define QUESTION(name, result, parameters) #name,
    FATHOM_NETCDF_QUESTIONS(QUESTION)
#undef QUESTION
};

}  // namespace

bool is_known(Loaded& library)
{
    return libraries::can_be_asked(library, [](Loaded& one) { one.find_all(questions); });
}

}  // namespace fathom::netcdf
