// What netCDF-C's hundreds of calls on variables come to in files of the classic formats: these four, which
// it looks up by name as any caller does. Those of NetCDF-4 come to HDF5, which has hooks of its own.
#include "libinterpose/hooks/library_hook.h"
#include "libinterpose/operations/netcdf_operations.h"

namespace fathom::netcdf {

FATHOM_LIBRARY_ROW(int, NC3_get_vara,
                   (int id, int variable, const std::size_t* at, const std::size_t* count, void* to,
                    int type),
                   (id, variable, at, count, to, type), (Transfer<ReadSide>(id, variable, count)))
FATHOM_LIBRARY_ROW(int, NC3_put_vara,
                   (int id, int variable, const std::size_t* at, const std::size_t* count, const void* from,
                    int type),
                   (id, variable, at, count, from, type), (Transfer<WriteSide>(id, variable, count)))
FATHOM_LIBRARY_UNTIMED_ROW(int, NC3_close, (int id, void* parameters), (id, parameters), Close(id))
FATHOM_LIBRARY_UNTIMED_ROW(int, NC3_abort, (int id), (id), Close(id))

}  // namespace fathom::netcdf
