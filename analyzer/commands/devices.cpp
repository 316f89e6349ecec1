// `fathom devices`: what servers, devices and networks did over time, from what sites record of them.
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/document/printable.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "analyzer/series/read.h"
#include "analyzer/series/write.h"

namespace fathom {
namespace {

constexpr const char* devices_help = R"(
WHAT IT DOES
  Brings what a site records of its servers, disks and networks into one table:
  system, component, quantity, time, value. It knows files by their content:

    iostat -x -t, also -o JSON       sadf -j FILE -- -A
    collectd: CSV and JSON           LMT: SQLite, mysql://USER:PASSWORD@HOST/lmt
    lctl get_param '*.*.job_stats'   lfs df, lctl dl -t
    mmperfmon query                  gluster volume profile VOLUME info
    /proc/self/mountstats            Prometheus' text

  Folders are walked, gzip and tar are unpacked. Without -o a summary comes, a line
  for each component and quantity; x.csv and x.json have a row for each sample.
  An amount is that between begin and end, a level the mean between them.
  docs/SERIES.md says which commands make such files, and how gaps, resets of
  counters and local times are treated.

EXAMPLES
  fathom devices iostat.txt
  fathom devices /var/lib/collectd/csv --since yesterday -o devices.csv
  fathom devices lmt.sqlite3 --time-zone America/Los_Angeles --component 'OST*'
  fathom devices sar.json lfs-df.txt.gz --quantity 'bytes_*' -o devices.json

EXIT STATUS
  0 done, 1 nothing could be read or the result could not be written, 2 bad usage)";

struct DevicesOptions {
    std::vector<std::string> paths, outputs;
    std::string since, until;
    bool list_quantities = false;
    series::ReadOptions read;
    series::Wanted wanted;
};

using Writer = void (*)(const series::Table&, const series::Wanted&, const series::Write&);

Writer writer_of(const std::string& path)
{
    if (path.ends_with(".csv")) return series::write_csv;
    if (path.ends_with(".json")) return series::write_json;
    throw BadUsage(fmt::format("devices -o {}: name a file that ends in .csv or .json", path));
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
    for (const std::string& output : options.outputs) static_cast<void>(writer_of(output));
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
    for (const std::string& output : options.outputs)
        save(output, [&](const PieceSink& sink) { writer_of(output)(table, options.wanted, sink); });
    if (options.outputs.empty()) {
        StandardOutput out;
        series::write_summary(table, options.wanted, [&](std::string_view words) { out.write(words); });
        out.flush();
    }
    if (!table.components.empty()) return exit_done;
    if (table.problems.empty()) tell("nothing that was named has a sample in that time");
    return exit_failed;
}

}  // namespace

CommandLine devices_line()
{
    const auto options = std::make_shared<DevicesOptions>();
    return {
        {
            {"FILE", "FILE|FOLDER|URL", "what a site recorded: files, folders of them, LMT's database",
             &options->paths},
            {"-o,--output", "FILE", "write all samples: x.csv or x.json (again for several)",
             &options->outputs},
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
}

}  // namespace fathom
