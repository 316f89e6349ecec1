// A bar on standard error for work that takes longer than a second; nothing of it stays.
//
//     merging      [##########..............................]  25 %  250 of 1,000 logs  about 12 s left
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "logformat/log/tick.h"

namespace fathom {

// What work is counted in: bytes, or the name of items in the plural.
struct WorkUnit {
    bool bytes = true;
    std::string_view items{};
    bool open_ended = false;  // nobody knows how many there are: what is done, and how fast
};
inline constexpr WorkUnit work_in_bytes{};

// One line of `width` columns, or as many as there must be; `elapsed` is nanoseconds since the work began.
std::string progress_line(std::string_view what, WorkUnit unit, std::uint64_t done, std::uint64_t all,
                          std::uint64_t elapsed, std::size_t width);

// Where a bar is drawn and by which clock. `width` is 0 where no bar may be drawn: where standard error is no
// terminal, or that of another program that is in the foreground.
struct ProgressScreen {
    std::function<std::size_t()> width;
    std::function<void(std::string_view)> write;
    std::function<std::uint64_t()> now;  // nanoseconds
};
ProgressScreen progress_on_standard_error();

// The work of one command, stage by stage. The bar comes up once all stages together have taken a second, and
// goes when this does. Throws nothing. No threads: who works has to tell.
class Progress {
  public:
    explicit Progress(ProgressScreen screen = progress_on_standard_error());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // What is done from now on. The result must not be called once this is gone.
    Tick stage(std::string what, WorkUnit unit);

    // Takes the bar off the screen, before something else is said there.
    void clear() noexcept;

  private:
    void at(std::uint64_t done, std::uint64_t all) noexcept;

    ProgressScreen screen_;
    std::uint64_t begin_ = 0, stage_begin_ = 0, drawn_ = 0;  // instants of the clock
    std::string what_;
    WorkUnit unit_;
    bool shown_ = false;
};

}  // namespace fathom
