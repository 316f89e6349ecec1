// A file that is written whole or not at all: under a temporary name, flushed to the device and renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fathom {

// All throw LogError, which names the file. A file that was there stays untouched until finish().
class WholeFile {
  public:
    // Goes through a symbolic link to what it names. A folder, a device or a FIFO is refused: they cannot be
    // replaced.
    explicit WholeFile(const std::string& path);
    ~WholeFile();  // what was not finished is gone
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void write(std::span<const std::byte> bytes);                           // at the end
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);  // over what is there
    std::uint64_t size() const { return size_; }
    void finish();

  private:
    [[noreturn]] void fail(const char* what, int why) const;

    std::string path_, temporary_;
    int fd_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace fathom
