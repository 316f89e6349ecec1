// `fathom`: finds the command, and turns whatever goes wrong into one line and an exit status.
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

#include "analyzer/commands/commands.h"
#include "analyzer/output/message.h"
#include "analyzer/output/output.h"
#include "logformat/version.h"

namespace {

constexpr const char* help = R"(
EXAMPLES
  fathom record -- mpirun -np 4 ./app     leaves one log, a file ending in .fathom
  fathom report app.fathom                what the program's I/O did, on the terminal
  fathom report app.fathom -o report.pdf  the same to mail around
  fathom COMMAND --help                   more about a command

EXIT STATUS
  0 done, 1 the command failed, 2 bad usage; `fathom record`: that of the program)";

int complain(std::string_view what, int status)
{
    fathom::tell(what);
    return status;
}

// The help of the command that the arguments name, or of fathom itself.
void print_help(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    fathom::StandardOutput out;
    out.write(chosen.empty() ? app.help() : chosen.front()->help(app.get_name()));
    out.flush();
}

int run(int argc, char** argv)
{
    CLI::App app("Records what a program's I/O does, and says what it did and how well.", "fathom");
    app.set_version_flag("--version", fmt::format("fathom {}", fathom::fathom_version));
    app.footer(help);
    app.require_subcommand(0, 1);
    std::vector<std::pair<CLI::App*, fathom::Action>> actions;
    for (const fathom::Command& command : fathom::commands()) {
        CLI::App* const declared = app.add_subcommand(command.name, command.summary);
        actions.emplace_back(declared, command.declare(*declared));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        fathom::StandardOutput out;
        out.write(fmt::format("{}\n", version.what()));
        out.flush();
        return fathom::exit_done;
    } catch (const CLI::Success&) {
        print_help(app);
        return fathom::exit_done;
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        const std::string name = chosen.empty() ? "" : chosen.front()->get_name() + " ";
        return complain(fmt::format("{}{}; see fathom {}--help", name, error.what(), name),
                        fathom::exit_bad_usage);
    }
    for (const auto& [declared, action] : actions)
        if (declared->parsed()) return action();
    std::fputs(app.help().c_str(), stderr);
    return fathom::exit_bad_usage;
}

// Whatever goes wrong becomes one line and an exit status.
int run_and_complain(int argc, char** argv)
{
    fathom::keep_standard_streams();
    try {
        return run(argc, argv);
    } catch (const fathom::BadUsage& error) {
        return complain(error.what(), fathom::exit_bad_usage);
    } catch (const std::bad_alloc&) {
        return complain("out of memory; nothing was written", fathom::exit_failed);
    } catch (const std::exception& error) {
        return complain(error.what(), fathom::exit_failed);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    return run_and_complain(argc, argv);
}
