// The counters of the modules, and which module is which row of them.
#include "parsers/darshan/modules.h"

namespace fathom::darshan {
namespace {

constexpr std::string_view h5f_numbers[] = {"OPENS", "FLUSHES", "USE_MPIIO"};
constexpr std::string_view h5f_times[] = {"OPEN_START_TIMESTAMP", "CLOSE_START_TIMESTAMP",
                                          "OPEN_END_TIMESTAMP", "CLOSE_END_TIMESTAMP", "META_TIME"};

constexpr auto h5d_calls = std::to_array<std::string_view>(
    {"OPENS", "READS", "WRITES", "FLUSHES", "BYTES_READ", "BYTES_WRITTEN", "RW_SWITCHES",
     "REGULAR_HYPERSLAB_SELECTS", "IRREGULAR_HYPERSLAB_SELECTS", "POINT_SELECTS", "MAX_READ_TIME_SIZE",
     "MAX_WRITE_TIME_SIZE"});
constexpr auto h5d_dataset = std::to_array<std::string_view>(
    {"DATASPACE_NDIMS", "DATASPACE_NPOINTS", "DATATYPE_SIZE", "CHUNK_SIZE_D1", "CHUNK_SIZE_D2",
     "CHUNK_SIZE_D3", "CHUNK_SIZE_D4", "CHUNK_SIZE_D5", "USE_MPIIO_COLLECTIVE", "USE_DEPRECATED"});
constexpr auto h5d_numbers = detail::one_after_the_other(
    h5d_calls, detail::sizes_of_all_ranks, detail::access_shapes, h5d_dataset, detail::extreme_ranks);

constexpr std::string_view pnetcdf_file_numbers[] = {"CREATES",     "OPENS",         "REDEFS",
                                                     "INDEP_WAITS", "COLL_WAITS",    "SYNCS",
                                                     "BYTES_READ",  "BYTES_WRITTEN", "WAIT_FAILURES"};
constexpr std::string_view pnetcdf_file_times[] = {"OPEN_START_TIMESTAMP",
                                                   "CLOSE_START_TIMESTAMP",
                                                   "WAIT_START_TIMESTAMP",
                                                   "OPEN_END_TIMESTAMP",
                                                   "CLOSE_END_TIMESTAMP",
                                                   "WAIT_END_TIMESTAMP",
                                                   "META_TIME",
                                                   "WAIT_TIME"};

constexpr auto pnetcdf_var_calls = std::to_array<std::string_view>({"OPENS",
                                                                    "INDEP_READS",
                                                                    "INDEP_WRITES",
                                                                    "COLL_READS",
                                                                    "COLL_WRITES",
                                                                    "NB_READS",
                                                                    "NB_WRITES",
                                                                    "BYTES_READ",
                                                                    "BYTES_WRITTEN",
                                                                    "RW_SWITCHES",
                                                                    "PUT_VAR",
                                                                    "PUT_VAR1",
                                                                    "PUT_VARA",
                                                                    "PUT_VARS",
                                                                    "PUT_VARM",
                                                                    "PUT_VARN",
                                                                    "PUT_VARD",
                                                                    "GET_VAR",
                                                                    "GET_VAR1",
                                                                    "GET_VARA",
                                                                    "GET_VARS",
                                                                    "GET_VARM",
                                                                    "GET_VARN",
                                                                    "GET_VARD",
                                                                    "IPUT_VAR",
                                                                    "IPUT_VAR1",
                                                                    "IPUT_VARA",
                                                                    "IPUT_VARS",
                                                                    "IPUT_VARM",
                                                                    "IPUT_VARN",
                                                                    "IGET_VAR",
                                                                    "IGET_VAR1",
                                                                    "IGET_VARA",
                                                                    "IGET_VARS",
                                                                    "IGET_VARM",
                                                                    "IGET_VARN",
                                                                    "BPUT_VAR",
                                                                    "BPUT_VAR1",
                                                                    "BPUT_VARA",
                                                                    "BPUT_VARS",
                                                                    "BPUT_VARM",
                                                                    "BPUT_VARN",
                                                                    "MAX_READ_TIME_SIZE",
                                                                    "MAX_WRITE_TIME_SIZE"});
constexpr auto pnetcdf_var_variable =
    std::to_array<std::string_view>({"NDIMS", "NPOINTS", "DATATYPE_SIZE", "IS_RECORD_VAR"});
constexpr auto pnetcdf_var_numbers =
    detail::one_after_the_other(pnetcdf_var_calls, detail::sizes_of_all_ranks, detail::access_shapes,
                                pnetcdf_var_variable, detail::extreme_ranks);

constexpr std::string_view bgq_numbers[] = {"CSJOBID", "NNODES", "RANKSPERNODE", "DDRPERNODE",
                                            "INODES",  "ANODES", "BNODES",       "CNODES",
                                            "DNODES",  "ENODES", "TORUSENABLED"};
constexpr std::string_view bgq_times[] = {"TIMESTAMP"};

constexpr Counters table[] = {
    {Module::posix, 4, "POSIX_", posix_numbers, transfer_times},
    {Module::mpiio, 3, "MPIIO_", mpiio_numbers, transfer_times},
    {Module::stdio, 2, "STDIO_", stdio_numbers, stdio_times},
    {Module::h5f, 3, "H5F_", h5f_numbers, h5f_times},
    {Module::h5d, 2, "H5D_", h5d_numbers, transfer_times, true},
    {Module::pnetcdf_file, 3, "PNETCDF_FILE_", pnetcdf_file_numbers, pnetcdf_file_times},
    {Module::bgq, 2, "BGQ_", bgq_numbers, bgq_times},
    {Module::pnetcdf_var, 1, "PNETCDF_VAR_", pnetcdf_var_numbers, transfer_times, true},
};

}  // namespace

const Counters* counters_of(Module module)
{
    for (const Counters& counters : table)
        if (counters.module == module) return &counters;
    return nullptr;
}

}  // namespace fathom::darshan
