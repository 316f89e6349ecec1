// Files of rules, and what fits them.
#include "analyzer/projects/rules.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fnmatch.h>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "analyzer/document/printable.h"

namespace fathom {

std::size_t first_rule(const std::vector<ProjectRule>& rules, ProjectRule::Of of, const std::string& text)
{
    const auto fits = [&](const ProjectRule& rule) {
        return rule.of == of && !text.empty() && fnmatch(rule.pattern.c_str(), text.c_str(), 0) == 0;
    };
    return static_cast<std::size_t>(std::find_if(rules.begin(), rules.end(), fits) - rules.begin());
}

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

}  // namespace fathom
