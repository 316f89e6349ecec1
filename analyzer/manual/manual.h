// Manual pages and what shells complete, from the rows that --help is made of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/commands/command_line.h"

namespace fathom {

// A command, and where it is found: "fathom jobs list".
struct ManualEntry {
    std::string name, summary;
    CommandLine line;  // with --help, and that of the program with --version

    // As a page is called: "fathom-jobs-list".
    std::string page() const;
};

// The program first, then each command that a help lists, each before those below it.
std::vector<ManualEntry> manual_entries(const Program& program);

// "--output" and "-o", longest last, as the row has them; of an option by its place none.
std::vector<std::string> option_names(const CommandOption& option);

// What may stand where a value is said; a list has words with commas between them.
enum class Offer { nothing, words, list, logs, files, folders, program };

struct Offered {
    Offer kind = Offer::nothing;
    std::vector<std::string> words;
};
Offered offered_for(const CommandOption& option);

// In roff, for man.
std::string man_page(const ManualEntry& entry, std::span<const ManualEntry> all, std::string_view version);

// Scripts that complete commands, options, values and names of logs, which have one of these endings.
std::string bash_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings);
std::string zsh_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings);
std::string fish_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings);

}  // namespace fathom
