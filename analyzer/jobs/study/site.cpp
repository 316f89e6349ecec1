// Conditions have the numbers of the choice in them; names go in as values.
#include "analyzer/jobs/study/site.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/printable.h"

namespace fathom::jobs {
namespace {

struct ByWords {
    std::string_view column, word, words, of_allocation;  // the column of allocations that has it too
};
constexpr ByWords by_words[] = {{"jobs.project", "project", "projects", "account"},
                                {"jobs.user_name", "user", "users", "user_name"},
                                {"jobs.program", "program", "programs", ""}};

const ByWords& words_by(By by)
{
    return by_words[static_cast<std::size_t>(by)];
}

std::string in_time(std::string_view table, const StudyChoice& choice)
{
    std::string condition;
    if (choice.since) condition += fmt::format(" and {}.start_ns >= {}", table, *choice.since);
    if (choice.before)
        condition += fmt::format(" and {0}.start_ns > 0 and {0}.start_ns < {1}", table, *choice.before);
    return condition;
}

}  // namespace

std::string sum_of(std::string_view expression)
{
    return fmt::format("cast(coalesce(sum({}), 0) as bigint)", expression);
}

bool Site::any(const std::string& sql)
{
    bool found = false;
    each("n", sql + " limit 1", [&](const AskedRow&) { found = true; });
    return found;
}

// The key alone gives the order: by the index of times SQLite would sort all that is left for each page.
std::string Site::page_of_runs(std::string_view columns, std::string condition, Number at_once)
{
    constexpr std::string_view time = "jobs.start_ns";
    for (std::size_t at = 0; (at = condition.find(time, at)) != std::string::npos; at += time.size() + 1)
        condition.insert(at, "+");
    return fmt::format("select jobs.id, {} from jobs where jobs.id > ? and {} order by jobs.id limit {}",
                       columns, condition, at_once);
}

std::string Site::runs() const
{
    return "jobs.recorded = 1" + in_time("jobs", choice_);
}

std::string Site::large_runs() const
{
    return fmt::format("{} and jobs.processes >= {} and jobs.bytes_read + jobs.bytes_written >= {}", runs(),
                       std::max<Number>(choice_.large_processes, 1), choice_.large_bytes);
}

std::string Site::allocations() const
{
    return "a.end_ns >= a.start_ns" + in_time("a", choice_);
}

std::string_view Site::column(By by)
{
    return words_by(by).column;
}
std::string_view Site::word(By by)
{
    return words_by(by).word;
}
std::string_view Site::words() const
{
    return words_by(choice_.by).words;
}

const Groups& Site::groups(By by)
{
    auto& known = groups_[static_cast<std::size_t>(by)];
    if (known) return *known;
    Groups& found = known.emplace();
    each("tnnn",
         fmt::format("select {0}, count(*), {1}, {2} from jobs where {3} group by {0}", column(by),
                     sum_of("jobs.bytes_read"), sum_of("jobs.bytes_written"), runs()),
         [&](const AskedRow& row) {
             found.groups.push_back({row.text(0), row.count(1), row.count(2), row.count(3)});
             found.place[row.text(0)] = 0;
         });
    // Those that have no log of theirs come last.
    if (const std::string_view same = words_by(by).of_allocation; !same.empty())
        each("t", fmt::format("select distinct a.{} from allocations a where {}", same, allocations()),
             [&](const AskedRow& row) {
                 if (found.place.try_emplace(row.text(0), 0).second)
                     found.groups.push_back({.name = row.text(0)});
             });
    std::sort(found.groups.begin(), found.groups.end(), [](const Group& a, const Group& b) {
        if (a.bytes() != b.bytes()) return a.bytes() > b.bytes();
        return a.runs != b.runs ? a.runs > b.runs : a.name < b.name;
    });
    for (std::size_t at = 0; at < found.groups.size(); ++at) found.place[found.groups[at].name] = at;
    return found;
}

std::span<const Group> Site::shown()
{
    const auto& all = groups().groups;
    const auto end = std::find_if(all.begin(), all.end(), [](const Group& one) { return one.runs == 0; });
    return {all.data(), std::min(static_cast<std::size_t>(end - all.begin()), choice_.top)};
}

std::string Site::label(By by, const std::string& name)
{
    if (name.empty()) return fmt::format("(no {})", word(by));
    if (!choice_.anonymize) return report::printable(name);
    const auto& place = groups(by).place;
    const auto found = place.find(name);
    // One without a name has a number too, which nobody sees.
    return found == place.end() ? fmt::format("another {}", word(by))
                                : fmt::format("{}{}", word(by), found->second + 1);
}

}  // namespace fathom::jobs
