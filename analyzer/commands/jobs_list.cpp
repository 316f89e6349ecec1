// `fathom jobs list`, `show`, `report` and `remove`: the jobs that filters or ids choose.
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/book/book.h"
#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/list/page.h"
#include "analyzer/jobs/list/table.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/store/paths.h"
#include "analyzer/jobs/store/store.h"
#include "analyzer/many/csv.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "parsers/open.h"

namespace fathom {
namespace {

using jobs::Access;
using jobs::Number;

constexpr const char* choice_help = R"(
FILTERS
  All that are said must hold. In names * stands for any letters. A number may have
  >, >=, <, <= or = before it, in quotes: --nodes '>64', --cost '>10min', --bytes
  '>=1TiB'; without one it is the least. Dates are UTC: 2026-11-01, 2026-11-01T08:30,
  today, yesterday, '3 days ago'.
)";

constexpr const char* list_help = R"(
WHAT IT SAYS
  A row a job, what cost most first; --sort names another column. Jobs that the
  batch system's accounting has and of which there is no log come with --all.
  -o x.html, x.pdf, x.json and x.csv write files; CSV and JSON have all columns.

EXAMPLES
  fathom jobs list --since yesterday            which of today's jobs to look at
  fathom jobs list --user anna --sort date
  fathom jobs list --cost '>10min' --columns id,user,program,cost,finding
  fathom jobs list --project climate --csv > climate.csv

EXIT STATUS
  0 done, also where no job is chosen; 1 the database cannot be read; 2 bad usage)";

constexpr const char* show_help = R"(
WHAT IT SAYS
  The page of one job, from what the database keeps of it: verdict, times, rate over
  time, findings, layers, files. ID is what `fathom jobs list` has in its first column;
  filters will do where one job alone fits them.

EXAMPLES
  fathom jobs show 17
  fathom jobs show --job 4711 -o 4711.pdf

EXIT STATUS
  0 done, 1 there is no such job, or there are several; 2 bad usage)";

constexpr const char* report_one_help = R"(
WHAT IT SAYS
  The report of the job's log, as `fathom report LOG` has it; where the log is gone, the
  page that `fathom jobs show` gives. ID is what `fathom jobs list` has in its first
  column; filters will do where one job alone fits them.

EXAMPLES
  fathom jobs report 17 -o 17.html
  fathom jobs report --job 4711

EXIT STATUS
  0 done, 1 there is no such job, or there are several; 2 bad usage)";

constexpr const char* remove_help = R"(
WHAT IT DOES
  Takes jobs out of the database: those with these ids, or those that the filters
  choose, which needs --yes. Logs stay where they are, and adding them brings their
  jobs back.

EXAMPLES
  fathom jobs remove 17 18
  fathom jobs remove --until 2024-12-31         says how many these are
  fathom jobs remove --until 2024-12-31 --yes

EXIT STATUS
  0 done, 1 nothing was removed, 2 bad usage)";

struct ChoiceOptions {
    std::vector<std::string> ids, said;  // said: as many as filters
    std::string url;
    bool all = false;
};

void add_filter_options(ChoiceOptions& options, CommandLine& line)
{
    options.said.resize(jobs::filters().size());
    for (std::size_t at = 0; at < options.said.size(); ++at) {
        const jobs::Filter& filter = jobs::filters()[at];
        line.options.push_back({filter.name, filter.argument, filter.meaning, &options.said[at]});
    }
}

std::vector<Number> ids_of(const std::vector<std::string>& words)
{
    std::vector<Number> ids;
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

jobs::Choice choice_of(const ChoiceOptions& options)
{
    jobs::Choice choice;
    const std::int64_t moment = unix_now();
    try {
        for (std::size_t at = 0; at < options.said.size(); ++at)
            if (!options.said[at].empty())
                jobs::add_filter(jobs::filters()[at], options.said[at], moment, choice);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("jobs: {}", error.what()));
    }
    jobs::add_ids(ids_of(options.ids), choice);
    return choice;
}

// "--user anna --since yesterday"
std::string in_words(const ChoiceOptions& options)
{
    std::string words;
    for (std::size_t at = 0; at < options.said.size(); ++at)
        if (!options.said[at].empty())
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", jobs::filters()[at].name + 2,
                                 options.said[at]);
    return words;
}

