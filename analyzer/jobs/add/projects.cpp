// Remembers for each job the first rule that fits anything of it.
#include "analyzer/jobs/add/projects.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fnmatch.h>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include "analyzer/document/printable.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"

namespace fathom::jobs {
namespace {

constexpr ValueType whole = ValueType::integer, words = ValueType::text;

std::size_t first_rule(const std::vector<ProjectRule>& rules, ProjectRule::Of of, const std::string& text)
{
    const auto fits = [&](const ProjectRule& rule) {
        return rule.of == of && !text.empty() && fnmatch(rule.pattern.c_str(), text.c_str(), 0) == 0;
    };
    return static_cast<std::size_t>(std::find_if(rules.begin(), rules.end(), fits) - rules.begin());
}

struct Chosen {
    std::size_t rule;
    std::string before;
};

}  // namespace

std::vector<ProjectRule> read_project_rules(const std::string& path)
{
    std::ifstream file(path);
    const auto fail = [&](std::size_t line, const std::string& what) {
        return std::runtime_error(fmt::format("{}{}: {}", report::printable(path),
                                              line == 0 ? "" : fmt::format(", line {}", line), what));
    };
    if (!file) throw fail(0, fmt::format("cannot open: {}; name a file of rules", std::strerror(errno)));
    std::vector<ProjectRule> rules;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        std::istringstream parts(line.substr(0, line.find('#')));
        std::string of, more;
        ProjectRule rule;
        if (!(parts >> of)) continue;
        if ((of != "user" && of != "path") || !(parts >> rule.pattern >> rule.project) || parts >> more)
            throw fail(number,
                       "a rule is 'user PATTERN PROJECT' or 'path PATTERN PROJECT', such as 'path "
                       "/scratch/climate/* climate'");
        rule.of = of == "user" ? ProjectRule::Of::user : ProjectRule::Of::path;
        rules.push_back(std::move(rule));
    }
    if (file.bad()) throw fail(0, "cannot read all of it");
    return rules;
}

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
