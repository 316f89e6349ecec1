// Puts the facts of logformat/job_identity.h into words.
#include "analyzer/sections/overview/job_owner.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "analyzer/document/units.h"
#include "logformat/job_identity.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

// Logs of other tools have -1 where they know of no user.
std::string_view known(const Job& job, std::string_view fact)
{
    const std::string_view value = job.log.fact(fact).value_or("");
    return value == "-1" ? std::string_view() : value;
}

std::string other_values(const Job& job, std::string_view name)
{
    std::set<std::string_view> all;
    for (const Fact& fact : job.log.rows<Fact>())
        if (fact.name == name) all.insert(fact.value);
    return all.size() < 2 ? "" : fmt::format("and {} more", format_count(all.size() - 1));
}

// "alice (1000)", or whichever is known.
std::string name_and_number(std::string_view name, std::string_view number)
{
    if (name.empty() || number.empty()) return std::string(name.empty() ? number : name);
    return fmt::format("{} ({})", name, number);
}

// Slurm numbers the shells of its jobs from the other end: they are no steps of the user's.
std::string step_of(const Job& job)
{
    constexpr std::uint64_t first_shell = 0xfffffff0;
    const std::string_view step = known(job, identity::job_step);
    std::uint64_t number = 0;
    std::from_chars(step.data(), step.data() + step.size(), number);
    if (step.empty() || number >= first_shell) return "";
    return step == identity::several ? "several steps" : fmt::format("step {}", step);
}

std::string place_in_array(const Job& job)
{
    const std::string_view array = known(job, identity::array_job), index = known(job, identity::array_index);
    if (array.empty() && index.empty()) return "";
    if (array.empty()) return fmt::format("index {} of its array", index);
    return index.empty() ? fmt::format("of array {}", array)
                         : fmt::format("index {} of array {}", index, array);
}

// What the batch system was given with the job, and assigned to it.
std::string about_batch_job(const Job& job)
{
    std::string all;
    const auto add = [&](std::string_view words) {
        if (!words.empty()) add_to_list(all, words);
    };
    const auto add_named = [&](std::string_view what, std::string_view fact) {
        if (const auto value = known(job, fact); !value.empty()) add(fmt::format("{} {}", what, value));
    };
    add(step_of(job));
    add(place_in_array(job));
    if (const auto name = known(job, identity::job_name); !name.empty()) add(fmt::format("\"{}\"", name));
    add_named("account", identity::account);
    add_named(known(job, identity::batch_system) == identity::batch_systems[0] ? "partition" : "queue",
              identity::queue);
    if (const auto nodes = known(job, identity::job_nodes); !nodes.empty())
        add(fmt::format("{} {} allocated", nodes, nodes == "1" ? "node" : "nodes"));
    add(other_values(job, identity::job_id));
    return all;
}

}  // namespace

std::vector<Entry> owner_entries(const Job& job)
{
    std::vector<Entry> entries;
    const std::string user = name_and_number(known(job, identity::user_name), known(job, identity::user));
    const std::string group = name_and_number(known(job, identity::group_name), known(job, identity::group));
    std::string about_user = group.empty() ? "" : fmt::format("group {}", group);
    if (const std::string more = other_values(job, identity::user); !more.empty())
        add_to_list(about_user, more);
    if (!user.empty()) entries.push_back({"owner", "user", text(user), about_user});
    const std::string_view id = known(job, identity::job_id), system = known(job, identity::batch_system);
    if (!id.empty())
        entries.push_back({"batch_job", system.empty() ? "job id" : "batch job",
                           text(system.empty() ? std::string(id) : fmt::format("{} {}", system, id)),
                           about_batch_job(job)});
    return entries;
}

Entries owner_facts(const Job& job)
{
    Entries all;
    all.for_programs = true;
    identity::each_fact([&](std::string_view fact) {
        std::string values;
        for (const Fact& one : job.log.rows<Fact>())
            if (one.name == fact) add_to_list(values, one.value);
        if (values.empty()) return;
        std::string label(fact);
        std::replace(label.begin(), label.end(), '_', ' ');
        all.entries.push_back({std::string(fact), label, text(values), ""});
    });
    return all;
}

}  // namespace fathom
