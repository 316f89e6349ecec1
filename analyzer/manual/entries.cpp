// The table of commands as a list, and what the rows say of values.
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "analyzer/manual/manual.h"

namespace fathom {
namespace {

void add_entries(std::span<const Command> commands, const std::string& above, std::vector<ManualEntry>& all)
{
    for (const Command& command : commands) {
        if (*command.summary == '\0') continue;
        ManualEntry entry{above + " " + command.name, command.summary, command.line()};
        entry.line.add({help_option});
        const std::string name = entry.name;
        const std::span<const Command> below = entry.line.commands;
        all.push_back(std::move(entry));
        add_entries(below, name, all);
    }
}

// "FILE" is one of the words of "FILE|FOLDER", but "IN" none of "MINUTES".
bool has(std::string_view text, std::string_view word)
{
    const auto is_letter = [&](std::size_t at) {
        return at < text.size() && text[at] >= 'A' && text[at] <= 'Z';
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
    return false;
}

}  // namespace

std::string ManualEntry::page() const
{
    std::string page = name;
    std::replace(page.begin(), page.end(), ' ', '-');
    return page;
}

std::vector<ManualEntry> manual_entries(const Program& program)
{
    std::vector<ManualEntry> all;
    all.push_back(
        {program.name,
         program.summary,
         {.options = {help_option, version_option}, .help = program.help, .commands = program.commands}});
    add_entries(program.commands, program.name, all);
    return all;
}

std::vector<std::string> option_names(const CommandOption& option)
{
    std::vector<std::string> names;
    if (option.names[0] != '-') return names;
    std::istringstream stream(option.names);
    for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
    return names;
}

Offered offered_for(const CommandOption& option)
{
    const OptionDetails& details = option.details;
    if (details.program) return {Offer::program, {}};
    if (!details.choices.empty()) return {Offer::words, details.choices};
    if (!details.offers.empty())
        return {std::string_view(option.argument).ends_with(",...") ? Offer::list : Offer::words,
                details.offers};
    // What is known by its place is often called after what it is, and its value "TEXT".
    const std::string value =
        option.names[0] == '-' ? option.argument : fmt::format("{} {}", option.names, option.argument);
    if (has(value, "LOG")) return {Offer::logs, {}};
    for (const std::string_view file : {"FILE", "CSV", "SCAN", "EARLIER", "MEASUREMENT", "IN", "OUT", "URL"})
        if (has(value, file)) return {Offer::files, {}};
    for (const std::string_view folder : {"FOLDER", "PATH", "SPOOL"})
        if (has(value, folder)) return {Offer::folders, {}};
    return {};
}

}  // namespace fathom
