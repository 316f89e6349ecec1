// `fathom neighbours`: jobs side by side on one file system.
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/document/printable.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/spread.h"
#include "analyzer/output/progress.h"

namespace fathom {
namespace {

constexpr const char* neighbours_help = R"(
WHAT IT SAYS
  Who ran beside a job on the same file system, when both were in I/O, the rate of
  each then and else, what that cost the job in seconds, and whether a model of two
  jobs foretells it. ID is what `fathom jobs list` has in its first column.

  --site       which programs of the database disturb which, by the hours that they
               lost; what each reaches alone and beside others
  --what-if    how long the I/O of two jobs takes together, before they run. A JOB is
               the id of one that ran, or PROCESSES:BYTES:RATE, as 60:16GiB:95MiB,
               with the bytes a second that it moves alone

  It lays the time bins of logs side by side. Logs without them (Darshan without
  HEATMAP or DXT) tell nothing of moments. docs/NEIGHBOURS.md has the definitions,
  and says when two jobs are taken to share a file system.

EXAMPLES
  fathom neighbours 17                          on the screen
  fathom neighbours 17 --db jobs.db -o 17.pdf
  fathom neighbours --site --since '30 days ago' -o disturbers.html
  fathom neighbours --what-if 17 60:16GiB:95MiB

EXIT STATUS
  0 done, 1 the database could not be read, has no such job, or what is needed is not
  known; 2 bad usage)";

struct NeighboursOptions {
    std::vector<std::string> jobs;
    std::string url, since, until;
    bool site = false, what_if = false;
    unsigned top = 10;
    OutputOptions output;
};

constexpr std::size_t with_model = 3;

jobs::Number id_in(std::string word)
{
    std::erase(word, ',');  // as lists show it
    std::size_t end = 0;
    jobs::Number id = 0;
    try {
        id = std::stoll(word, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    if (end == 0 || end != word.size())
        throw BadUsage(fmt::format("neighbours: {}: no id; `fathom jobs list` has them in its first column",
                                   report::printable(word)));
    return id;
}

// "16GiB"; nothing of what is no size above 0.
std::optional<double> size_in(std::string_view words)
{
    constexpr std::pair<std::string_view, double> units[] = {
        {"", 1},       {"B", 1},        {"K", 0x1p10}, {"KiB", 0x1p10}, {"M", 0x1p20}, {"MiB", 0x1p20},
        {"G", 0x1p30}, {"GiB", 0x1p30}, {"T", 0x1p40}, {"TiB", 0x1p40}, {"P", 0x1p50}, {"PiB", 0x1p50}};
    double number = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (error != std::errc() || !(number > 0) || !(number < 1e18)) return {};
    const std::string_view suffix(end, static_cast<std::size_t>(words.data() + words.size() - end));
    for (const auto& [name, factor] : units)
        if (name == suffix) return number * factor;
    return {};
}

// "60:16GiB:95MiB", or the id of a job.
neighbours::Planned planned(const std::string& word, jobs::Database& database)
{
    const std::size_t first = word.find(':');
    if (first == std::string::npos) return neighbours::planned_of(database, id_in(word));
    const std::size_t second = word.find(':', first + 1);
    const auto bad = [&]() {
        return BadUsage(fmt::format("neighbours --what-if {}: say PROCESSES:BYTES:RATE, as 60:16GiB:95MiB",
                                    report::printable(word)));
    };
    if (second == std::string::npos) throw bad();
    const auto part = [&](std::size_t from, std::size_t to) {
        const std::optional<double> number = size_in(std::string_view(word).substr(from, to - from));
        if (!number) throw bad();
        return *number;
    };
    const double processes = part(0, first);
    if (processes < 1 || processes != std::floor(processes)) throw bad();
    return {word,
            processes,
            0,
            part(first + 1, second),
            {neighbours::UsualRate::From::own_bins, part(second + 1, word.size()), 0, 0}};
}

jobs::Known moment_in(const std::string& words, const char* option,
                      std::int64_t (*of)(const std::string&, std::int64_t))
{
    if (words.empty()) return {};
    try {
        return of(words, unix_now());
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("neighbours: {} {}", option, error.what()));
    }
}

int run_neighbours(NeighboursOptions& options)
{
    const std::size_t wanted = options.site ? 0 : options.what_if ? 2 : 1;
    if (options.site && options.what_if) throw BadUsage("neighbours: --site or --what-if, one of them");
    if (options.jobs.size() != wanted)
        throw BadUsage(options.site ? "neighbours --site: it is about all jobs; name none"
                       : options.what_if
                           ? "neighbours --what-if: name two jobs, as --what-if 17 60:16GiB:95MiB"
                           : "neighbours: name one job by its id, or say --site or --what-if");
    if (!options.site && !(options.since.empty() && options.until.empty()))
        throw BadUsage("neighbours: --since and --until go with --site");
    const neighbours::SiteChoice choice{moment_in(options.since, "--since", jobs::moment_of),
                                        moment_in(options.until, "--until", jobs::end_of_moment)};
    const jobs::Number id = wanted == 1 ? id_in(options.jobs[0]) : 0;
    const auto targets = targets_of(options.output, files_of_database(options.url));
    const auto database = jobs::open_jobs(database_url(options.url), jobs::Access::read);
    Progress progress;
    const auto of_one = [&] {
        neighbours::Beside beside = neighbours::look_beside(*database, id, with_model);
        neighbours::add_spreads(*database, beside);
        return document_of(beside, options.top);
    };
    const auto of_two = [&] {
        const neighbours::Planned first = planned(options.jobs[0], *database);
        const neighbours::Planned second = planned(options.jobs[1], *database);
        return neighbours::what_if(first, second, neighbours::find_evidence(*database, first, second));
    };
    const auto of_site = [&] {
        const Tick tick = progress.stage("laying jobs side by side", {false, "jobs"});
        return document_of(neighbours::site_of(*database, choice, tick), options.top);
    };
    const report::Document document = options.site ? of_site() : options.what_if ? of_two() : of_one();
    deliver(document, targets, options.output.width, progress);
    return exit_done;
}

}  // namespace

CommandLine neighbours_line()
{
    const auto options = std::make_shared<NeighboursOptions>();
    CommandLine line{
        {
            {"JOB", "ID", "the job whose neighbours are looked for; two with --what-if", &options->jobs},
            database_option(options->url),
            {"--site", "", "which programs disturb which, of all jobs", &options->site},
            {"--since", "DATE", "with --site: only jobs that began then or later, UTC", &options->since},
            {"--until", "DATE", "with --site: only jobs that began before its end", &options->until},
            {"--what-if", "", "foretell how long the I/O of two jobs takes side by side", &options->what_if},
            {"--top", "N", "rows of a table (default: 10)", &options->top, {.bounds = Bounds{1, 100000}}},
        },
        std::string(help_on_databases) + neighbours_help + std::string(help_on_forms),
        [options] { return run_neighbours(*options); }};
    line.add(output_options(options->output));
    return line;
}

}  // namespace fathom
