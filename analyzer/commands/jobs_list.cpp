// `fathom jobs list`: a table of the jobs that filters choose.
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_choice.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_many.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/jobs/list/table.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/many/csv.h"
#include "analyzer/output/output.h"

namespace fathom {
namespace {

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

struct ListOptions : ChoiceOptions {
    std::string order, columns;
    std::uint64_t top = 0;
    bool all = false, csv = false;
    OutputOptions output;
};

constexpr std::size_t rows_of_text = 50, rows_of_pages = 5000, all_rows = std::size_t{1} << 60;

bool is_csv_path(const std::string& path)
{
    return path.ends_with(".csv");
}

void write_rows(std::span<const JobRow> rows, std::span<const JobColumn* const> columns,
                const std::string& path)
{
    std::string text;
    csv_of(rows, columns, [&](std::string_view line) { text += line; });
    if (path != "-") {
        save(path, text);
        return;
    }
    StandardOutput out;
    out.write(text);
    out.flush();
}

int list(ListOptions& options)
{
    std::vector<std::string> csv;
    if (options.csv || options.output.format == "csv") {
        csv = options.output.outputs.empty() ? std::vector<std::string>{"-"} : options.output.outputs;
        for (const std::string& path : csv)
            if (report::renderer_for_file(path) != nullptr)
                throw BadUsage(
                    fmt::format("jobs list: {}: --csv would make CSV of it; leave one of them out", path));
        options.output.outputs.clear();
    } else {
        std::copy_if(options.output.outputs.begin(), options.output.outputs.end(), std::back_inserter(csv),
                     is_csv_path);
        std::erase_if(options.output.outputs, is_csv_path);
    }
    const std::vector<std::string> files = files_of_database(options.url);
    refuse_outputs_over(files, csv);
    const std::vector<OutputTarget> targets = !csv.empty() && options.output.outputs.empty()
                                                  ? std::vector<OutputTarget>()
                                                  : targets_of(options.output, files);
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
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    Progress progress;
    const bool asked = !options.columns.empty();
    const std::string words = filters_in_words(options);
    const std::string about = fmt::format("{}{}", words.empty() ? "" : words + "; in ", database->name());
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
    for (const std::string& path : csv) write_rows(rows(all_rows).rows, all_columns, path);
    return exit_done;
}

}  // namespace

CommandLine jobs_list_line()
{
    const auto options = std::make_shared<ListOptions>();
    CommandLine line = choice_line(*options, "", "");
    line.add({
        {"--all", "", "also those of which there is no log", &options->all},
        {"--sort",
         "COLUMN[:asc|desc]",
         "put the rows in the order of this column",
         &options->order,
         {.offers = names_of_columns()}},
        {"--columns",
         "A,B,...",
         "these columns, in this order",
         &options->columns,
         {.offers = names_of_columns()}},
        {"--top",
         "N",
         "the first N rows (default: 50 as text, 5,000 in HTML and PDF, all else)",
         &options->top,
         {.bounds = Bounds{1, 1e9}}},
        {"--csv", "", "as CSV", &options->csv},
    });
    line.add(output_options(options->output));
    line.help = help_on_choices() + list_help;
    line.action = [options] { return list(*options); };
    return line;
}

}  // namespace fathom
