// Draws the bar with one write a time, and at most ten times a second.
#include "analyzer/output/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/document/units.h"

namespace fathom {
namespace {

constexpr std::uint64_t second = 1'000'000'000, patience = second, between_draws = second / 10;
constexpr std::size_t least_bar = 10;

// To the first column, and what is right of it erased (ECMA-48: CR, EL).
constexpr std::string_view erase_line = "\r\x1b[K";

std::string amount_of(WorkUnit unit, std::uint64_t done, std::uint64_t all)
{
    if (unit.bytes) return fmt::format("{} of {}", report::format_bytes(done), report::format_bytes(all));
    return fmt::format("{} of {} {}", report::format_count(done), report::format_count(all), unit.items);
}

std::string rest_of(std::uint64_t done, std::uint64_t all, std::uint64_t elapsed)
{
    if (done == 0) return {};
    const double left =
        static_cast<double>(elapsed) / 1e9 * static_cast<double>(all - done) / static_cast<double>(done);
    // Tenths of a second would be promises.
    const auto seconds = static_cast<std::uint64_t>(left + 0.5);
    return seconds < 60 ? fmt::format("  about {} s left", seconds)
                        : fmt::format("  about {} min left", (seconds + 30) / 60);
}

std::size_t width_of_standard_error()
{
    if (isatty(STDERR_FILENO) == 0) return 0;
    const pid_t foreground = tcgetpgrp(STDERR_FILENO);
    if (foreground >= 0 && foreground != getpgrp()) return 0;
    winsize window{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    return known ? window.ws_col : 80;
}

}  // namespace

std::string progress_line(std::string_view what, WorkUnit unit, std::uint64_t done, std::uint64_t all,
                          std::uint64_t elapsed, std::size_t width)
{
    if (unit.open_ended) {
        const double seconds = std::max(static_cast<double>(elapsed) / 1e9, 1e-3);
        const auto rate = static_cast<std::uint64_t>(static_cast<double>(done) / seconds);
        const std::string line = fmt::format("{}  {} {}  {} a second", what, report::format_count(done),
                                             unit.items, report::format_count(rate));
        return line.substr(0, width > 0 ? width - 1 : 0);
    }
    done = std::min(done, all);
    const double part = all == 0 ? 0 : static_cast<double>(done) / static_cast<double>(all);
    const std::string percent = fmt::format("{:3.0f} %", std::floor(part * 100));
    std::string right =
        fmt::format("{}  {}{}", percent, amount_of(unit, done, all), rest_of(done, all, elapsed));
    const std::size_t frame = what.size() + 4;  // two blanks, two brackets
    // A terminal goes on to the next line once the last column is written.
    const std::size_t room = width > 0 ? width - 1 : 0;
    if (frame + least_bar + right.size() > room) right = percent;
    if (frame + least_bar + right.size() > room)
        return std::string((std::string(what) + " " + percent).substr(0, room));
    const std::size_t bar = room - frame - right.size();
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar));
    return fmt::format("{} [{}{}] {}", what, std::string(filled, '#'), std::string(bar - filled, '.'), right);
}

ProgressScreen progress_on_standard_error()
{
    return {width_of_standard_error,
            [](std::string_view text) {
                [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
            },
            [] {
                const auto now = std::chrono::steady_clock::now().time_since_epoch();
                return static_cast<std::uint64_t>(
                    std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
            }};
}

Progress::Progress(ProgressScreen screen)
    : screen_(std::move(screen)), begin_(screen_.now()), stage_begin_(begin_)
{}

Progress::~Progress()
{
    clear();
}

Tick Progress::stage(std::string what, WorkUnit unit)
{
    what_ = std::move(what);
    unit_ = unit;
    stage_begin_ = screen_.now();
    drawn_ = 0;  // what the bar showed is over
    return [this](std::uint64_t done, std::uint64_t all) { at(done, all); };
}

void Progress::clear() noexcept
{
    if (!shown_) return;
    shown_ = false;
    try {
        screen_.write(erase_line);
    } catch (...) {
        // The bar is not worth an error.
    }
}

void Progress::at(std::uint64_t done, std::uint64_t all) noexcept
{
    try {
        const std::uint64_t now = screen_.now();
        if (now - begin_ < patience || now - drawn_ < between_draws) return;
        if (all == 0 && !unit_.open_ended) return;
        drawn_ = now;
        const std::size_t width = screen_.width();
        if (width == 0) return;
        screen_.write(std::string(erase_line) +
                      progress_line(what_, unit_, done, all, now - stage_begin_, width));
        shown_ = true;
    } catch (...) {
        // As above.
    }
}

}  // namespace fathom
