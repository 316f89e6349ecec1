// The lines of a text file, which may be packed with gzip, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::strace {

class TextLines {
  public:
    // A line longer than this is no line of strace's; it is passed over.
    static constexpr std::size_t longest = std::size_t{1} << 20;

    explicit TextLines(const std::string& path);  // throws LogError
    TextLines(const TextLines&) = delete;
    TextLines& operator=(const TextLines&) = delete;
    ~TextLines();

    // The next line without its end, good until the next call; false at the end of the file. A line that
    // strace broke in two to report a process ("clone(strace: Process 12 attached") is made whole.
    bool next(std::string_view& line);

    std::uint64_t number() const { return number_; }      // of the line that next() gave, from 1
    bool ended() const { return ended_; }                 // that line had an end
    std::uint64_t too_long() const { return too_long_; }  // lines passed over
    std::uint64_t bytes_read() const;                     // of the file
    std::uint64_t file_size() const { return size_; }
    // What was wrong with the file itself; empty: nothing.
    const std::string& problem() const { return problem_; }

  private:
    bool next_of_file(std::string_view& line);
    bool fill();

    void* file_ = nullptr;  // zlib's
    std::uint64_t size_ = 0;
    std::vector<char> buffer_;
    std::size_t from_ = 0, to_ = 0;
    std::uint64_t number_ = 0, too_long_ = 0;
    bool ended_ = true, at_end_ = false;
    std::string problem_, whole_;
};

}  // namespace fathom::strace
