// Remembers for each job the first rule that fits anything of it.
#include "analyzer/jobs/add/projects.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"

namespace fathom::jobs {
namespace {

constexpr ValueType whole = ValueType::integer, words = ValueType::text;

struct Chosen {
    std::size_t rule;
    std::string before;
};

}  // namespace

std::size_t apply_project_rules(Database& database, const std::vector<ProjectRule>& rules)
{
    WriteTransaction transaction(database);
    std::unordered_map<Number, Chosen> chosen;
    database.each(
        "select jobs.id, user_name, project, program_path from jobs left join job_details on job_details.job "
        "= jobs.id where account = ''",
        {}, std::vector{whole, words, words, words}, [&](std::span<const Value> row) {
            std::string user, project, program;
            fetch(row[1], user);
            fetch(row[2], project);
            fetch(row[3], program);
            const std::size_t rule = std::min(first_rule(rules, ProjectRule::Of::user, user),
                                              first_rule(rules, ProjectRule::Of::path, program));
            chosen[std::get<std::int64_t>(row[0])] = {rule, project};
        });
    database.each(
        "select job, path from job_files", {}, std::vector{whole, words}, [&](std::span<const Value> row) {
            const auto job = chosen.find(std::get<std::int64_t>(row[0]));
            if (job != chosen.end())
                job->second.rule = std::min(job->second.rule, first_rule(rules, ProjectRule::Of::path,
                                                                         std::get<std::string>(row[1])));
        });
    std::map<std::string, Values> changed;
    std::size_t count = 0;
    for (const auto& [id, choice] : chosen) {
        const std::string& project = choice.rule < rules.size() ? rules[choice.rule].project : std::string();
        if (project == choice.before) continue;
        changed[project].emplace_back(id);
        ++count;
    }
    for (const auto& [project, ids] : changed)
        run_of(database, "update jobs set project = ? where id in (@keys)", ids, Values{project});
    transaction.commit();
    return count;
}

}  // namespace fathom::jobs
