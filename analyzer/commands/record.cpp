// `fathom record`: runs a program under the preload library and leaves one log.
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/record_options.h"
#include "analyzer/commands/recording.h"
#include "analyzer/output/message.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

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
    // Logs are written by this process too, with the mode that the library finds in its environment.
    if (!options.mode.empty()) setenv(options::mode.environment, options.mode.c_str(), 1);
    std::optional<Recording> recording;
    try {
        recording.emplace(options);
        if (!recording->inside || recording->by->rank == "0")
            for (const std::string& note : options.notes) tell(note);
        return recording->inside ? record_inside(*recording) : record_outside(*recording);
    } catch (const std::exception& error) {
        if (recording) remove_spool(recording->spool);
        return run_unrecorded(options, error.what());
    }
}

}  // namespace

CommandLine record_line()
{
    const auto given = std::make_shared<GivenOptions>();
    const auto command = std::make_shared<std::vector<std::string>>();
    CommandLine line;
    line.options = record_options(*given);
    line.add({{"COMMAND",
               "ARGUMENT...",
               "the program and its arguments; -- may stand before it",
               command.get(),
               {.program = true}}});
    line.help = what_record_does + ("\n" + help_on_options());
    line.action = [given, command] {
        RecordOptions options = settle(*given);
        options.command = *command;
        return run_record(options);
    };
    return line;
}

}  // namespace fathom
