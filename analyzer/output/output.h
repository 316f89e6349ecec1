// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace fathom {

class Pager;

// Standard output with a buffer. A reader that has gone away (`| head`) is no error: is_closed() says so, and
// what is written after that is dropped. Other troubles throw std::runtime_error. On a terminal, text that is
// longer than a page goes through the user's pager, unless something was flushed before.
class StandardOutput {
  public:
    StandardOutput();
    ~StandardOutput();
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;

    void write(std::string_view text);
    void flush();
    bool is_closed() const { return closed_; }

  private:
    void page_if_long();

    std::string buffer_;
    bool closed_ = false;
    std::size_t page_ = 0, lines_ = 0;  // that fit into the terminal, 0: no pager; and that are there
    std::unique_ptr<Pager> pager_;
};

// Writes under a temporary name in the same folder and renames. Throws std::runtime_error: file, reason,
// remedy.
void save(const std::string& path, std::string_view content);

// The same of what is made piece by piece: `make` hands out all of it.
using PieceSink = std::function<void(std::string_view)>;
void save(const std::string& path, const std::function<void(const PieceSink&)>& make);

}  // namespace fathom
