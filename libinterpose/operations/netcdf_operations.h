// What netCDF-C's calls on files of the classic formats are, as values, like those of HDF5
// (hdf5_operations.h).
#pragma once

#include <cstdint>

#include "libinterpose/libraries/counting.h"
#include "libinterpose/libraries/ids.h"
#include "libinterpose/libraries/netcdf.h"
#include "libinterpose/recording/clock.h"

namespace fathom::netcdf {

using libraries::Before;
using libraries::Known;
using libraries::Original;

// A block of a variable is read or written.
template <class Side>
struct Transfer {
    int file, variable;
    const std::size_t* count;  // along each dimension
    Known* what = nullptr;     // of the variable
    Before before;

    Transfer(int id, int of, const std::size_t* block) : file(id), variable(of), count(block) {}
    bool begin(const Original& original);
    void end(int result, Interval when);
};

struct Close {
    int file;
    Loaded* library = nullptr;

    explicit Close(int id) : file(id) {}
    bool begin(const Original& original);
    void end(int result);
};

}  // namespace fathom::netcdf
