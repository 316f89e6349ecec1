// Darshan's counters of HDF5 and PnetCDF as ours, record by record.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "logformat/log/log.h"

namespace fathom {

// What is known of a file or an object besides its records.
struct ToldByDarshan {
    bool collective = false;                          // HDF5 made some transfer of it collective
    std::uint64_t bytes_read = 0, bytes_written = 0;  // of a file of PnetCDF
};

struct DarshanObjects {
    std::deque<DatasetRecord> datasets;
    std::deque<DataFileRecord> files;
    std::unordered_map<std::uint64_t, ToldByDarshan> told;  // by id of the name
};

DarshanObjects objects_of_darshan(const Log& log);

}  // namespace fathom
