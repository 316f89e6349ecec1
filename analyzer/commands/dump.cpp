// `fathom dump`: every counter of a log, exactly, and its traces and slices.
#include "analyzer/dump/dump.h"

#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/document/printable.h"
#include "analyzer/dump/darshan_text.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "analyzer/output/progress.h"
#include "logformat/log/trace.h"
#include "parsers/darshan/dataset.h"
#include "parsers/open.h"
#include "parsers/parser.h"

namespace fathom {
namespace {

constexpr const char* dump_help = R"(
WHAT IT PRINTS
  One counter a line, tab-separated: table, process, counter, value, subject.
  The subject is the path, the layer or the mount that the counter is about.
  Durations are seconds, instants seconds since the job's start, with all nine
  decimals; '-' stands for never, 'not-recorded' for a counter the log lacks.
  Lines that begin with '#' describe the rest and say what is damaged.

  --json prints one document instead:
    fathom_dump             1, the version of this form
    job_start_unix_seconds  what instants are relative to
    problems, not_recorded  lists of texts
    tables                  one list of objects a table; file ids are hexadecimal

  --trace prints every operation that was traced (`fathom record --trace`), as
  CSV, by process and thread and in the order in which they ended:
    process,rank,thread,layer,kind,path,offset,size,start,duration
  rank is -1 outside of MPI, thread the kernel's number, offset empty where it
  is not known; start is seconds since the job's start. Bytes of paths that are
  no text are \n, \xNN and the like, as in the lines. Kind, file, offset and size
  are exact, durations to 1.6 %, starts to 3.2 % of the pause before them and
  0.8 % of the operation before that.

  --chrome-trace prints the same for https://ui.perfetto.dev, where processes
  have the number of their row and 1.

  --slices prints what each process did in each time bin, as CSV:
    process,rank,layer,streams,start,length,reads,writes,metadata,bytes_read,
    bytes_written,read_time,write_time,metadata_time
  streams is 1 for standard streams, devices and FIFOs; start is seconds of UNIX
  time. Slices in which nothing happened are left out.

