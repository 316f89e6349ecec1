// Moments as people say them.
#pragma once

#include <cstdint>
#include <string>

namespace fathom::jobs {

// "2026-11-01", "2026-11-01T08:30", with seconds or without, "today", "yesterday", "3 days ago" ("hours",
// "weeks"),
// "@1790000000" (seconds of UNIX time); all in UTC, as reports have it. Nanoseconds of UNIX time. `now` is
// that of the question. Throws std::invalid_argument: what one can say.
std::int64_t moment_of(const std::string& said, std::int64_t now);

// What a moment named by its day alone lasts to: the day after; else the moment itself.
std::int64_t end_of_moment(const std::string& said, std::int64_t now);

}  // namespace fathom::jobs
