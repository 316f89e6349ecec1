// The program's help, and what becomes of errors.
#include "analyzer/commands/program.h"

#include <exception>
#include <fmt/format.h>
#include <new>
#include <string>
#include <vector>

#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "logformat/version.h"
#include "parsers/database/passwords.h"

namespace fathom {
namespace {

constexpr const char* help = R"(
EXAMPLES
  fathom record -- mpirun -np 4 ./app     leaves one log, a file ending in .fathom
  fathom report app.fathom                what the program's I/O did, on the terminal
  fathom report app.fathom -o report.pdf  the same to mail around
  fathom help COMMAND                     more about a command, as fathom COMMAND --help

ENVIRONMENT
  FATHOM_PAGER, PAGER: what shows text that is longer than the terminal (default: less;
  cat: nothing does). FATHOM_OUTPUT and others: see fathom help record

EXIT STATUS
  0 done, 1 the command failed, 2 bad usage; `fathom record`: that of the program)";

int complain(std::string_view what, int status)
{
    tell(what);
    return status;
}

}  // namespace

Program program_with(std::span<const Command> commands)
{
    return {.name = "fathom",
            .summary = "Records what a program's I/O does, and says what it did and how well.",
            .version = fmt::format("fathom {}", fathom_version),
            .help = help,
            .commands = commands};
}

int run_program(const Program& program, int argc, char** argv)
{
    std::vector<std::string> words(argv, argv + argc);
    hide_passwords(argc, argv);
    std::vector<char*> kept;
    for (std::string& word : words) kept.push_back(word.data());
    kept.push_back(nullptr);
    keep_standard_streams();
    try {
        return run_command_line(program, argc, kept.data());
    } catch (const BadUsage& error) {
        return complain(error.what(), exit_bad_usage);
    } catch (const std::bad_alloc&) {
        return complain("out of memory; nothing was written", exit_failed);
    } catch (const std::exception& error) {
        return complain(error.what(), exit_failed);
    }
}

}  // namespace fathom
