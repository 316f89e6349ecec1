// Names for the reports of many logs in one folder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/many/row.h"

namespace fathom {

// What all paths begin with, up to a slash; empty where that is nothing or the root.
std::string common_folder(std::span<const JobRow> rows);

// A file name for each row, all different: "run1-job.html" for run1/job.fathom below the common folder.
std::vector<std::string> page_names(std::span<const JobRow> rows);

}  // namespace fathom
