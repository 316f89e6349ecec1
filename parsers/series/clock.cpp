#include "parsers/series/clock.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

#include "parsers/series/words.h"

namespace fathom::series {
namespace {

// Takes a text apart from its begin.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    bool number(int& value, std::size_t least, std::size_t most)
    {
        std::size_t digits = 0;
        int read = 0;
        while (digits < most && digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9')
            read = read * 10 + (rest_[digits++] - '0');
        if (digits < least) return false;
        rest_.remove_prefix(digits);
        value = read;
        return true;
    }
    bool any_of(std::string_view letters)
    {
        if (rest_.empty() || letters.find(rest_[0]) == std::string_view::npos) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void spaces() { rest_ = trimmed(rest_); }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

constexpr std::string_view month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool is_date(const Civil& time)
{
    const std::chrono::year_month_day date{std::chrono::year(time.year),
                                           std::chrono::month(static_cast<unsigned>(time.month)),
                                           std::chrono::day(static_cast<unsigned>(time.day))};
    return date.ok() && time.year >= 1970 && time.year <= 2200 && time.hour <= 23 && time.minute <= 59 &&
           time.second <= 60;
}

// "20:12:49", "08:12:49 PM", "20:12:49.123456"
bool take_clock(Scanner& scan, Civil& time)
{
    if (!scan.number(time.hour, 1, 2) || !scan.any_of(":") || !scan.number(time.minute, 2, 2)) return false;
    if (scan.any_of(":") && !scan.number(time.second, 2, 2)) return false;
    if (scan.any_of(".,")) {
        int digit = 0;
        for (Nanoseconds worth = one_second / 10; scan.number(digit, 1, 1); worth /= 10)
            time.fraction += digit * worth;
    }
    scan.spaces();
    const std::string_view half = scan.rest().substr(0, 2);
    if (half == "AM" || half == "PM") {
        if (time.hour < 1 || time.hour > 12) return false;
        time.hour = time.hour % 12 + (half == "PM" ? 12 : 0);
        scan = Scanner(scan.rest().substr(2));
        scan.spaces();
    }
    return true;
}

// "Z", "UTC", "+0100", "+01:00", "-05"
bool take_zone(Scanner& scan, Civil& time)
{
    const std::string_view rest = scan.rest();
    for (const std::string_view name : {"UTC", "GMT", "Z"})
        if (rest.starts_with(name)) {
            time.offset = 0;
            scan = Scanner(rest.substr(name.size()));
            return true;
        }
    const bool west = rest.starts_with('-');
    if (!scan.any_of("+-")) return true;
    int hours = 0, minutes = 0;
    if (!scan.number(hours, 2, 2)) return false;
    scan.any_of(":");
    scan.number(minutes, 2, 2);
    if (hours > 15 || minutes > 59) return false;
    time.offset = (west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

// "11/23/26", "23.11.2026", "2018-01-28"
bool take_date(Scanner& scan, Civil& time, bool day_first)
{
    int first = 0, second = 0, third = 0;
    const bool iso = scan.number(first, 4, 4);
    if (!iso && !scan.number(first, 1, 2)) return false;
    const char between = scan.rest().empty() ? ' ' : scan.rest()[0];
    if (!scan.any_of("-/.") || !scan.number(second, 1, 2) || !scan.any_of(std::string_view(&between, 1)))
        return false;
    if (!scan.number(third, 1, iso ? 2 : 4)) return false;
    if (iso) {
        time.year = first;
        time.month = second;
        time.day = third;
        return true;
    }
    const bool swapped = day_first || between == '.';
    time.month = swapped ? second : first;
    time.day = swapped ? first : second;
    time.year = third < 100 ? 2000 + third : third;
    return true;
}

// "Mon Nov 23 20:06:57 UTC 2026"; another zone's name is not one that can be known.
std::optional<Civil> as_date_prints(std::string_view text)
{
    const auto words = words_of(text, 8);
    if (words.size() < 5 || words.size() > 7 || words[0].size() != 3) return {};
    Civil time;
    for (std::size_t at = 0; at < std::size(month_names); ++at)
        if (words[1] == month_names[at]) time.month = static_cast<int>(at) + 1;
    if (time.month == 0 || !Scanner(words[2]).number(time.day, 1, 2)) return {};
    std::string clock(words[3]);
    std::size_t at = 4;
    if (words[at] == "AM" || words[at] == "PM") clock += fmt::format(" {}", words[at++]);
    Scanner scan(clock);
    if (!take_clock(scan, time) || !scan.rest().empty() || at >= words.size()) return {};
    if (words[at] == "UTC" || words[at] == "GMT") time.offset = 0;
    Scanner year(words.back());
    if (!year.number(time.year, 4, 4) || !year.rest().empty() || !is_date(time)) return {};
    return time;
}

Nanoseconds as_if_utc(const Civil& time)
{
    const std::chrono::sys_days date = std::chrono::year_month_day{
        std::chrono::year(time.year), std::chrono::month(static_cast<unsigned>(time.month)),
        std::chrono::day(static_cast<unsigned>(time.day))};
    return (date.time_since_epoch().count() * 86400 + time.hour * 3600 + time.minute * 60 + time.second) *
               one_second +
           time.fraction;
}

// The instants that this local time is: none, one or two, the earlier one first.
std::vector<Nanoseconds> instants_of(const Civil& time)
{
    std::vector<Nanoseconds> found;
    for (const int summer : {1, 0}) {
        std::tm parts{};
        parts.tm_year = time.year - 1900;
        parts.tm_mon = time.month - 1;
        parts.tm_mday = time.day;
        parts.tm_hour = time.hour;
        parts.tm_min = time.minute;
        parts.tm_sec = time.second;
        parts.tm_isdst = summer;
        const std::time_t seconds = std::mktime(&parts);
        const bool same = seconds != -1 && parts.tm_mday == time.day && parts.tm_hour == time.hour &&
                          parts.tm_min == time.minute && parts.tm_sec == time.second % 60;
        const Nanoseconds instant = seconds * one_second + time.fraction;
        if (same && (found.empty() || found.back() != instant)) found.push_back(instant);
    }
    if (found.size() == 2 && found[1] < found[0]) std::swap(found[0], found[1]);
    return found;
}

}  // namespace

std::optional<Civil> civil_in(std::string_view text, bool day_first)
{
    text = trimmed(text);
    if (const auto printed = as_date_prints(text)) return printed;
    Civil time;
    Scanner scan(text);
    if (!take_date(scan, time, day_first) || !scan.any_of("T- ")) return {};
    scan.spaces();
    if (!take_clock(scan, time) || !take_zone(scan, time) || !scan.rest().empty() || !is_date(time))
        return {};
    return time;
}

std::optional<bool> day_comes_first(std::string_view text)
{
    Scanner scan(trimmed(text));
    int first = 0, second = 0;
    if (!scan.number(first, 1, 2) || !scan.any_of("/") || !scan.number(second, 1, 2) || !scan.any_of("/"))
        return {};
    if (first > 12 && second <= 12) return true;
    if (second > 12 && first <= 12) return false;
    return {};
}

std::optional<Nanoseconds> LocalClock::instant(const Civil& time)
{
    if (time.offset) return last_ = as_if_utc(time) - *time.offset * one_second;
    const std::vector<Nanoseconds> some = instants_of(time);
    if (some.empty()) {
        const char* const zone = std::getenv("TZ");
        builder_.left_out(
            fmt::format("their local times do not exist in the time zone {}, whose clocks skip that hour; "
                        "--time-zone names another",
                        zone == nullptr ? "of this machine" : zone),
            fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", time.year, time.month, time.day, time.hour,
                        time.minute, time.second));
        return {};
    }
    const bool first_is_over = some.size() == 2 && last_ && some[0] < *last_;
    return last_ = some[first_is_over ? 1 : 0];
}

ZoneInUse::ZoneInUse(const std::string& zone)
{
    if (zone.empty()) return;
    const bool harmless = zone.find("..") == std::string::npos && zone[0] != '/' && zone[0] != ':';
    std::error_code unknown;
    if (zone != "UTC" &&
        !(harmless && std::filesystem::is_regular_file("/usr/share/zoneinfo/" + zone, unknown)))
        throw std::invalid_argument(
            fmt::format("{}: no such time zone is known here; say one as Europe/Berlin, or UTC", zone));
    if (const char* const before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
    changed_ = true;
}

ZoneInUse::~ZoneInUse()
{
    if (!changed_) return;
    if (before_)
        ::setenv("TZ", before_->c_str(), 1);
    else
        ::unsetenv("TZ");
    ::tzset();
}

}  // namespace fathom::series
