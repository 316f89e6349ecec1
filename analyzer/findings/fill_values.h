// Fill values: what HDF5 and NetCDF write into a dataset or variable before the program writes all of it.
#pragma once

#include "analyzer/findings/scene.h"

namespace fathom {

// Most of what was written over in the file were such.
bool is_filled(const Scene& scene, const FileCase& file);

}  // namespace fathom
