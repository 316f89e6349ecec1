// The tables of the section on HDF5 and PnetCDF, from the dataset down to POSIX.
#pragma once

#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/datasets.h"
#include "analyzer/job/job.h"

namespace fathom {

using DatasetOrder = std::vector<const DatasetUse*>;

// Those of one library, the ones with most time first.
DatasetOrder datasets_by_time(const Datasets& all, DataLibrary library);

report::DataTable dataset_calls(const DatasetOrder& order, DataLibrary library, std::size_t most);
// How they lie in their files; no rows where nothing is known of it.
report::DataTable dataset_layouts(const DatasetOrder& order, std::size_t most);
// A row a level: the dataset, MPI-IO, POSIX; no rows where that is not known.
report::DataTable dataset_levels(const DatasetOrder& order, DataLibrary library, std::size_t most);
report::DataTable data_file_calls(const Datasets& all, std::size_t most);
// The same for all datasets of a file together, by the records of the file in the layers below.
report::DataTable data_file_levels(const Job& job, const Datasets& all, std::size_t most);

}  // namespace fathom
