#include "parsers/series/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "parsers/series/clock.h"

namespace fathom::series {
namespace {

template <class Number>
std::optional<Number> all_of(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return number;
}

}  // namespace

bool Lines::next(std::string_view& line)
{
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (++number_ % 4096 == 0 && tick_ != nullptr) tell_progress(*tick_, all_ - rest_.size(), all_);
    return true;
}

std::string Lines::place() const
{
    return fmt::format("line {}", number_);
}

std::vector<std::string_view> words_of(std::string_view line, std::size_t most)
{
    std::vector<std::string_view> words;
    constexpr std::string_view spaces = " \t";
    for (std::size_t at = line.find_first_not_of(spaces);
         at != std::string_view::npos && words.size() < most;) {
        const std::size_t end = line.find_first_of(spaces, at);
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(spaces, end);
    }
    return words;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

std::optional<double> number_in(std::string_view text)
{
    if (text.starts_with('+')) text.remove_prefix(1);
    std::optional<double> number = all_of<double>(text);
    if (const std::size_t comma = text.find(',');
        !number && comma != std::string_view::npos && text.size() < 64) {
        std::string with_point(text);
        with_point[comma] = '.';
        number = all_of<double>(with_point);
    }
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::uint64_t> whole_in(std::string_view text)
{
    return all_of<std::uint64_t>(text);
}

std::optional<std::int64_t> signed_in(std::string_view text)
{
    return all_of<std::int64_t>(text);
}

std::optional<Nanoseconds> from_seconds(double seconds)
{
    constexpr double year_2200 = 7.3e9;
    if (!(seconds >= 0 && seconds < year_2200)) return {};
    const double whole = std::floor(seconds);
    // Microseconds are all that doubles have there.
    return static_cast<Nanoseconds>(whole) * one_second + std::llround((seconds - whole) * 1e6) * 1000;
}

std::optional<Nanoseconds> unix_time(std::string_view text)
{
    constexpr std::uint64_t milliseconds_from = 100'000'000'000;  // seconds would be of the year 5138
    if (const auto whole = whole_in(text)) {
        if (*whole >= milliseconds_from) return from_seconds(static_cast<double>(*whole) / 1e3);
        return from_seconds(static_cast<double>(*whole));
    }
    const auto number = number_in(text);
    return number ? from_seconds(*number) : std::nullopt;
}

std::string shown(std::string_view text)
{
    constexpr std::size_t most = 60;
    std::string clean;
    for (const char letter : text.substr(0, most)) clean += letter >= ' ' && letter <= '~' ? letter : '?';
    return text.size() > most ? clean + "..." : clean;
}

std::optional<Nanoseconds> date_line(std::string_view line, LocalClock& clock)
{
    line = trimmed(line);
    if (line.starts_with("BEGIN ")) line = trimmed(line.substr(6));
    if (line.empty() || line.size() > 48) return {};
    // UNIX time of these years; a count that stands in a line alone is something else.
    if (line.size() >= 9 && line.find_first_not_of("0123456789.") == std::string_view::npos)
        return unix_time(line);
    const auto civil = civil_in(line);
    return civil ? clock.instant(*civil) : std::nullopt;
}

Nanoseconds rounded_step(Nanoseconds step)
{
    constexpr Nanoseconds grain = one_second / 10;
    return (step + grain / 2) / grain * grain;
}

Nanoseconds usual_step(const std::vector<Nanoseconds>& times)
{
    std::map<Nanoseconds, std::size_t> steps;
    for (std::size_t at = 1; at < times.size(); ++at)
        if (times[at] > times[at - 1]) ++steps[rounded_step(times[at] - times[at - 1])];
    const auto usual = std::ranges::max_element(steps, {}, [](const auto& step) { return step.second; });
    return usual == steps.end() ? 0 : usual->first;
}

}  // namespace fathom::series
