// Times as programs print them, and the local ones among them as instants.
#pragma once

#include <optional>
#include <string_view>

#include "logformat/series/builder.h"

namespace fathom::series {

// A date and a time of day, and the zone where it is said.
struct Civil {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    Nanoseconds fraction = 0;
    std::optional<int> offset;  // seconds east of Greenwich
    bool operator==(const Civil&) const = default;
};

// "2018-01-28 00:00:05", "2018-01-28T00:00:05.25+0100", "2019-05-15-12:01:00", "11/23/26 20:12:49",
// "11/23/2026 08:12:49 PM", "23.11.2026 20:12:49", "Mon Nov 23 20:06:57 UTC 2026"; a Z is a zone.
// `day_first`: 11/12/26 is in December. Nothing inside: no such time.
std::optional<Civil> civil_in(std::string_view text, bool day_first = false);

// Whether dates with slashes have the day first: what one of them alone can tell. Nothing inside: it does
// not.
std::optional<bool> day_comes_first(std::string_view text);

// Local times of one file in the order of its lines, in the process's time zone (TZ). Of the hour that comes
// twice when daylight saving ends, a time is the first one that is not before the time ahead of it in the
// file.
class LocalClock {
  public:
    explicit LocalClock(Builder& builder) : builder_(builder) {}

    // Nothing inside: this time does not exist, the clock skipped it; the builder is told.
    std::optional<Nanoseconds> instant(const Civil& time);
    // A new series of lines: those before say nothing of the next time.
    void begin() { last_.reset(); }

  private:
    Builder& builder_;
    std::optional<Nanoseconds> last_;
};

// While it lives, local times are those of this zone ("America/New_York"); empty: the machine's. Not to be
// used by several threads. Throws std::invalid_argument: no such zone is known here.
class ZoneInUse {
  public:
    explicit ZoneInUse(const std::string& zone);
    ~ZoneInUse();
    ZoneInUse(const ZoneInUse&) = delete;
    ZoneInUse& operator=(const ZoneInUse&) = delete;

  private:
    std::optional<std::string> before_;
    bool changed_ = false;
};

}  // namespace fathom::series
