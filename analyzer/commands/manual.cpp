// `fathom manual`: what installations need besides the program: pages for man, completion for shells. No help
// lists it.
#include "analyzer/manual/manual.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "analyzer/commands/commands.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/output/output.h"
#include "logformat/version.h"

namespace fathom {
namespace {

constexpr const char* manual_help = R"(
WHAT IT DOES
  Writes into the folder what the table of commands and options says, as --help does:
    man1/fathom.1, fathom-report.1 ...     a page a command
    bash/fathom, zsh/_fathom, fish/fathom.fish   completion)";

void write_manual(const std::string& folder)
{
    const std::filesystem::path into(folder);
    for (const char* const part : {"man1", "bash", "zsh", "fish"})
        std::filesystem::create_directories(into / part);
    const std::vector<ManualEntry> all = manual_entries(fathom_itself());
    for (const ManualEntry& entry : all)
        save(into / "man1" / (entry.page() + ".1"), man_page(entry, all, fathom_version));
    save(into / "bash" / "fathom", bash_completion(all, log_endings()));
    save(into / "zsh" / "_fathom", zsh_completion(all, log_endings()));
    save(into / "fish" / "fathom.fish", fish_completion(all, log_endings()));
}

}  // namespace

CommandLine manual_line()
{
    const auto folder = std::make_shared<std::string>();
    CommandLine line;
    line.options = {{"FOLDER", "TEXT", "where to write them", folder.get(), required}};
    line.help = manual_help;
    line.action = [folder] {
        write_manual(*folder);
        return exit_done;
    };
    return line;
}

}  // namespace fathom
