// Values never are a part of the SQL.
#include "analyzer/jobs/list/choice.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "analyzer/jobs/list/when.h"

namespace fathom::jobs {
namespace {

constexpr Filter filter_rows[] = {
    {"--user", "NAME", "of this user", FilterKind::text, "user_name"},
    {"--project", "NAME", "of this project", FilterKind::text, "project"},
    {"--program", "NAME", "that ran this program", FilterKind::text, "program"},
    {"--job", "ID", "of this job of the batch system, or this step of it (4711.0)", FilterKind::job, "job"},
    {"--queue", "NAME", "of this queue or partition", FilterKind::text, "queue", false},
    {"--since", "DATE", "that began then or later", FilterKind::since, "start_ns"},
    {"--until", "DATE", "that began before its end", FilterKind::until, "start_ns"},
    {"--nodes", "N", "on so many nodes", FilterKind::count, "nodes"},
    {"--processes", "N", "of so many processes", FilterKind::count, "coalesce(processes, -1)"},
    {"--bytes", "SIZE", "that moved so much", FilterKind::bytes, "bytes"},
    {"--run-time", "TIME", "that took so long", FilterKind::duration, "coalesce(run_ns, -1)"},
    {"--finding", "RULE,...", "with a finding of this rule, or of one of several (A,B)", FilterKind::finding,
     "finding"},
    {"--cost", "TIME", "whose costliest finding costs so much", FilterKind::duration,
     "coalesce(finding_cost_ns, -1)"},
};

struct Suffix {
    std::string_view name;
    double factor;
};
constexpr Suffix no_suffixes[] = {{"", 1}};
constexpr Suffix of_sizes[] = {{"", 1},       {"B", 1},        {"K", 0x1p10}, {"KiB", 0x1p10},
                               {"M", 0x1p20}, {"MiB", 0x1p20}, {"G", 0x1p30}, {"GiB", 0x1p30},
                               {"T", 0x1p40}, {"TiB", 0x1p40}, {"P", 0x1p50}, {"PiB", 0x1p50}};
constexpr Suffix of_times[] = {{"", 1e9},     {"s", 1e9},    {"ms", 1e6},   {"us", 1e3},
                               {"min", 6e10}, {"h", 3.6e12}, {"d", 8.64e13}};

std::span<const Suffix> suffixes_of(FilterKind kind)
{
    if (kind == FilterKind::bytes) return of_sizes;
    if (kind == FilterKind::duration) return of_times;
    return no_suffixes;
}

void add(const Filter& filter, std::string sql, Value value, Choice& choice)
{
    choice.conditions.push_back(
        {std::move(sql), {std::move(value)}, filter.indexed ? filter.column : std::string_view()});
}

[[noreturn]] void refuse(const Filter& filter, const std::string& said)
{
    const char* const how = filter.kind == FilterKind::bytes      ? "a size, such as 1TiB or '>500MiB'"
                            : filter.kind == FilterKind::duration ? "a time, such as '>10min', '<=30s' or 2h"
                                                                  : "a number, such as 64 or '>64'";
    throw std::invalid_argument(fmt::format("{} {}: say {}", filter.name, said, how));
}

// ">10min": the comparison, and the number in the column's unit.
void compare(const Filter& filter, const std::string& said, Choice& choice)
{
    std::string_view text = said;
    std::string_view sign = ">=";  // "--nodes 64": a bare number is the least
    for (const std::string_view one : {">=", "<=", ">", "<", "="})
        if (text.starts_with(one)) {
            sign = one;
            text.remove_prefix(one.size());
            break;
        }
    while (text.starts_with(' ')) text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number) || number < 0) refuse(filter, said);
    std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (suffix.starts_with(' ')) suffix.remove_prefix(1);
    for (const Suffix& one : suffixes_of(filter.kind)) {
        if (one.name != suffix) continue;
        if (number * one.factor >= 9.2e18) refuse(filter, said);
        // What is not known is -1 in indexes, and less than nothing.
        const std::string known = sign.starts_with('<') ? fmt::format(" and {} >= 0", filter.column) : "";
        add(filter, fmt::format("{} {} ?{}", filter.column, sign, known),
            static_cast<Number>(std::llround(number * one.factor)), choice);
        return;
    }
    refuse(filter, said);
}

