// `fathom merge`: many logs to one.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/summary.h"
#include "analyzer/document/units.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/record/job.h"
#include "analyzer/record/merge_logs.h"
#include "parsers/open.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr const char* merge_help = R"(
WHAT IT DOES
  Makes one log of several, as if all of it had been recorded together: of the
  workers of a job that were recorded one by one, of the nodes of an MPI job, of
  what `fathom recover` found. Every count in it is the sum of those in the LOGs,
  and `fathom report` is of all processes at once.

  Ranks   Logs of one MPI job keep their ranks. Where several jobs have a rank 0,
          the ranks of each follow those of the jobs before: of two runs with 4
          ranks each, those of the second become 4 to 7. Processes of programs
          without MPI stay processes; beside MPI ranks, the report lists them as
          other processes, which are in none of its rates.
  Files   A file that is in several logs becomes one, with all who used it.
  Facts   What the logs have of their jobs is all kept; `fathom dump --table job`
          lists where each log's processes and ranks are.
  Damage  Of a damaged log is merged what can be read. Both the command and the
          merged log say what is missing.

  Nothing is written if two of the LOGs have the same process, or if the output
  is one of them.

EXAMPLES
  fathom merge worker-*.fathom -o workers.fathom
  fathom merge node1.fathom node2.fathom -o job.fathom && fathom report job.fathom
  fathom merge run*.fathom                 makes PROGRAM-merged.fathom

EXIT STATUS
  0 done, 1 a log could not be read at all or the output not written, 2 bad usage)";

struct MergeOptions {
    std::vector<std::string> logs;
    std::string output;
};

std::string merged_log_of(const MergeOptions& options, const Log& log)
{
    if (options.output == "-") throw BadUsage("merge: a log does not go to standard output; name a file");
    fs::path path = options.output;
    if (!path.empty() && !fs::is_directory(path)) return path.string();
    std::string program = "logs";
    for (const Process& process : log.rows<Process>())
        if (!process.program.empty()) {
            program = file_name_of_program(process.program);
            break;
        }
    const fs::path stem = path / program;
    path = stem.string() + "-merged.fathom";
    for (int n = 2; fs::exists(path); ++n) path = fmt::format("{}-merged-{}.fathom", stem.string(), n);
    return path.string();
}

void check_merge(const MergeOptions& options)
{
    std::error_code none;
    for (const std::string& log : options.logs)
        if (!options.output.empty() && fs::equivalent(log, options.output, none))
            throw BadUsage(fmt::format("merge: -o {}: this is one of the logs to merge; name another file",
                                       options.output));
}

std::uint64_t bytes_of_file(const std::string& path)
{
    std::error_code none;
    const auto size = fs::file_size(path, none);
    return none ? 0 : static_cast<std::uint64_t>(size);
}

Log merge_all(const MergeOptions& options, Progress& progress)
{
    std::uint64_t all = 0, done = 0;
    for (const std::string& path : options.logs) all += bytes_of_file(path);
    const Tick tick = progress.stage(
        fmt::format("merging {} logs", report::format_count(options.logs.size())), work_in_bytes);
    LogMerger merger;
    for (const std::string& path : options.logs) {
        Log log = open_dataset(path, [&](std::uint64_t read, std::uint64_t) { tick(done + read, all); });
        done += bytes_of_file(path);
        if (!log.problems.empty()) {
            progress.clear();
            tell(fmt::format("{}; what could be read is merged", log.problems.front()));
        }
        merger.add(std::move(log), path);
    }
    return merger.finish();
}

int run_merge(const MergeOptions& options)
{
    check_merge(options);
    Progress progress;
    const Log log = merge_all(options, progress);
    const std::string path = merged_log_of(options, log);
    write_log(log, path);
    progress.clear();
    tell(summary_of(log, path));
    return exit_done;
}

}  // namespace

CommandLine merge_line()
{
    const auto options = std::make_shared<MergeOptions>();
    CommandLine line;
    line.options = {
        {"LOG", "TEXT", "the logs to merge", &options->logs, required},
        {"-o,--output", "FILE",
         "the log to write (default: PROGRAM-merged.fathom); a folder: with that name in it",
         &options->output},
    };
    line.help = merge_help;
    line.action = [options] { return run_merge(*options); };
    return line;
}

}  // namespace fathom
