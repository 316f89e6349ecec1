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

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using L = LibrarySum;
        visit(Field{"opens", &L::opens, Rule::sum, Unit::count, "opens, and creations"});
        visit(Field{"flushes", &L::flushes, Rule::sum, Unit::count, "flushes and syncs"});
        visit(Field{"reads", &L::reads, Rule::sum, Unit::count, "reads of every kind"});
        visit(Field{"writes", &L::writes, Rule::sum, Unit::count, "writes of every kind"});
        visit(Field{"collective", &L::collective, Rule::sum, Unit::count, "those of all ranks together"});
        visit(Field{"bytes_read", &L::bytes_read, Rule::sum, Unit::bytes, "bytes read"});
        visit(Field{"bytes_written", &L::bytes_written, Rule::sum, Unit::bytes, "bytes written"});
        visit(Field{"collective_objects", &L::collective_objects, Rule::sum, Unit::count,
                    "datasets of which HDF5 made some transfer collective"});
        visit(Field{"with_mpiio", &L::with_mpiio, Rule::sum, Unit::count,
                    "files that HDF5 used through MPI-IO"});
        visit(Field{"read_time", &L::read_time, Rule::sum, Unit::none, "s in reads"});
        visit(Field{"write_time", &L::write_time, Rule::sum, Unit::none,
                    "s in writes and in waiting for them"});
        visit(Field{"metadata_time", &L::metadata_time, Rule::sum, Unit::none, "s in all other calls"});
        visit(Field{"read_size", &L::read_size, Rule::own, Unit::count, "reads by size"});
        visit(Field{"write_size", &L::write_size, Rule::own, Unit::count, "writes by size"});
    }
};

using LibraryObjects = std::unordered_map<std::uint64_t, LibrarySum>;  // by the id of the name
using LibrarySums = std::map<std::string_view, LibraryObjects>;        // by library: "H5D"

LibrarySums library_sums_of(const Log& log);

}  // namespace fathom
