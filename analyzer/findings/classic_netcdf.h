// Files of NetCDF in its classic format, which are no files of HDF5.
#pragma once

#include "analyzer/findings/scene.h"

namespace fathom {

// By its name, and NetCDF's library in the program that moved it.
bool is_classic_netcdf(const Scene& scene, const FileCase& file);
// The same, moved through its library's buffer, of a block of the file system and more.
bool is_buffered_netcdf(const Scene& scene, const FileCase& file);
// The program moves them through NetCDF's library in pieces that its buffer, of a block or more, would put
// together: by NC_SHARE, or a sync after each record, it does without. Each record is then written on its
// own, and the number of records, at the file's beginning, after it.
bool is_unbuffered_netcdf(const Scene& scene, const FileCase& file);
// The program moves its variables in large parts, which its library's buffer makes into small requests.
bool is_moved_in_blocks(const Scene& scene, const FileCase& file);

}  // namespace fathom