  --darshan-text prints a log of Darshan in the layout of its own tool,
  `darshan-parser --all --show-incomplete`: every counter of every record, the
  totals of each module, its categories of files and its rate, by Darshan's
  definitions; --darshan-dxt-text prints its traces as `darshan-dxt-parser`
  does. Scripts that read those texts read these. docs/DARSHAN.md says where
  that tool is wrong and this one is not.

EXAMPLES
  fathom dump job.fathom | grep -P '\tbytes_written\t'
  fathom dump --table posix --file checkpoint --nonzero job.fathom
  fathom dump --trace --file checkpoint job.fathom > checkpoint.csv
  fathom dump --chrome-trace job.fathom > job.json
  fathom dump --darshan-text job.darshan | grep agg_perf_by_slowest
  fathom dump --json job.fathom | jq '.tables.posix[] | {path, process, reads}'

EXIT STATUS
  0 done, 1 the log could not be read or the output not written, 2 bad usage)";

struct DumpOptions {
    std::string log;
    DumpChoice choice;
    std::vector<std::string> tables;
    bool json = false;
    bool schema = false;
    bool trace = false, chrome_trace = false, slices = false;
    bool darshan_text = false, darshan_dxt_text = false;
};

void check_tables(DumpOptions& options)
{
    std::string known;
    std::set<std::string, std::less<>> names;
    each_table([&](const auto& table, std::size_t) {
        names.emplace(table.name);
        known += fmt::format("{}{}", known.empty() ? "" : ", ", table.name);
    });
    for (const std::string& table : options.tables) {
        if (!names.contains(table))
            throw BadUsage(fmt::format("--table {}: no such table; there are: {}", table, known));
        options.choice.tables.insert(table);
    }
}

// What CSV has no room for.
void tell_problems(const std::string& path, const std::vector<std::string>& problems)
{
    for (const std::string& problem : problems) {
        const bool named = problem.starts_with(path + ":");
        tell(report::printable(named ? problem : fmt::format("{}: {}", path, problem)));
    }
}

void print_trace(const DumpOptions& options, const Log& log, const Sink& sink)
{
    if (!has_trace(log))
        throw LogError(fmt::format("{}: it has no trace; record one with `fathom record --trace -- PROGRAM`",
                                   options.log));
    const auto print = options.trace ? dump_trace : dump_chrome_trace;
    tell_problems(options.log, print(log, options.choice.file, sink));
    std::uint64_t untraced = 0;
    for (const Process& process : log.rows<Process>()) untraced += process.untraced;
    if (untraced != 0)
        tell(
            fmt::format("{}: {} more operations found no room in the trace; --trace-memory of fathom record "
                        "gives more",
                        options.log, untraced));
}

void print_slices(const DumpOptions& options, const Log& log, const Sink& sink)
{
    if (log.rows<Slice>().empty())
        throw LogError(
            fmt::format("{}: it has no time bins: no process did I/O, or it was recorded with "
                        "--no-timings or by an older version; record it anew",
                        options.log));
    dump_slices(log, sink);
}

// The bar is gone when the first line is printed.
Log read_with_bar(const std::string& path)
{
    Progress progress;
    return open_dataset(path, progress.stage("reading the log", work_in_bytes));
}

void print_darshan_text(const DumpOptions& options, const Sink& sink)
{
    const std::string begins = first_bytes_of(options.log);
    for (const Parser& parser : parsers())
        if (parser.recognises(begins) && !darshan::is_darshan_log(begins))
            throw LogError(
                fmt::format("{0}: a {1}; make one of Darshan's of it: fathom convert {0} OUT.darshan",
                            options.log, parser.name));
    const darshan::File file(options.log);
    const auto print = options.darshan_text ? dump_darshan_text : dump_darshan_dxt_text;
    tell_problems(options.log, print(file, sink));
}

int run_dump(DumpOptions& options)
{
    check_tables(options);
    StandardOutput out;
    const Sink sink = [&](std::string_view piece) {
        out.write(piece);
        return !out.is_closed();
    };
    if (options.schema) {
        sink(schema_text());
    } else {
        if (options.log.empty()) throw BadUsage("LOG is missing: name the log to dump");
        if (options.darshan_text || options.darshan_dxt_text) {
            print_darshan_text(options, sink);
            out.flush();
            return exit_done;
        }
        const Log log = read_with_bar(options.log);
        if (options.trace || options.chrome_trace || options.slices) tell_problems(options.log, log.problems);
        if (options.trace || options.chrome_trace)
            print_trace(options, log, sink);
        else if (options.slices)
            print_slices(options, log, sink);
        else if (options.json)
            dump_json(log, options.choice, sink);
        else
            dump_text(log, options.choice, sink);
    }
    out.flush();
    return exit_done;
}

}  // namespace

CommandLine dump_line()
{
    // Of the forms one alone; those after the first two have no tables.
    const OptionDetails alone{.excludes =
                                  "--json,--schema,--trace,--chrome-trace,--time-bins,--darshan-text,"
                                  "--darshan-dxt-text"};
    const OptionDetails whole{.excludes =
                                  "--json,--schema,--trace,--chrome-trace,--time-bins,--darshan-text,"
                                  "--darshan-dxt-text,--table,--nonzero"};
    const auto options = std::make_shared<DumpOptions>();
    OptionDetails known_tables;
    each_table([&](const auto& table, std::size_t) { known_tables.offers.emplace_back(table.name); });
    CommandLine line;
    line.options = {
        {"LOG", "TEXT", "the log to dump", &options->log},
        {"--table", "NAME", "print only this table (again for several)", &options->tables, known_tables},
        {"--file", "TEXT", "print only files whose path contains this", &options->choice.file},
        {"--nonzero", "", "leave out counters that are 0", &options->choice.nonzero},
        {"--json", "", "one JSON document instead of lines", &options->json, alone},
        {"--schema", "", "print the columns of every table and their meaning; needs no LOG", &options->schema,
         alone},
        {"--trace", "", "print every operation that was traced, as CSV", &options->trace, whole},
        {"--chrome-trace", "", "the same for Perfetto, as JSON", &options->chrome_trace, whole},
        {"--time-bins", "", "print what was done in each time bin, as CSV", &options->slices, whole},
        {"--darshan-text", "", "print a log of Darshan as darshan-parser does", &options->darshan_text,
         whole},
        {"--darshan-dxt-text", "", "print the traces of a log of Darshan as darshan-dxt-parser does",
         &options->darshan_dxt_text, whole},
    };
    line.help = dump_help;
    line.action = [options] { return run_dump(*options); };
    return line;
}

}  // namespace fathom
