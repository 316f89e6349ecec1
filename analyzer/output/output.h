// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fathom {

// Standard output with a buffer. A reader that has gone away (`| head`) is no error: is_closed() says so, and
// what is written after that is dropped. Other troubles throw std::runtime_error.
class StandardOutput {
  public:
    StandardOutput();

    void write(std::string_view text);
    void flush();
    bool is_closed() const { return closed_; }

  private:
    std::string buffer_;
    bool closed_ = false;
};

// Writes under a temporary name in the same folder and renames. Throws std::runtime_error: file, reason,
// remedy.
void save(const std::string& path, std::string_view content);

// The same of what is made piece by piece: `make` hands out all of it.
using PieceSink = std::function<void(std::string_view)>;
void save(const std::string& path, const std::function<void(const PieceSink&)>& make);

}  // namespace fathom
