// On which of a job's mounted file systems a file lay.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/job/files.h"
#include "logformat/log/log.h"

namespace fathom {

// Finds mounts by the path of a file on them. Refers to the log's rows, which must outlive it.
class Mounts {
  public:
    explicit Mounts(const Log& log);

    // The mount with the longest path above this one, in whole components: /home is none of /home2/x. Of two
    // mounts on one place it is the later, which lies on top. nullptr: none is known.
    const Mount* of(std::string_view path) const;
    const Mount* of(const FileUse& use) const { return of(use.path); }

    // As the kernel calls it: "lustre", "ext4", "nfs4"; empty where it is not known.
    std::string_view type_of(const FileUse& use) const;

  private:
    std::unordered_map<std::string_view, const Mount*> by_path_;
};

}  // namespace fathom
