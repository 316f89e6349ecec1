// The counters of libraries above MPI-IO, added up for each file, dataset and variable.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>

#include "logformat/log/log.h"

namespace fathom {

struct LibrarySum {
    std::uint64_t opens = 0, flushes = 0, reads = 0, writes = 0, collective = 0, bytes_read = 0,
                  bytes_written = 0;
    std::uint64_t collective_objects = 0;  // 1 where HDF5 made some transfer of this dataset collective
    std::uint64_t with_mpiio = 0;          // 1 where HDF5 used the file through MPI-IO
    double read_time = 0, write_time = 0, metadata_time = 0;  // s, over all ranks
    SizeHistogram read_size, write_size;

    double time() const { return read_time + write_time + metadata_time; }
    void add(const LibrarySum& other);
};

using LibraryObjects = std::unordered_map<std::uint64_t, LibrarySum>;  // by the id of the name
using LibrarySums = std::map<std::string_view, LibraryObjects>;        // by library: "H5D"

LibrarySums library_sums_of(const Log& log);

}  // namespace fathom
