// A recording around all that its program starts, launchers included: one spool, one log.
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "analyzer/commands/recording.h"
#include "analyzer/commands/summary.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/fold.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

Collected collect(const Recording& recording, const std::vector<User>& users, const std::string& output,
                  Log facts)
{
    // The program has ended: the terminal is ours until the shell has it back.
    Progress progress;
    const Tick tick = recording.options.quiet ? Tick() : progress.stage("collecting", {false, "processes"});
    Collected collected =
        collect_job({recording.spool}, users, folder_of(output), recording.job, std::move(facts), tick);
    progress.clear();
    if (recording.hindrance) {
        collected.log.add_fact("note", sentence_on(recording.hindrance));
    } else if (collected.processes == 0) {
        constexpr std::string_view note =
            "no process could be recorded: was LD_PRELOAD taken out of the environment, or is `ulimit -f` "
            "below "
            "256 KiB?";
        collected.log.add_fact("note", note);
        tell(note);
    }
    return collected;
}

// The program that the user thinks of: rank 0's rather than the launcher.
std::string program_of(const Recording& recording, const Log& log)
{
    for (const Process& process : log.rows<Process>())
        if (process.rank == 0) return std::string(process.command.substr(0, process.command.find(' ')));
    return recording.options.command.front();
}

// Writes the log and returns its path. A default name is chosen again: the program is known now, and another
// recording may have taken the name meanwhile.
std::string write(const Recording& recording, Log log)
{
    const std::string program = program_of(recording, log);
    const FileLock lock(FileLock::folder, folder_of(recording.output(program)), FileLock::waits_a_while);
    std::vector<Log> logs;
    logs.push_back(std::move(log));
    const std::string path = recording.output(program);
    return publish(std::move(logs), path, lock, OwnFiles::beside(path));
}

// Removes what only the collection needed; the spool stays while processes still write to it.
void clean_up(const Recording& recording, const std::string& output, bool keep_spool)
{
    remove_logs_of_ranks(folder_of(output), recording.job);
    if (!keep_spool) remove_spool(recording.spool);
}

int finish(const Recording& recording, const std::string& output, const LaunchOutcome& outcome)
{
    // A log that cannot grow is an error to be reported, not a signal.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        Log facts = facts_at_end(recording, outcome);
        try {
            keep_facts(recording, facts_at_end(recording, outcome), folder_of(output));
        } catch (const LogError&) {
            // The spool is full. Its facts are for `fathom recover`; those of the start must do.
        }
        const std::vector<User> users =
            wait_for_users({recording.spool}, start_tick_of(recording.pid).value_or(0));
        Collected collected = collect(recording, users, output, std::move(facts));
        const std::string path = write(recording, std::move(collected.log));
        clean_up(recording, output, !users.empty());
        if (!recording.options.quiet) tell(summary_of(read_log(path), path));
        if (!users.empty()) tell(still_running(users, recording.spool));
        return outcome.status;
    } catch (const std::exception& error) {
        tell(sentence_on_trouble(error.what(), recording.spool));
        return outcome.status != 0 ? outcome.status : exit_no_log;
    }
}

}  // namespace

int record_outside(const Recording& recording)
{
    const RecordOptions& options = recording.options;
    const std::string output = recording.output(options.command.front());
    const Environment environment = environment_for(recording, output, "");
    keep_facts(recording, facts_at_start(recording), folder_of(output));
    check_output(output);
    if (recording.hindrance) tell(sentence_on(recording.hindrance));
    Folding folding(recording.spool);
    const LaunchOutcome outcome = launch(options.command, environment, [&] { folding.look(); });
    if (outcome.started) return end_like(outcome, finish(recording, output, outcome));
    clean_up(recording, output, false);
    return report_failed_start(options.command.front(), outcome.error);
}

}  // namespace fathom
