// `fathom devices`: what servers, devices and networks did over time, from what sites record of them.
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/commands/report_output.h"
#include "analyzer/document/printable.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "analyzer/series/read.h"
#include "analyzer/series/report/report.h"
#include "analyzer/series/write.h"

namespace fathom {
namespace {

constexpr const char* devices_help = R"(
WHAT IT DOES
  Makes one document of what a site records of its servers and disks: how busy
  they were, how close to their peak, how evenly, which server lags, when
  nothing is known, and how full they are. It knows files by their content:

    iostat -x -t, also -o JSON       sadf -j FILE -- -A
    collectd: CSV and JSON           LMT: SQLite, mysql://USER:PASSWORD@HOST/lmt
    lctl get_param '*.*.job_stats'   lfs df, lctl dl -t
    mmperfmon query                  gluster volume profile VOLUME info
    /proc/self/mountstats            Prometheus' text

  Folders are walked, gzip and tar are unpacked. docs/DEVICES.md says what each
  section has. Devices of one host are added up, or of one system where files
  name it; --system names it where they do not. docs/SERIES.md says which
  commands make such files, and how gaps, resets of counters and local times are
  treated.

  -o x.csv     all samples instead of the document: system, component, quantity,
               time, value. An amount is that between begin and end, a level the
               mean between them.
  --list       a line for each component and quantity

EXAMPLES
  fathom devices iostat.txt                     on the screen
  fathom devices lmt.sqlite3 -o week.html -o week.pdf -o week.csv
  fathom devices disks/ --system scratch --peak 2GiB --lag-for 4h
  fathom devices /var/lib/collectd/csv --since yesterday -o devices.csv
  fathom devices lmt.sqlite3 --time-zone America/Los_Angeles --component 'OST*'
  fathom devices sar.json lfs-df.txt.gz --quantity 'bytes_*' --list

EXIT STATUS
  0 done, 1 nothing could be read or the result could not be written, 2 bad usage)";

struct DevicesOptions {
    std::vector<std::string> paths;
    std::string since, until, bin, idle = "5%", lag_below = "30%", lag_for = "60min";
    std::optional<std::uint64_t> peak;
    bool list = false, list_quantities = false;
    series::ReadOptions read;
    series::Wanted wanted;
    OutputOptions output;
};

// A number and what follows it.
std::pair<double, std::string> number_in(const std::string& words)
{
    char* end = nullptr;
    const double value = std::strtod(words.c_str(), &end);
    std::string unit = words.substr(static_cast<std::size_t>(end - words.c_str()));
    std::erase(unit, ' ');
    return {end == words.c_str() || !std::isfinite(value) ? -1 : value, unit};
}

series::Nanoseconds length_of(const std::string& words, const char* option)
{
    constexpr std::pair<std::string_view, double> units[] = {{"", 1},   {"s", 1},    {"min", 60},
                                                             {"m", 60}, {"h", 3600}, {"d", 86400}};
    constexpr double most = 86400.0 * 366;
    const auto [value, unit] = number_in(words);
    for (const auto& [name, seconds] : units)
        if (unit == name && value * seconds >= 1 && value * seconds <= most)
            return static_cast<series::Nanoseconds>(value * seconds) * series::one_second;
    throw BadUsage(
        fmt::format("devices {} {}: name a time from 1s to a year, as 90s, 5min, 2h or 1d", option, words));
}

double share_in(const std::string& words, const char* option)
{
    const auto [value, unit] = number_in(words);
    const double part = unit == "%" ? value / 100 : value;
    if ((unit.empty() || unit == "%") && part > 0 && part <= 1) return part;
    throw BadUsage(fmt::format("devices {} {}: name a share of the peak, as 5% or 0.05", option, words));
}

int run_devices(DevicesOptions& options)
{
    if (options.list_quantities) {
        StandardOutput out;
        out.write(series::quantities_in_markdown());
        out.flush();
        return exit_done;
    }
    if (options.paths.empty())
        throw BadUsage("devices: name files, folders or LMT's database (FILE); see fathom devices --help");
    series::Choice choice;
    if (!options.bin.empty()) choice.bin = length_of(options.bin, "--bin");
    choice.idle = share_in(options.idle, "--idle");
    choice.lag_below = share_in(options.lag_below, "--lag-below");
    choice.lag_for = length_of(options.lag_for, "--lag-for");
    if (options.peak && *options.peak == 0) throw BadUsage("devices --peak 0: name a rate above 0");
    if (options.peak) choice.server_peak = static_cast<double>(*options.peak);
    std::vector<std::string> tables;
    auto& outputs = options.output.outputs;
    refuse_outputs_over(options.paths, outputs);
    if (options.output.format.empty())
        std::erase_if(outputs, [&](const std::string& path) {
            if (!path.ends_with(".csv")) return false;
            tables.push_back(path);
            return true;
        });
    const bool document = !outputs.empty() || (!options.list && tables.empty());
    std::vector<OutputTarget> targets;
    if (document) targets = targets_of(options.output, options.paths);
    try {
        if (!options.since.empty()) options.read.window.begin = jobs::moment_of(options.since, unix_now());
        if (!options.until.empty()) options.read.window.end = jobs::end_of_moment(options.until, unix_now());
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("devices: {}", error.what()));
    }
    Progress progress;
    options.read.tick = progress.stage("reading", work_in_bytes);
    series::Table table;
    try {
        table = series::read_series(options.paths, options.read);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("devices --time-zone {}", error.what()));
    }
    progress.clear();
    for (const std::string& problem : table.problems) tell(report::printable(problem));
    for (const std::string& path : tables)
        save(path, [&](const PieceSink& sink) { series::write_csv(table, options.wanted, sink); });
    if (options.list) {
        StandardOutput out;
        series::write_summary(table, options.wanted, [&](std::string_view words) { out.write(words); });
        out.flush();
    }
    if (document && !table.components.empty()) {
        std::erase_if(table.series, [&](const series::Series& series) {
            return !series::is_wanted(options.wanted, table, series);
        });
        const report::Document report =
            series::make_report(table, choice, progress.stage("adding up", {false, "steps"}));
        deliver(report, targets, options.output.width, progress);
    }
    if (!table.components.empty()) return exit_done;
    if (table.problems.empty()) tell("nothing that was named has a sample in that time");
    return exit_failed;
}

}  // namespace

