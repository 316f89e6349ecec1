// The bytes of a file, read where they are wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fathom::darshan {

class Source {
  public:
    // Throws LogError.
    explicit Source(const std::string& path);
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    const std::string& path() const { return path_; }
    std::uint64_t size() const { return size_; }
    // How many bytes could be read; fewer at the end of the file and on errors.
    std::size_t read(std::uint64_t offset, std::span<std::byte> to) const;

  private:
    std::string path_;
    int fd_ = -1;
    std::uint64_t size_ = 0;
    std::vector<std::byte> small_;  // all of a small file: as many reads as it has regions would take longer
};

}  // namespace fathom::darshan