// ---- list ----

struct ListOptions : ChoiceOptions {
    std::string order, columns;
    std::uint64_t top = 0;
    bool csv = false;
    OutputOptions output;
};

constexpr std::size_t rows_of_text = 50, rows_of_pages = 5000, all_rows = std::size_t{1} << 60;

bool is_csv_path(const std::string& path)
{
    return path.ends_with(".csv");
}

int list(ListOptions& options)
{
    std::vector<std::string> csv;
    if (options.csv || options.output.format == "csv") {
        csv = options.output.outputs.empty() ? std::vector<std::string>{"-"} : options.output.outputs;
        options.output.outputs.clear();
    } else {
        std::copy_if(options.output.outputs.begin(), options.output.outputs.end(), std::back_inserter(csv),
                     is_csv_path);
        std::erase_if(options.output.outputs, is_csv_path);
    }
    refuse_outputs_over(database_url(options.url), csv);
    refuse_outputs_over(database_url(options.url), options.output.outputs);
    const std::vector<OutputTarget> targets = !csv.empty() && options.output.outputs.empty()
                                                  ? std::vector<OutputTarget>()
                                                  : targets_of(options.output);
    std::optional<RowOrder> order;
    std::vector<const JobColumn*> all_columns, page_columns, line_columns;
    try {
        order = parse_order(options.order);
        all_columns = jobs::parse_columns(options.columns, jobs::Room::all);
        page_columns = jobs::parse_columns(options.columns, jobs::Room::page);
        line_columns = jobs::parse_columns(options.columns, jobs::Room::line);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("jobs list: {}", error.what()));
    }
    jobs::Choice choice = choice_of(options);
    if (!options.all) choice.add("recorded = 1");
    const auto database = jobs::open_jobs(database_url(options.url), Access::read);
    Progress progress;
    const bool asked = !options.columns.empty();
    const std::string about =
        fmt::format("{}{}", in_words(options).empty() ? "" : in_words(options) + "; in ", database->name());
    const auto rows = [&](std::size_t usual) {
        return jobs::rows_of(*database, choice, *order, options.top == 0 ? usual : options.top);
    };
    for (const OutputTarget& target : targets) {
        const std::string_view format = target.renderer->format;
        const bool whole = format == "json", text = format == "text";
        const auto chosen = rows(whole ? all_rows : text ? rows_of_text : rows_of_pages);
        deliver(jobs::list_document(chosen, *order,
                                    whole  ? all_columns
                                    : text ? line_columns
                                           : page_columns,
                                    asked || whole, about),
                {target}, options.output.width, progress, 120);
    }
    for (const std::string& path : csv) {
        const auto chosen = rows(all_rows);
        std::string text;
        csv_of(chosen.rows, all_columns, [&](std::string_view line) { text += line; });
        if (path != "-") {
            save(path, text);
            continue;
        }
        StandardOutput out;
        out.write(text);
        out.flush();
    }
    return exit_done;
}

// ---- one job ----

struct OneOptions : ChoiceOptions {
    OutputOptions output;
};

// The job that is meant.
Number the_one(const jobs::Choice& choice, jobs::Database& database)
{
    const std::vector<Number> ids = jobs::ids_of(database, choice);
    if (ids.empty())
        throw std::runtime_error(
            fmt::format("{}: no job fits; `fathom jobs list` has them all", database.name()));
    if (ids.size() == 1) return ids[0];
    std::string some;
    for (std::size_t at = 0; at < std::min<std::size_t>(ids.size(), 10); ++at)
        some += fmt::format(" {}", ids[at]);
    throw std::runtime_error(fmt::format("{} jobs fit: name one by its id, of{}{}",
                                         report::format_count(ids.size()), some,
                                         ids.size() > 10 ? " ..." : ""));
}

jobs::Choice choice_of_one(const OneOptions& options)
{
    refuse_outputs_over(database_url(options.url), options.output.outputs);
    jobs::Choice choice = choice_of(options);
    if (choice.condition.empty())
        throw BadUsage("jobs: name a job by its id, or by filters such as --job 4711");
    return choice;
}

int show(OneOptions& options)
{
    const jobs::Choice choice = choice_of_one(options);
    const std::vector<OutputTarget> targets = targets_of(options.output);
    const auto database = jobs::open_jobs(database_url(options.url), Access::read);
    Progress progress;
    deliver(jobs::page_of(*database, the_one(choice, *database)), targets, options.output.width, progress);
    return exit_done;
}

