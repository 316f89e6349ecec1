// The course of a kind over time: levels and where they change, trend, and what in it is slower than before,
// with how often that would be said of a history in which nothing happened.
//
// Source: METHODS section 17.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/history/kind.h"
#include "analyzer/history/usual.h"
#include "analyzer/methods/change_points.h"

namespace fathom::history {

// A stretch of runs between two changes.
struct Level {
    std::size_t from = 0, to = 0;  // places in Course::seconds; to: the first behind it
    double median = 0;             // s
};

// Only runs whose time in I/O is known.
struct Course {
    std::vector<const KindRun*> runs;  // in the order of time
    std::vector<double> seconds;       // in I/O of the slowest rank, of each
    std::vector<Level> levels;         // at least one where there are runs
    std::vector<ChangePoint> changes;  // one fewer; values are logarithms of seconds
    // Of the logarithm, a day; with a chance. Nothing of fewer than `fewest_to_judge` runs.
    std::optional<Trend> trend;

    const Level& level_of(std::size_t run) const;
    // The runs of its level that a run is laid beside: the earlier ones, but those just before it that are
    // slow themselves; of fewer than `fewest_to_judge`, all others of the level.
    std::vector<std::size_t> others_beside(std::size_t run) const;
    std::vector<double> others_of(std::size_t run) const;  // their seconds
    // How many runs there are in 30 days, from the first to the last; nothing of runs within one hour.
    std::optional<double> runs_a_month() const;
};

// Refers to the kind's runs.
Course course_of(const Kind& kind);

// A trend beside which chance is as unlikely as for changes.
bool is_sure(const Trend& trend);

// What is to be told of: slower by this share or more, and since then.
struct SlowerRule {
    double share = 0.2;
    Number since = 0;  // ns of UNIX time; 0: changes of all time, and of single runs one
    Number job = 0;    // its id; 0: the newest
};

struct Slower {
    enum class What : unsigned char { level, run } what = What::level;
    std::size_t run = 0;           // of the course: the first of the new level, or the slow one
    double before = 0, after = 0;  // s: medians of levels; or the median of the others, and the run's time
    double chance = 1;             // of as much where nothing happened

    double ratio() const { return after / before; }
};

// Levels that are slower than the one before, by 1 % at least, and still are; a run that is slower than all
// others of its level and than is usual. None of fewer than `fewest_to_judge` runs.
std::vector<Slower> what_is_slower(const Course& course, const SlowerRule& rule);

// How often `what_is_slower` would newly say so in 30 days of a history of the same runs in which nothing
// happened. From the history itself: single runs by laying each beside the others; levels by histories of the
// same times, less their level, in drawn orders. Nothing where it is not known how many runs a month has, or
// with too few runs.
std::optional<double> false_alarms_a_month(const Course& course, const SlowerRule& rule);

}  // namespace fathom::history
