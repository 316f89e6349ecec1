// A row of filters is an option.
#include "analyzer/commands/jobs_choice.h"

#include <fmt/format.h>

#include "analyzer/commands/jobs_options.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/named_rules.h"

namespace fathom {
namespace {

constexpr const char* choice_help = R"(
FILTERS
  All that are said must hold. In names * stands for any letters. A number may have
  >, >=, <, <= or = before it, in quotes: --nodes '>64', --cost '>10min', --bytes
  '>=1TiB'; without one it is the least. Dates are UTC: 2026-11-01, 2026-11-01T08:30,
  today, yesterday, '3 days ago'.
)";

std::vector<jobs::Number> ids_of(const std::vector<std::string>& words)
{
    std::vector<jobs::Number> ids;
    for (std::string word : words) {
        std::erase(word, ',');  // as lists show it
        std::size_t end = 0;
        try {
            ids.push_back(std::stoll(word, &end));
        } catch (const std::exception&) {
            end = 0;
        }
        if (end == 0 || end != word.size())
            throw BadUsage(
                fmt::format("jobs: {}: no id; `fathom jobs list` has them in its first column, and --job "
                            "names a job of the batch system",
                            word));
    }
    return ids;
}

}  // namespace

CommandLine choice_line(ChoiceOptions& options, const char* ids, const char* meaning)
{
    CommandLine line;
    if (*ids != '\0') line.options.push_back({ids, "ID", meaning, &options.ids});
    line.options.push_back(database_option(options.url));
    options.said.resize(jobs::filters().size());
    for (std::size_t at = 0; at < options.said.size(); ++at) {
        const jobs::Filter& filter = jobs::filters()[at];
        OptionDetails details;
        if (filter.kind == jobs::FilterKind::finding)
            for (const FindingRule& rule : finding_rules()) details.offers.emplace_back(rule.id);
        line.options.push_back({filter.name, filter.argument, filter.meaning, &options.said[at], details});
    }
    return line;
}

std::string help_on_choices()
{
    return std::string(choice_help) + help_on_databases;
}

jobs::Choice choice_of(const ChoiceOptions& options)
{
    jobs::Choice choice;
    const std::int64_t moment = unix_now();
    try {
        for (std::size_t at = 0; at < options.said.size(); ++at)
            if (!options.said[at].empty())
                jobs::add_filter(jobs::filters()[at],
                                 jobs::filters()[at].kind == jobs::FilterKind::finding
                                     ? rules_named(options.said[at])
                                     : options.said[at],
                                 moment, choice);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("jobs: {}", error.what()));
    }
    jobs::add_ids(ids_of(options.ids), choice);
    return choice;
}

std::string filters_in_words(const ChoiceOptions& options)
{
    std::string words;
    for (std::size_t at = 0; at < options.said.size(); ++at)
        if (!options.said[at].empty())
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", jobs::filters()[at].name + 2,
                                 options.said[at]);
    return words;
}

}  // namespace fathom
