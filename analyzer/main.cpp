// `fathom`: records and dumps by itself, and becomes fathom-commands for all else, whose libraries (drawings,
// databases) take longer to load than many a program takes to run.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
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
    static constexpr fathom::Command own[] = {fathom::record_command, fathom::dump_command};
    const auto is_called = [&](const fathom::Command& one) { return std::string_view(argv[1]) == one.name; };
    if (argc > 1 && std::any_of(std::begin(own), std::end(own), is_called))
        return fathom::run_program(fathom::program_with(own), argc, argv);
    return become_commands(argv);
}
