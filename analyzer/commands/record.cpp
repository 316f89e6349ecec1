// `fathom record`: runs a program under the preload library and leaves one log.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/record_options.h"
#include "analyzer/commands/summary.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/record/collect.h"
#include "analyzer/record/endings.h"
#include "analyzer/record/executable.h"
#include "analyzer/record/fold.h"
#include "analyzer/record/job.h"
#include "analyzer/record/launch.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/owner.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"
#include "logformat/job_identity.h"
#include "logformat/part/part.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr const char* what_record_does = R"(
WHAT IT DOES
  Runs COMMAND with every process it starts under Fathom's preload library, and
  leaves one log of all of them. COMMAND's output and results do not change.

EXAMPLES
  fathom record -- mpirun -np 4 ./app -i input     one node: one log of all ranks
  mpirun -np 64 fathom record -- ./app -i input    several nodes, in sbatch too
  srun fathom record -- ./app -i input             a step of Slurm
  fathom record -o tar.fathom -- tar czf home.tgz home
  fathom record -- sh -c 'make && ./simulate'      shells, pipelines, workers
  then: fathom report tar.fathom

EXIT STATUS
  COMMAND's own. If a signal ended COMMAND, the same signal ends `fathom record`: a
  shell's $? is 128 + its number, and a script that ^C interrupts stops.
  127 if COMMAND was not found, 126 if it cannot be run; 125 if it succeeded but no
  log could be written.)";

constexpr int exit_no_log = 125, exit_not_runnable = 126, exit_not_found = 127;

// One recording, from before the program starts to the log.
struct Recording {
    const RecordOptions& options;
    pid_t pid = getpid();
    std::optional<Launched> by = launched();
    bool inside = by.has_value();
    std::string job = job_key(by);
    std::uint64_t start = unix_ns_now();
    std::string spool = make_spool();
    // Around a launcher all ranks of this node share the spool; inside it they need a folder in common.
    std::string ranks_folder = inside ? make_ranks_folder(job) : spool;
    Hindrance hindrance = hindrance_of(options.command.front());

    // Where the log shall be, made absolute: the program may be anywhere else by then.
    std::string output(const std::string& program) const
    {
        fs::path path = options.output;
        if (!path.empty() && !fs::is_directory(path)) return fs::absolute(path);
        path /= default_log_name(program, by, start);
        const fs::path stem = path.parent_path() / path.stem();
        for (int n = 2; is_of_another_job(path, job); ++n)
            path = fmt::format("{}-{}.fathom", stem.string(), n);
        return fs::absolute(path);
    }
};

void check_output(const std::string& path)
{
    const std::string folder = fs::path(path).parent_path();
    if (access(folder.c_str(), W_OK | X_OK) == 0) return;
    tell(fmt::format("{}: cannot write a log there: {}; the program is run all the same", path,
                     std::strerror(errno)));
}

Environment environment_for(const Recording& recording, const std::string& output)
{
    std::string library = library_path(recording.options.library);
    // LD_PRELOAD separates names by blanks and colons.
    if (library.find_first_of(" :") != std::string::npos) {
        const std::string link = recording.spool + "/libfathom.so";
        fs::create_symlink(library, link);
        library = link;
    }
    const char* const preloaded = std::getenv("LD_PRELOAD");
    const auto set_if = [](bool condition, const std::string& value) {
        return condition ? std::optional(value) : std::nullopt;
    };
    const std::string ours = recording.hindrance.preload_harms ? "" : library;
    const std::string theirs = preloaded == nullptr ? "" : preloaded;
    const std::string user = name_of_user(getuid()), group = name_of_group(getgid());
    const std::string both = ours + (ours.empty() || theirs.empty() ? "" : ":") + theirs;
    // What is not set is taken out: it may be left from a recording around this one. So is the output, which
    // is not that of recordings inside this one.
    Environment environment = {{"LD_PRELOAD", set_if(!both.empty(), both)},
                               {options::spool.environment, recording.spool},
                               {"FATHOM_RANKS", recording.ranks_folder},
                               {"FATHOM_LOG", output},
                               {"FATHOM_JOB", recording.job},
                               {"FATHOM_STREAMS", redirected_streams()},
                               {identity::user_name_variable, set_if(!user.empty(), user)},
                               {identity::group_name_variable, set_if(!group.empty(), group)},
                               {"FATHOM_INSIDE", set_if(recording.inside, "1")},
                               {"FATHOM_COLLECT", set_if(!recording.inside, "1")},
                               {options::output.environment, std::nullopt}};
    for (const auto& [name, value] : recording.options.for_library) environment.emplace_back(name, value);
    return environment;
}