// * stands for any letters; then capitals do not matter.
void match(const Filter& filter, const std::string& said, Choice& choice)
{
    if (said.find('*') == std::string::npos) {
        add(filter, fmt::format("{} = ?", filter.column), said, choice);
        return;
    }
    std::string pattern;
    for (const char letter : said) {
        if (letter == '%' || letter == '_' || letter == '\\') pattern += '\\';
        pattern += letter == '*' ? '%' : letter;
    }
    choice.add(fmt::format("lower({}) like lower(?) escape '\\'", filter.column), {pattern});
}

// "4711.0" may be a step of job 4711; ids of some batch systems have a dot in them.
void match_job(const Filter& filter, const std::string& said, Choice& choice)
{
    const std::size_t dot = said.rfind('.');
    if (dot == std::string::npos || said.find('*') != std::string::npos) return match(filter, said, choice);
    choice.conditions.push_back({"job = ? or (job = ? and step = ?)",
                                 {said, said.substr(0, dot), said.substr(dot + 1)},
                                 filter.column});
}

// One of these rules: "a,b".
void add_findings(const Filter& filter, std::string_view said, Choice& choice)
{
    std::string marks;
    Values rules;
    for (std::size_t begin = 0; begin <= said.size();) {
        const std::size_t end = std::min(said.find(',', begin), said.size());
        rules.emplace_back(std::string(said.substr(begin, end - begin)));
        marks += marks.empty() ? "?" : ",?";
        begin = end + 1;
    }
    // The view, which has all of them also where a session sees some jobs alone: those of these are meant.
    choice.conditions.push_back(
        {fmt::format("id in (select job from fathom_job_findings where finding in ({}))", marks),
         std::move(rules), filter.column,
         fmt::format("exists (select 1 from fathom_job_findings where finding in ({}) and job = jobs.id)",
                     marks)});
}

}  // namespace

std::span<const Filter> filters()
{
    return filter_rows;
}

std::string Choice::where(bool one_by_one) const
{
    std::string text;
    for (const Condition& one : conditions)
        text += fmt::format("{} ({})", text.empty() ? "where" : " and",
                            one_by_one && !one.one_by_one.empty() ? one.one_by_one : one.sql);
    return text;
}

Values Choice::values() const
{
    Values all;
    for (const Condition& one : conditions) all.insert(all.end(), one.values.begin(), one.values.end());
    return all;
}

void add_filter(const Filter& filter, const std::string& said, std::int64_t now, Choice& choice)
{
    const auto moment = [&](auto of) {
        try {
            return of(said, now);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("{} {}", filter.name, error.what()));
        }
    };
    switch (filter.kind) {
        case FilterKind::text:
            return match(filter, said, choice);
        case FilterKind::job:
            return match_job(filter, said, choice);
        case FilterKind::since:
            return add(filter, "start_ns >= ?", moment(moment_of), choice);
        case FilterKind::until:
            return add(filter, "start_ns < ?", moment(end_of_moment), choice);
        case FilterKind::finding:
            return add_findings(filter, said, choice);
        case FilterKind::count:
        case FilterKind::bytes:
        case FilterKind::duration:
            return compare(filter, said, choice);
    }
}

void add_ids(std::span<const Number> ids, Choice& choice)
{
    if (ids.empty()) return;
    std::string marks;
    Values values;
    for (const Number id : ids) {
        marks += marks.empty() ? "?" : ",?";
        values.push_back(id);
    }
    choice.add(fmt::format("id in ({})", marks), std::move(values));
}

}  // namespace fathom::jobs