CommandLine devices_line()
{
    const auto options = std::make_shared<DevicesOptions>();
    CommandLine line{
        {
            {"FILE", "FILE|FOLDER|URL", "what a site recorded: files, folders of them, LMT's database",
             &options->paths},
            {"--bin", "TIME",
             "length of a bin of time (default: 60s, less for less than an hour); never shorter than samples "
             "are apart",
             &options->bin},
            {"--idle", "SHARE", "of the peak, below which time is idle (default: 5%)", &options->idle},
            {"--lag-below", "SHARE", "of a server's peak, below which it lags (default: 30%)",
             &options->lag_below},
            {"--lag-for", "TIME", "while others reach that for so long (default: 60min)", &options->lag_for},
            {"--peak",
             "RATE",
             "what a server is known to reach, bytes a second: 500MiB (default: the highest seen)",
             &options->peak,
             {.size = true}},
            {"--list", "", "a line for each component and quantity, and no document", &options->list},
            {"--time-zone", "NAME", "of local times that do not say theirs (default: this machine's)",
             &options->read.time_zone},
            {"--since", "WHEN", "what ended after that: 2026-11-01, yesterday, '2 hours ago', @SECONDS (UTC)",
             &options->since},
            {"--until", "WHEN", "what began before that, or before the end of that day", &options->until},
            {"--quantity", "NAME", "only this one, or with a * those that begin so (again for several)",
             &options->wanted.quantities},
            {"--component", "NAME", "only of this device, OST, ..., or with a * those that begin so",
             &options->wanted.components},
            {"--host", "NAME", "of files that do not say whose they are", &options->read.host},
            {"--system", "NAME", "the file system or cluster, where files do not say it",
             &options->read.system},
            {"--list-quantities", "", "print the table of quantities, and read nothing",
             &options->list_quantities},
        },
        devices_help,
        [options] { return run_devices(*options); }};
    line.add(output_options(options->output, "-o,--output",
                            "write to this file: x.html, x.pdf, x.json, x.txt; x.csv has samples (again for "
                            "several)"));
    return line;
}

}  // namespace fathom
