// Finds the logs, has them read, and hands out the table in each form that was asked for.
#include "analyzer/commands/report_many.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

#include "analyzer/book/book.h"
#include "analyzer/commands/commands.h"
#include "analyzer/document/units.h"
#include "analyzer/many/csv.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/many/gather.h"
#include "analyzer/many/order.h"
#include "analyzer/many/pages.h"
#include "analyzer/many/table.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "parsers/open.h"

namespace fathom {
namespace {

constexpr std::string_view csv_format = "csv", csv_ending = ".csv";

RowOrder order_of(const ManyOptions& options)
{
    try {
        return parse_order(options.order);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(error.what());
    }
}

// Where CSV goes, where the table does with a report of each log, and where everything else does.
struct Outputs {
    std::vector<std::string> csv;  // "-" is standard output
    std::vector<std::string> folders;
    std::vector<OutputTarget> documents;
};

bool means_folder(const std::string& path)
{
    return path.ends_with('/') || is_folder(path);
}

bool is_csv(const std::string& path)
{
    return path.ends_with(csv_ending);
}

Outputs outputs_of(const ManyOptions& options, OutputOptions output, const std::vector<std::string>& named)
{
    Outputs all;
    if (options.csv && !output.format.empty() && output.format != csv_format)
        throw BadUsage(fmt::format("--csv and --format {}: say one of them", output.format));
    if (options.csv || output.format == csv_format) {
        all.csv = output.outputs;
        refuse_outputs_over(named, all.csv);
        if (all.csv.empty()) all.csv.push_back("-");
        return all;
    }
    const bool none = output.outputs.empty();
    std::copy_if(output.outputs.begin(), output.outputs.end(), std::back_inserter(all.folders), means_folder);
    std::erase_if(output.outputs, means_folder);
    if (output.format.empty()) {
        std::copy_if(output.outputs.begin(), output.outputs.end(), std::back_inserter(all.csv), is_csv);
        std::erase_if(output.outputs, is_csv);
    }
    refuse_outputs_over(named, all.csv);
    if (none || !output.outputs.empty()) all.documents = targets_of(output, named);
    return all;
}

FoundLogs logs_of(std::vector<std::string> named, const ManyOptions& options)
{
    if (!options.list.empty()) {
        if (const std::string_view kind = kind_of_log(options.list); options.list != "-" && !kind.empty())
            throw BadUsage(
                fmt::format("--list {}: this is a {} itself; name it without --list", options.list, kind));
        std::vector<std::string> listed = read_list(options.list);
        std::move(listed.begin(), listed.end(), std::back_inserter(named));
    }
    return find_logs(named);
}

void write_csv(std::span<const JobRow> rows, const std::string& path)
{
    if (path == "-") {
        StandardOutput out;
        csv_of(rows, [&](std::string_view line) { out.write(line); });
        out.flush();
        return;
    }
    std::string all;
    csv_of(rows, [&](std::string_view line) { all += line; });
    save(path, all);
}

// The table, and the report of each log in it, as pages that lead to one another.
void write_pages(const GatheredRows& gathered, const RowOrder& order, std::size_t shown,
                 const std::string& folder, Progress& progress)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw std::runtime_error(fmt::format("{}: cannot make the folder: {}", folder, error.message()));
    const report::Renderer& html = *report::renderer_of_format("html");
    const std::span<const JobRow> rows(gathered.rows.data(), std::min(gathered.rows.size(), shown));
    std::vector<std::string> pages = page_names(rows);
    const Tick tick = progress.stage("making reports", {false, "reports"});
    std::size_t written = 0;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        try {
            const Log log = open_packed(rows[at].log, {});
            save((std::filesystem::path(folder) / pages[at]).string(),
                 html.render(make_report(Job(log), {}), {}));
            ++written;
        } catch (const LogError& trouble) {  // it has changed since it was read
            tell(trouble.what());
            pages[at].clear();
        }
        tick(at + 1, rows.size());
    }
    const std::string table = (std::filesystem::path(folder) / "index.html").string();
    save(table, html.render(make_table(gathered, order, shown, table_form_of("html"), pages), {}));
    progress.clear();
    tell(fmt::format("{} and the table of them: {}", report::counted(written, "report", "reports"), table));
}

}  // namespace

