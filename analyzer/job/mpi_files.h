// Files that the MPI library and its launcher keep for themselves: known by their names, in one table.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/job/files.h"

namespace fathom {

// Whether a path is of the folders and the shared memory by which launchers and ranks find each other.
bool is_of_mpi_session(std::string_view path);

// The files of a job that are MPI's own: those above, and what MPI-IO puts beside the files that it opens.
class MpiFiles {
  public:
    explicit MpiFiles(const std::vector<FileUse>& files);
    bool has(const FileUse& use) const;

  private:
    std::unordered_set<std::string_view> opened_by_mpiio_;
};

}  // namespace fathom
