// Time of an operation as a straight line of its size, one line for sizes up to a page and one for larger
// ones.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), sections
// 4.2 and 6: d(s) = I + c s; least squares over the sizes up to 4096 bytes; over the larger ones with the
// value at 4096 held at that of the line before. Errors: its table 3.
#pragma once

#include <optional>
#include <span>

namespace fathom {

// The largest size of the first line, in bytes, and where the second one is held.
inline constexpr double page_bytes = 4096;

// y = intercept + slope x.
struct Line {
    double intercept = 0, slope = 0;
    double at(double x) const { return intercept + slope * x; }
};

struct TwoLines {
    std::optional<Line> small, large;  // up to a page, and above

    bool any() const { return small || large; }
    // Seconds for a size in bytes, never below 0: a line that falls, or begins below 0, stays a line of the
    // least squares, but no time is negative. Nothing where that size has no line, or is no number of 0 or
    // more.
    std::optional<double> at(double size) const;
};

// What is made as small as can be: the squares of seconds, or of shares of the time. By `absolute` the
// largest sizes count most, by `relative` all alike.
enum class Misfit { absolute, relative };

// `times`, in seconds, are as many as `sizes`, in bytes, in any order; a size may come more than once.
//
// Where sizes are all on one side of 4096 only that line is there; the large one is then a line of its own,
// that nothing holds. Of one size alone the first line is level, and so is a large one that nothing holds.
// Nothing where there are no sizes, one is not a number of 0 or more, a time is not a number above 0, or
// there are not as many of them.
std::optional<TwoLines> fit_two_lines(std::span<const double> sizes, std::span<const double> times,
                                      Misfit misfit = Misfit::absolute);

// How far a line is from what was measured: means over the sizes, of |line - time| in seconds, and of
// |line - time| / time.
struct LineError {
    double absolute = 0, relative = 0;
};

// Nothing where there is no size, or one without a line. As fit_two_lines else.
std::optional<LineError> error_of(const TwoLines& lines, std::span<const double> sizes,
                                  std::span<const double> times);

}  // namespace fathom