int report_failed_start(const std::string& program, int error)
{
    if (error == ENOENT) {
        const bool launcher = program == "mpirun" || program == "mpiexec" || program == "mpiexec.hydra";
        tell(fmt::format("{}: command not found{}", program,
                         launcher ? "; is MPI installed? On Debian: apt-get install openmpi-bin" : ""));
        return exit_not_found;
    }
    tell(fmt::format("{}: cannot run it: {}", program, std::strerror(error)));
    return exit_not_runnable;
}

// Said before the program runs: afterwards it would explain a log that is not there.
std::string sentence_on(const Hindrance& hindrance)
{
    return fmt::format("{}: what it does itself cannot be recorded{}", hindrance.sentence,
                       hindrance.preload_harms ? ", nor the programs that it starts" : "");
}

void tell_of(const Recording& recording)
{
    const bool others_tell = recording.inside && recording.by->local != "" && recording.by->local != "0";
    if (recording.hindrance && !others_tell) tell(sentence_on(recording.hindrance));
}

// Where MPI ranks leave their logs until they are collected.
std::string ranks_log_folder(const Recording& recording, const std::string& output)
{
    return recording.inside ? "" : fs::path(output).parent_path().string();
}

// All that was recorded outside a launcher.
Collected collect_outside(const Recording& recording, const std::vector<User>& users,
                          const std::string& output, Log facts)
{
    // The program has ended: the terminal is ours until the shell has it back.
    Progress progress;
    const Tick tick = recording.options.quiet ? Tick() : progress.stage("collecting", {false, "processes"});
    Collected collected = collect_job(recording.spool, users, ranks_log_folder(recording, output),
                                      recording.job, std::move(facts), tick);
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
std::string write_outside(const Recording& recording, Log log)
{
    const std::string program = program_of(recording, log);
    const FolderLock lock(recording.output(program));
    return publish(std::move(log), recording.output(program), lock);
}

// Writes one rank's share: usually MPI_Finalize has written the log, and what is left is the rest.
// Returns the path of the log, empty where another rank tells of it.
std::string write_inside(Collected& collected, const std::string& output)
{
    const bool gathered = !collected.written_by_mpi.empty();
    std::string path = gathered ? collected.written_by_mpi : output;
    if (!gathered) add_mounts(collected.log);
    if (!gathered || collected.anything) {
        const FolderLock lock(path);
        path = publish(std::move(collected.log), path, lock, gathered);
    }
    return !gathered || collected.rank_zero ? path : std::string();
}

// Removes what only the collection needed; the spool stays while processes still write to it.
void clean_up(const Recording& recording, const std::string& output, bool keep_spool)
{
    if (recording.inside) leave_ranks_folder(recording.ranks_folder, recording.by->local);
    remove_logs_of_ranks(ranks_log_folder(recording, output), recording.job);
    if (!keep_spool) remove_spool(recording.spool);
}

void keep_facts(const Recording& recording, const std::string& output, Log facts)
{
    keep(recording.spool, {std::move(facts), identity_of(getpid()), ranks_log_folder(recording, output)});
}

Log facts_at_start(const Recording& recording)
{
    const RecordOptions& options = recording.options;
    return facts_of(options.command, recording.job, recording.start, options.exclude, options.include);
}

// The facts that are known once the program has ended.
Log facts_at_end(const Recording& recording, const LaunchOutcome& outcome, std::uint64_t end)
{
    Log facts = facts_at_start(recording);
    facts.add_fact("exit_status", fmt::format("{}", outcome.status));
    facts.add_fact("ended_ns", fmt::format("{}", end));
    const int status = outcome.signal != 0 ? W_EXITCODE(0, outcome.signal) : W_EXITCODE(outcome.status, 0);
    const std::string host(facts.fact("host").value_or(""));
    add_death(
        facts, host,
        {static_cast<std::uint64_t>(recording.pid), static_cast<std::uint64_t>(outcome.pid), status, end});
    return facts;
}

int finish(const Recording& recording, const std::string& output, const LaunchOutcome& outcome)
{
    // A log that cannot grow is an error to be told of, not a signal.
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const std::uint64_t end = unix_ns_now();
        try {
            keep_facts(recording, output, facts_at_end(recording, outcome, end));
        } catch (const LogError&) {
            // The spool is full. Its facts are for `fathom recover`; those of the start must do.
        }
        const std::vector<User> users =
            wait_for_users(recording.spool, start_tick_of(recording.pid).value_or(0));
        Collected collected;
        std::string path;
        if (recording.inside) {
            collected = collect_parts(recording.spool, users, facts_at_end(recording, outcome, end),
                                      [](const std::string& log) { return fs::exists(log); });
            path = write_inside(collected, output);
        } else {
            collected = collect_outside(recording, users, output, facts_at_end(recording, outcome, end));
            path = write_outside(recording, std::move(collected.log));
        }
        clean_up(recording, output, !users.empty());
        if (!recording.options.quiet && !path.empty()) tell(summary_of(read_log(path), path));
        if (!users.empty()) tell(still_running(users, recording.spool));
        return outcome.status;
    } catch (const std::exception& error) {
        tell(fmt::format("{}\nfathom: what was recorded is kept; to try again: fathom recover {} -o FILE",
                         error.what(), recording.spool));
        // Inside a launcher a failure of ours would end the whole job.
        return outcome.status != 0 || recording.inside ? outcome.status : exit_no_log;
    }
}