std::vector<std::string> names_of_columns()
{
    std::vector<std::string> names;
    for (const JobColumn& column : job_columns()) names.emplace_back(column.name);
    return names;
}

std::vector<CommandOption> many_options(ManyOptions& options)
{
    return {
        {"--list", "FILE", "also the logs that this file names, a line each; '-' for standard input",
         &options.list},
        {"--sort",
         "COLUMN[:asc|desc]",
         "of a table: put the rows in the order of this column",
         &options.order,
         {.offers = names_of_columns()}},
        {"--top", "N", "of a table: only the first N rows", &options.top},
        {"--csv", "", "of a table: as CSV, with all columns", &options.csv},
    };
}

std::string help_on_tables()
{
    std::string text = R"(
SEVERAL LOGS
  Give one table with a row a log, as do a folder (all .fathom and .darshan in it
  and below it), --list, --sort, --top and --csv. What cost most comes first, unless
  --sort names another column: the largest first, of texts the first letter. HTML
  and PDF show the first 5,000 rows; CSV and JSON have all, and all columns. -o
  FOLDER/ writes the table there as index.html, and the report of each log beside
  it, to which its row links. CSV is RFC 4180, its numbers exact, and empty where
  something is not known:
)";
    for (const JobColumn& column : job_columns())
        text += fmt::format("    {:<14} {}{}\n", column.name, column.meaning,
                            column.csv_name == column.name
                                ? ""
                                : fmt::format("{}CSV: {}",
                                              column.meaning.size() + column.csv_name.size() > 54
                                                  ? fmt::format(";\n{:19}", "")
                                                  : "; ",
                                              column.csv_name));
    text += R"(
  Of a log that cannot be read a line on standard error says why; the others are
  in the table even so. A log of which a part could be read is marked as partial.
)";
    return text;
}

bool asks_for_table(const std::vector<std::string>& named, const ManyOptions& options,
                    const OutputOptions& output)
{
    const bool in_words = !options.list.empty() || !options.order.empty() || options.csv ||
                          options.top != ManyOptions().top || output.format == csv_format ||
                          std::any_of(output.outputs.begin(), output.outputs.end(), is_csv);
    return in_words || named.size() > 1 || (named.size() == 1 && is_folder(named.front()));
}

int report_many(const std::vector<std::string>& named, const ManyOptions& options,
                const OutputOptions& output)
{
    const RowOrder order = order_of(options);
    const Outputs outputs = outputs_of(options, output, named);
    const FoundLogs found = logs_of(named, options);
    Progress progress;
    GatheredRows gathered =
        gather_rows(found.logs, usable_processors(), progress.stage("reading logs", {false, "logs"}));
    gathered.troubles.insert(gathered.troubles.begin(), found.troubles.begin(), found.troubles.end());
    progress.clear();
    for (const std::string& trouble : gathered.troubles) tell(trouble);
    if (gathered.rows.empty()) {
        tell("report: there is no log that could be read");
        return exit_failed;
    }
    sort_rows(gathered.rows, order);
    for (const OutputTarget& target : outputs.documents)
        deliver(make_table(gathered, order, options.top, table_form_of(target.renderer->format)), {target},
                output.width, progress, widest_table);
    for (const std::string& folder : outputs.folders)
        write_pages(gathered, order, options.top, folder, progress);
    const std::span<const JobRow> rows = gathered.rows;
    for (const std::string& path : outputs.csv)
        write_csv(rows.first(std::min(rows.size(), options.top)), path);
    return exit_done;
}

}  // namespace fathom
