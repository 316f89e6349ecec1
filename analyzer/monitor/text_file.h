// Files of /proc and /sys, read whole into memory that is kept, and taken apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::monitor {

class TextFile {
  public:
    // Nothing where it cannot be read. Stays as it is until the next call. At most 16 MiB.
    std::string_view read(const std::string& path);

  private:
    std::string text_;
};

// Takes the first line off, without its end.
std::string_view take_line(std::string_view& text);
// Takes the first word off: what lies between blanks. Empty: there is none.
std::string_view take_word(std::string_view& line);
// Takes a word off; 0 where it is no number, and what does not fit is the largest.
std::uint64_t take_number(std::string_view& line);
std::uint64_t number_of(std::string_view word);

// Names in a folder, in order, without those that begin with a dot; none where it cannot be read.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace fathom::monitor
