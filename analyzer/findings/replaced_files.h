// Files that others take the place of: written under a name beside theirs, as PATH.new, and renamed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/findings/scene.h"

namespace fathom {

class ReplacedFiles {
  public:
    explicit ReplacedFiles(const Scene& scene);
    // How often one of a name that has this file's name in it was renamed in its folder. A log says of what
    // name a file was, not which one it got.
    std::uint64_t times(std::string_view path) const;

  private:
    struct Renamed {
        std::string_view name;
        std::uint64_t times = 0;
    };
    std::unordered_map<std::string_view, std::vector<Renamed>> by_folder_;
};

}  // namespace fathom