int report_one(OneOptions& options)
{
    const jobs::Choice choice = choice_of_one(options);
    const std::vector<OutputTarget> targets = targets_of(options.output);
    const auto database = jobs::open_jobs(database_url(options.url), Access::read);
    const Number id = the_one(choice, *database);
    Progress progress;
    for (const std::string& stored : jobs::logs_of(*database, id)) {
        const std::string path = jobs::path_of_stored(stored);
        std::error_code unknown;
        if (!std::filesystem::exists(path, unknown)) continue;
        const Log log = open_dataset(path, progress.stage("reading the log", work_in_bytes));
        deliver(make_report(Job(log), {}), targets, options.output.width, progress);
        return exit_done;
    }
    tell("its log is gone: this is what the database keeps of it");
    deliver(jobs::page_of(*database, id), targets, options.output.width, progress);
    return exit_done;
}

// ---- remove ----

struct RemoveOptions : ChoiceOptions {
    bool yes = false;
};

int remove(const RemoveOptions& options)
{
    const jobs::Choice choice = choice_of(options);
    if (choice.condition.empty())
        throw BadUsage("jobs remove: name jobs by their ids, or by filters; see --help");
    const auto database = jobs::open_jobs(database_url(options.url), Access::write);
    const std::vector<Number> ids = jobs::ids_of(*database, choice);
    const std::string many = report::counted(ids.size(), "job", "jobs");
    if (ids.empty()) {
        tell(fmt::format("{}: no job fits, nothing was removed", database->name()));
        return exit_failed;
    }
    const bool by_filters = options.ids.size() != ids.size() || !in_words(options).empty();
    if (by_filters && !in_words(options).empty() && !options.yes) {
        tell(fmt::format("{}: {} would be removed; say --yes to do it", database->name(), many));
        return exit_failed;
    }
    jobs::remove_jobs(*database, ids);
    tell(fmt::format("{}: {} removed", database->name(), many));
    return exit_done;
}

template <class Options>
CommandLine line_of(const std::shared_ptr<Options>& options, const char* names, const char* meaning)
{
    CommandLine line;
    if (*names != '\0') line.options.push_back({names, "ID", meaning, &options->ids});
    line.options.push_back(database_option(options->url));
    add_filter_options(*options, line);
    return line;
}

}  // namespace

CommandLine jobs_list_line()
{
    const auto options = std::make_shared<ListOptions>();
    CommandLine line = line_of(options, "", "");
    line.add({
        {"--all", "", "also those of which there is no log", &options->all},
        {"--sort", "COLUMN[:asc|desc]", "put the rows in the order of this column", &options->order},
        {"--columns", "A,B,...", "these columns, in this order", &options->columns},
        {"--top",
         "N",
         "the first N rows (default: 50 as text, 5,000 in HTML and PDF, all else)",
         &options->top,
         {.bounds = Bounds{1, 1e9}}},
        {"--csv", "", "as CSV", &options->csv},
    });
    line.add(output_options(options->output));
    line.help = std::string(choice_help) + help_on_databases + list_help;
    line.action = [options] { return list(*options); };
    return line;
}

CommandLine jobs_show_line()
{
    const auto options = std::make_shared<OneOptions>();
    CommandLine line = line_of(options, "id", "the job");
    line.add(output_options(options->output));
    line.help = std::string(choice_help) + help_on_databases + show_help;
    line.action = [options] { return show(*options); };
    return line;
}

CommandLine jobs_report_line()
{
    const auto options = std::make_shared<OneOptions>();
    CommandLine line = line_of(options, "id", "the job");
    line.add(output_options(options->output));
    line.help = std::string(choice_help) + help_on_databases + report_one_help;
    line.action = [options] { return report_one(*options); };
    return line;
}

CommandLine jobs_remove_line()
{
    const auto options = std::make_shared<RemoveOptions>();
    CommandLine line = line_of(options, "id", "jobs");
    line.add({{"--yes", "", "remove what the filters choose", &options->yes}});
    line.help = std::string(choice_help) + help_on_databases + remove_help;
    line.action = [options] { return remove(*options); };
    return line;
}

}  // namespace fathom
