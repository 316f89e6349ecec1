// A log that is written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "logformat/log/new_file.h"

namespace fathom {

// All throw LogError, which names the file. A file that was there stays untouched until finish().
class WholeFile {
  public:
    // Where place_of() says.
    explicit WholeFile(const std::string& path);

    void write(std::span<const std::byte> bytes);                           // at the end
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);  // over what is there
    std::uint64_t size() const { return size_; }
    void finish();

  private:
    [[noreturn]] void fail(const char* what, int why) const;

    std::string path_;
    NewFile file_;
    std::uint64_t size_ = 0;
};

}  // namespace fathom
