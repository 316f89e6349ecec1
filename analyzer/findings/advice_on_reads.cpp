// A row for each text that another one takes the place of.
#include "analyzer/findings/advice_on_reads.h"

#include <string>
#include <string_view>

#include "analyzer/findings/dataset_records.h"

namespace fathom {
namespace {

struct Other {
    std::string_view writes, reads;
};
constexpr Other other_ways[] = {
    {"MPI_File_write", "MPI_File_read"},
    {"MPI_MODE_CREATE | MPI_MODE_WRONLY", "MPI_MODE_RDONLY"},
    {"MPI_MODE_CREATE + MPI_MODE_WRONLY", "MPI_MODE_RDONLY"},
    {"MPI.MODE_CREATE | MPI.MODE_WRONLY", "MPI.MODE_RDONLY"},
    {"file.Write", "file.Read"},
    {"nc_create_par(name, NC_NETCDF4 | NC_CLOBBER,", "nc_open_par(name, NC_NOWRITE,"},
    {"nf90_create", "nf90_open"},
    {"h5py.File(name, \"w\",", "h5py.File(name, \"r\","},
    {"netCDF4.Dataset(name, \"w\",", "netCDF4.Dataset(name, \"r\","},
    {"dataset[first:last] = part", "part = dataset[first:last]"},
    {"variable[first:last] = part", "part = variable[first:last]"},
    {"ranks make the file together", "ranks open the file together"},
    {"ranks write", "ranks read"},
    {"Write the numbers as they are, rather than as text",
     "Have the numbers in the file as they are, rather than as text"},
    {"fwrite(array,", "fread(array,"},
    {"file.write(reinterpret_cast<const char*>(", "file.read(reinterpret_cast<char*>("},
    {"write(unit) array", "read(unit) array"},
};

}  // namespace

std::vector<report::Advice> on_reads(std::vector<report::Advice> advice)
{
    for (const Other& one : other_ways) put_in(advice, one.writes, one.reads);
    return advice;
}

}  // namespace fathom
