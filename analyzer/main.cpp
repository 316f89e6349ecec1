// `fathom`: records by itself, and becomes fathom-commands for all else, whose libraries (drawings,
// databases) take longer to load than many a program takes to run.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/program.h"
#include "analyzer/output/message.h"

namespace {

// Returns where that fails.
int become_commands(char** argv)
{
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string program = self.parent_path() / "fathom-commands";
    execv(program.c_str(), argv);
    fathom::tell(fmt::format("{}: cannot be run: {}; install Fathom whole", program, std::strerror(errno)));
    return fathom::exit_failed;
}

}  // namespace

int main(int argc, char** argv)
{
    constexpr const fathom::Command& record = fathom::record_command;
    if (argc > 1 && std::string_view(argv[1]) == record.name)
        return fathom::run_program(fathom::program_with({&record, 1}), argc, argv);
    return become_commands(argv);
}
