// A folder that is gone when the test is over.
#pragma once

#include <filesystem>
#include <stdlib.h>
#include <string>

namespace fathom::testing {

class Temporary {
  public:
    Temporary()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "fathom-test-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~Temporary() { std::filesystem::remove_all(folder_); }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

  private:
    std::filesystem::path folder_;
};

}  // namespace fathom::testing
