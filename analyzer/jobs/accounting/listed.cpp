#include "analyzer/jobs/accounting/listed.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fmt/format.h>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

constexpr Number ns_a_second = 1'000'000'000;
// Year 2262: what nanoseconds of 63 bits can tell.
constexpr std::uint64_t last_second = 9'223'372'036;

constexpr std::string_view no_times[] = {"", "Unknown", "None", "N/A", "INVALID"};

// Slurm's own numbers for steps that have a name.
struct StepName {
    std::string_view number, name;
};
constexpr StepName step_names[] = {
    {"4294967290", "interactive"}, {"4294967291", "batch"}, {"4294967292", "extern"}, {"4294967293", "TBD"}};
// Numbers that stand for "none": those of 32 bits, and those of 64.
constexpr std::uint64_t no_numbers[] = {0xfffffffe, 0xffffffff, ~std::uint64_t{0}, ~std::uint64_t{1}};

// All of the text, or nothing.
bool read_number(std::string_view text, std::uint64_t& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

[[noreturn]] void no_time(std::string_view text)
{
    throw Unusable(fmt::format("'{}' is no time (2026-11-21T09:33:58 is one, and seconds of UNIX time)",
                               report::printable(text.substr(0, 40))));
}

int digits_at(std::string_view text, std::size_t at, std::size_t count)
{
    int number = 0;
    for (const char digit : text.substr(at, count)) number = number * 10 + (digit - '0');
    return number;
}

bool has_form(std::string_view text, std::string_view form)
{
    if (text.size() != form.size()) return false;
    for (std::size_t at = 0; at < form.size(); ++at)
        if (form[at] == '0' ? text[at] < '0' || text[at] > '9' : text[at] != form[at]) return false;
    return true;
}

// "2017-03-20T01:59:02"
std::time_t local_time(std::string_view text)
{
    std::tm parts{};
    parts.tm_year = digits_at(text, 0, 4) - 1900;
    parts.tm_mon = digits_at(text, 5, 2) - 1;
    const int day = parts.tm_mday = digits_at(text, 8, 2);
    parts.tm_hour = digits_at(text, 11, 2);
    parts.tm_min = digits_at(text, 14, 2);
    parts.tm_sec = digits_at(text, 17, 2);
    parts.tm_isdst = -1;
    if (parts.tm_mon > 11 || parts.tm_hour > 23 || parts.tm_min > 59 || parts.tm_sec > 60) no_time(text);
    const std::time_t seconds = std::mktime(&parts);
    // The 30th of February becomes a day of March.
    if (seconds < 0 || (parts.tm_mday != day && day > 28)) no_time(text);
    return seconds;
}

std::string_view digits_of(std::string_view text)
{
    return text.substr(0, text.find_first_not_of("0123456789"));
}

// "4711", "4711_3", "4711+1" (a part of a job with several kinds of nodes), "4711_[1-9]" (not started).
bool is_job_id(std::string_view text)
{
    const std::string_view number = digits_of(text);
    if (number.empty() || number.size() > 20) return false;
    text.remove_prefix(number.size());
    if (text.empty()) return true;
    if (text[0] != '_' && text[0] != '+') return false;
    text.remove_prefix(1);
    return !text.empty() && (text[0] == '[' || digits_of(text).size() == text.size());
}

}  // namespace

Number time_of_seconds(std::uint64_t seconds)
{
    if (std::find(std::begin(no_numbers), std::end(no_numbers), seconds) != std::end(no_numbers)) return 0;
    if (seconds > last_second)
        throw Unusable(fmt::format("{} is no time in seconds: it is later than the year 2262", seconds));
    return static_cast<Number>(seconds) * ns_a_second;
}

Number time_of(std::string_view text)
{
    if (std::find(std::begin(no_times), std::end(no_times), text) != std::end(no_times)) return 0;
    std::uint64_t seconds = 0;
    if (read_number(text, seconds)) return time_of_seconds(seconds);
    if (!has_form(text, "0000-00-00T00:00:00") && !has_form(text, "0000-00-00 00:00:00")) no_time(text);
    return time_of_seconds(static_cast<std::uint64_t>(local_time(text)));
}

Known count_of(std::string_view text)
{
    if (text.empty()) return {};
    std::uint64_t number = 0;
    if (!read_number(text, number) || number > std::uint64_t{1} << 62)
        throw Unusable(fmt::format("'{}' is no count of anything", report::printable(text.substr(0, 40))));
    return static_cast<Number>(number);
}

std::string stored_text(std::string_view text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](char byte) { return byte > 0; });
    if (plain) return std::string(text);
    std::string valid = report::valid_utf8(text);
    std::erase(valid, '\0');
    return valid;
}

std::string state_of_words(std::string_view text)
{
    return stored_text(text.substr(0, text.find(' ')));
}

std::string step_named(std::string_view step)
{
    for (const StepName& one : step_names)
        if (step == one.number) return std::string(one.name);
    return stored_text(step);
}

void set_id(std::string_view id, std::string_view raw, Listed& listed)
{
    const std::string_view both = raw.empty() ? id : raw;
    const std::size_t dot = both.find('.');
    const std::string_view job = both.substr(0, dot);
    if (!is_job_id(job) || dot == both.size() - 1)
        throw Unusable(fmt::format("'{}' is no id of a job", report::printable(both.substr(0, 40))));
    listed.job = job;
    listed.step = dot == std::string_view::npos ? "" : step_named(both.substr(dot + 1));
    const std::string_view array = id.substr(0, id.find('.'));
    const std::size_t mark = array.find('_');
    if (mark == std::string_view::npos || array.find('[') != std::string_view::npos) return;
    listed.array_job = stored_text(array.substr(0, mark));
    listed.array_index = stored_text(array.substr(mark + 1));
}

bool has_started(Listed& listed)
{
    if (listed.start == 0 || listed.state == "PENDING" || listed.step == "TBD") return false;
    // sacct --truncate prints the end of the time asked for.
    if (listed.state == "RUNNING" || listed.state == "SUSPENDED") listed.end = 0;
    // In the hour that clocks repeat in autumn, local time goes back.
    if (listed.end != 0 && listed.end < listed.start && listed.elapsed &&
        listed.start - listed.end <= 3600 * ns_a_second)
        listed.end = listed.start + *listed.elapsed;
    if (listed.end != 0 && listed.end < listed.start)
        throw Unusable(fmt::format("job {} ends {} s before it starts", listed.job,
                                   (listed.start - listed.end) / ns_a_second));
    return true;
}

}  // namespace fathom::jobs
