// A terminal of which `fathom watch` has all, until this goes: then it is as before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fathom::watch {

class Terminal {
  public:
    // Standard output and input are a terminal that can place its cursor.
    static bool is_there();

    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    std::size_t width() const;
    std::size_t height() const;
    // `title`: number of the line that stands out.
    void show(const std::vector<std::string>& lines, std::size_t title);
    // The next key; 0 after so many milliseconds without one, or where the terminal has another size.
    int key(int milliseconds);
    // A line of text, asked for at the bottom; empty after Escape.
    std::string ask(const std::string& question);
};

}  // namespace fathom::watch