// A launcher that ends a job kills all processes that it started within milliseconds. The collection, which
// may have to wait for that of other ranks, does not belong to them.
int finish_apart(const Recording& recording, const std::string& output, const LaunchOutcome& outcome)
{
    const pid_t collector = fork();
    if (collector == 0) {
        setsid();
        _exit(finish(recording, output, outcome));
    }
    int status = 0;
    if (collector < 0) return finish(recording, output, outcome);
    while (waitpid(collector, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : outcome.status;
}

int record_under(const Recording& recording, const std::string& output, const Environment& environment)
{
    const RecordOptions& options = recording.options;
    Folding folding(recording.spool);
    const LaunchOutcome outcome = launch(options.command, environment, [&] { folding.look(); });
    if (!outcome.started) {
        clean_up(recording, output, false);
        return report_failed_start(options.command.front(), outcome.error);
    }
    const auto finish_it = recording.inside ? finish_apart : finish;
    return end_like(outcome, finish_it(recording, output, outcome));
}

// Where nothing can be recorded, the program still has to run.
int run_unrecorded(const RecordOptions& options, std::string_view why)
{
    tell(fmt::format("{}; the program is run without being recorded", why));
    const LaunchOutcome outcome = launch(options.command, {}, [] {});
    if (!outcome.started) return report_failed_start(options.command.front(), outcome.error);
    return end_like(outcome, outcome.status != 0 || launched() ? outcome.status : exit_no_log);
}

int run_record(const RecordOptions& options)
{
    if (options.command.empty())
        throw BadUsage("record: name the command to run: fathom record -- COMMAND [ARGUMENT...]");
    std::optional<Recording> recording;
    std::string output;
    Environment environment;
    try {
        recording.emplace(Recording{options});
        output = recording->output(options.command.front());
        environment = environment_for(*recording, output);
        keep_facts(*recording, output, facts_at_start(*recording));
    } catch (const std::exception& error) {
        if (recording) remove_spool(recording->spool);
        return run_unrecorded(options, error.what());
    }
    check_output(output);
    tell_of(*recording);
    return record_under(*recording, output, environment);
}

}  // namespace

CommandLine record_line()
{
    const auto given = std::make_shared<GivenOptions>();
    const auto command = std::make_shared<std::vector<std::string>>();
    CommandLine line;
    line.options = record_options(*given);
    line.add({{"COMMAND", "ARGUMENT...", "the program and its arguments; put -- before it", command.get()}});
    line.help = what_record_does + ("\n" + help_on_options());
    line.action = [given, command] {
        RecordOptions options = settle(*given);
        options.command = *command;
        return run_record(options);
    };
    return line;
}

}  // namespace fathom
