// A page of the manual: the sections of --help, set in roff.
#include <fmt/format.h>
#include <sstream>

#include "analyzer/manual/manual.h"

namespace fathom {
namespace {

// The number of a character in UTF-8 whose bytes begin here; `at` goes behind it.
unsigned code_point(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t which) { return static_cast<unsigned char>(text[which]); };
    const unsigned first = byte(at++);
    if (first < 0x80) return first;
    const unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    unsigned code = first & (0x3fu >> more);
    for (unsigned rest = 0; rest < more && at < text.size(); ++rest) code = code << 6 | (byte(at++) & 0x3fu);
    return code;
}

// Text that roff shows as it stands.
std::string as_roff(std::string_view text)
{
    std::string set;
    if (text.starts_with('.')) set = "\\&";
    for (std::size_t at = 0; at < text.size();) {
        const unsigned code = code_point(text, at);
        switch (code) {
            case '\\':
                set += "\\e";
                break;
            case '-':
                set += "\\-";
                break;
            case '\'':
                set += "\\(aq";
                break;
            case '`':
                set += "\\(ga";
                break;
            case '^':
                set += "\\(ha";
                break;
            case '~':
                set += "\\(ti";
                break;
            case '"':
                set += "\\(dq";
                break;
            default:
                set +=
                    code < 0x80 ? std::string(1, static_cast<char>(code)) : fmt::format("\\[u{:04X}]", code);
        }
    }
    return set;
}

using Lines = std::vector<std::string>;

struct HelpSection {
    std::string heading;  // empty: what stands before the first one
    Lines lines;
};

bool is_heading(const std::string& line)
{
    return !line.empty() && line[0] >= 'A' && line[0] <= 'Z' &&
           line.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
}

std::vector<HelpSection> sections_of(const std::string& help)
{
    std::vector<HelpSection> sections(1);
    std::istringstream stream(help);
    for (std::string line; std::getline(stream, line);) {
        if (is_heading(line))
            sections.push_back({line, {}});
        else
            sections.back().lines.push_back(line);
    }
    return sections;
}

// Sentences run on from line to line; examples, lists and tables have columns.
bool runs_on(const Lines& lines)
{
    for (const std::string& line : lines) {
        const std::size_t text = line.find_first_not_of(' ');
        if (text > 2 || line.find("  ", text) != std::string::npos || line.starts_with("  fathom "))
            return false;
    }
    return true;
}

void add_paragraph(const Lines& lines, bool as_it_stands, std::string& page)
{
    const bool set = as_it_stands || !runs_on(lines);
    if (!page.empty()) page += ".PP\n";
    if (set) page += ".nf\n";
    for (const std::string& line : lines) {
        const std::size_t text = line.find_first_not_of(' ');
        const std::size_t indent = text == std::string::npos ? 0 : std::min<std::size_t>(text, 2);
        page += as_roff(line.substr(set ? indent : text)) + "\n";
    }
    if (set) page += ".fi\n";
}

void add_text(const HelpSection& section, std::string& page)
{
    const bool as_it_stands = section.heading == "EXAMPLES";
    Lines paragraph;
    for (const std::string& line : section.lines) {
        if (!line.empty()) {
            paragraph.push_back(line);
            continue;
        }
        if (!paragraph.empty()) add_paragraph(paragraph, as_it_stands, page);
        paragraph.clear();
    }
    if (!paragraph.empty()) add_paragraph(paragraph, as_it_stands, page);
}

void add_section(const HelpSection& section, std::string& page)
{
    std::string text;
    add_text(section, text);
    if (text.empty()) return;
    page += fmt::format(".SH \"{}\"\n", as_roff(section.heading));
    page += text;
}

void add_options(const ManualEntry& entry, std::string& page)
{
    page += ".SH OPTIONS\n";
    for (const CommandOption& option : entry.line.options) {
        std::string names;
        for (const std::string& name : option_names(option))
            names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", as_roff(name));
        std::string argument = option.argument;
        if (names.empty())
            argument = option.details.program ? fmt::format("{} {}", option.names, argument) : option.names;
        if (!argument.empty())
            names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", as_roff(argument));
        const std::string limits = limits_of(option);
        page += fmt::format(
            ".TP\n{}\n{}{}\n", names, as_roff(option.meaning),
            limits.empty() || limits == option.argument ? "" : fmt::format(" ({})", as_roff(limits)));
    }
}

std::string synopsis_of(const ManualEntry& entry)
{
    std::string synopsis = fmt::format("\\fB{}\\fR [\\fIOPTION\\fR]...", as_roff(entry.name));
    for (const CommandOption& option : entry.line.options) {
        if (option.names[0] == '-') continue;
        const bool list = std::holds_alternative<std::vector<std::string>*>(option.into);
        const std::string more = option.details.program
                                     ? fmt::format(" [\\fI{}\\fR]", as_roff(option.argument))
                                 : list ? "..."
                                        : "";
        const bool needed = option.details.required || option.details.program;
        const std::string name = fmt::format("\\fI{}\\fR", as_roff(option.names));
        synopsis += needed ? fmt::format(" {}{}", name, more) : fmt::format(" [{}]{}", name, more);
    }
    if (!entry.line.commands.empty()) synopsis += " \\fICOMMAND\\fR ...";
    return synopsis;
}

// Pages of the commands below this one, and of that above it.
std::vector<const ManualEntry*> beside(const ManualEntry& entry, std::span<const ManualEntry> all)
{
    std::vector<const ManualEntry*> found;
    for (const ManualEntry& other : all) {
        const bool below = other.name.starts_with(entry.name + " ") &&
                           other.name.find(' ', entry.name.size() + 1) == std::string::npos;
        const bool above = entry.name.starts_with(other.name + " ") &&
                           entry.name.find(' ', other.name.size() + 1) == std::string::npos;
        if (below || above) found.push_back(&other);
    }
    return found;
}

void add_commands(const ManualEntry& entry, std::span<const ManualEntry> all, std::string& page)
{
    if (entry.line.commands.empty()) return;
    page += ".SH COMMANDS\n";
    for (const ManualEntry* const other : beside(entry, all))
        if (other->name.size() > entry.name.size())
            page += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", as_roff(other->page()), as_roff(other->summary));
}

}  // namespace

std::string man_page(const ManualEntry& entry, std::span<const ManualEntry> all, std::string_view version)
{
    std::string title = entry.page();
    for (char& letter : title)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    std::string page = fmt::format(
        ".\\\" Made by fathom from its table of commands.\n.TH {} 1 \"\" \"fathom {}\" \"Fathom\"\n.SH "
        "NAME\n{} \\- "
        "{}\n.SH SYNOPSIS\n{}\n",
        as_roff(title), version, as_roff(entry.page()), as_roff(entry.summary), synopsis_of(entry));
    std::vector<HelpSection> sections = sections_of(entry.line.help);
    // What it does comes before its options, as in other manuals.
    std::size_t at = 1;
    sections[0].heading = "DESCRIPTION";
    add_section(sections[0], page);
    if (sections.size() > 1 && sections[1].heading.starts_with("WHAT ")) add_section(sections[at++], page);
    add_commands(entry, all, page);
    add_options(entry, page);
    for (; at < sections.size(); ++at) add_section(sections[at], page);
    std::string others;
    for (const ManualEntry* const other : beside(entry, all))
        others += fmt::format("{}\\fB{}\\fR(1)", others.empty() ? "" : ",\n", as_roff(other->page()));
    return page + ".SH \"SEE ALSO\"\n" + others + "\n";
}

}  // namespace fathom
