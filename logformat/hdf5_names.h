// Files and programs of HDF5 by their names, for the recorder and for the report.
#pragma once

#include <string_view>

namespace fathom {

// Among the libraries of a process (see Process): HDF5 linked into the executable, as Debian's h5cc does.
// None of its calls are recorded.
inline constexpr std::string_view hdf5_inside = "libhdf5.a";

// Of a file of HDF5, or of a library on top of it or beside it, as far as its name says so.
constexpr bool is_named_as_hdf5(std::string_view path)
{
    constexpr std::string_view endings[] = {".h5", ".hdf5", ".hdf",  ".he5", ".h5ad",
                                            ".nc", ".nc4",  ".cgns", ".nxs", ".bp"};
    for (const std::string_view ending : endings)
        if (path.ends_with(ending)) return true;
    return false;
}

}  // namespace fathom
