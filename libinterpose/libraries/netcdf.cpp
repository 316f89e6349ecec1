// Finds netCDF-C's functions in the library that has them.
#include "libinterpose/libraries/netcdf.h"

namespace fathom::netcdf {
namespace {

constexpr const char* questions[] = {FATHOM_NETCDF_QUESTIONS(FATHOM_QUESTION_NAME)};

}  // namespace

bool is_known(Loaded& library)
{
    return libraries::can_be_asked(library, [](Loaded& one) { one.find_all(questions); });
}

}  // namespace fathom::netcdf
