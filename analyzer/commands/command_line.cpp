// Rows of options to CLI11 and back. It takes long to compile: no other file includes it.
#include "analyzer/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <sstream>

#include "analyzer/commands/nearest.h"
#include "analyzer/output/output.h"

namespace fathom {
namespace {

// A command in CLI11's hands.
struct Declared {
    CLI::App* app;
    CommandLine line;
    std::string name = {};                   // "jobs list"; that of the program is empty
    std::vector<CLI::Option*> options = {};  // of the line's, in their order
    std::deque<Declared> commands = {};
};

std::vector<std::string> names_of(const std::string& names)
{
    std::vector<std::string> all;
    std::istringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');) all.push_back(name);
    return all;
}

bool is_place(const CommandOption& row)
{
    return row.names[0] != '-';
}

// "--output" of "-o,--output".
std::string long_name(const CommandOption& row)
{
    return names_of(row.names).back();
}

std::string number_in_words(double number)
{
    return number == static_cast<double>(static_cast<long long>(number)) ? fmt::format("{:.0f}", number)
                                                                         : fmt::format("{}", number);
}

std::string join(const std::vector<std::string>& words, std::string_view between)
{
    return fmt::format("{}", fmt::join(words, between));
}

// ---- rows to CLI11 ----

// A text that may be said again.
CLI::Option* add_joined(CLI::App& app, const CommandOption& row, std::string* text)
{
    const auto add_up = [text, between = row.details.joined_by](const std::vector<std::string>& said) {
        text->clear();
        for (const std::string& one : said) *text += (text->empty() ? "" : std::string(1, between)) + one;
    };
    return app.add_option_function<std::vector<std::string>>(row.names, add_up, row.meaning)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// By the kind of what its value goes into.
struct Adding {
    CLI::App& app;
    const CommandOption& row;

    CLI::Option* operator()(std::monostate) const { return app.add_flag(row.names, row.meaning); }
    CLI::Option* operator()(bool* into) const { return app.add_flag(row.names, *into, row.meaning); }
    CLI::Option* operator()(std::string* into) const
    {
        return row.details.joined_by != '\0' ? add_joined(app, row, into)
                                             : app.add_option(row.names, *into, row.meaning);
    }
    template <class Value>
    CLI::Option* operator()(Value* into) const
    {
        return app.add_option(row.names, *into, row.meaning);
    }
};

// A number, and what is said of one that does not fit.
std::string complaint_of_number(const CommandOption& row, const std::string& said)
{
    const bool whole = !std::holds_alternative<double*>(row.into);
    double number = 0;
    bool fits = CLI::detail::lexical_cast(said, number);
    if (row.details.positive) fits = fits && number > 0;
    if (row.details.bounds)
        fits = fits && number >= row.details.bounds->least && number <= row.details.bounds->most;
    return fits ? ""
                : fmt::format("{} is no {}number {}", said, whole ? "whole " : "",
                              row.details.bounds ? "from " + limits_of(row) : limits_of(row));
}

std::string size_from(std::string& said)
{
    const std::string before = said;
    try {
        const CLI::AsSizeValue sizes(false);
        if (sizes(said).empty()) return "";
    } catch (const CLI::Error&) {
    }
    return fmt::format("{} is no size, such as 4096, 64K or 1MiB", before);
}

void add_checks(CLI::Option& option, const CommandOption& row)
{
    const OptionDetails& details = row.details;
    const std::string limits = limits_of(row);
    if (details.rewrite != nullptr) option.transform(details.rewrite);
    if (details.size) option.transform(CLI::Validator(size_from, ""));
    if (!details.choices.empty())
        option.check(CLI::Validator(
            [choices = details.choices](const std::string& said) -> std::string {
                if (std::find(choices.begin(), choices.end(), said) != choices.end()) return "";
                return fmt::format("{} is none of: {}", said, join(choices, ", "));
            },
            limits == row.argument ? "" : limits));
    if (details.positive || details.bounds)
        option.check(CLI::Validator([row](const std::string& said) { return complaint_of_number(row, said); },
                                    limits));
    if (details.complaint != nullptr) option.check(details.complaint);
}

CLI::Option* add_option(CLI::App& app, const CommandOption& row)
{
    CLI::Option* const option = std::visit(Adding{app, row}, row.into);
    if (*row.argument == '\0') return option;
    option->type_name(row.argument)->required(row.details.required);
    if (row.details.between != '\0') option->delimiter(row.details.between);
    // What follows the value of "--file" is known by its place again.
    if (!is_place(row)) option->allow_extra_args(false);
    add_checks(*option, row);
    return option;
}

void add_exclusions(const Declared& command)
{
    for (std::size_t at = 0; at < command.options.size(); ++at)
        for (const std::string& name : names_of(command.line.options[at].details.excludes))
            if (CLI::Option* const other = command.app->get_option(name); other != command.options[at])
                command.options[at]->excludes(other);
}

void declare(Declared& command)
{
    command.app->footer(command.line.help);
    for (const CommandOption& row : command.line.options)
        command.options.push_back(add_option(*command.app, row));
    add_exclusions(command);
    if (command.line.commands.empty()) return;
    command.app->require_subcommand(command.line.action ? 0 : 1, 1);
    for (const Command& below : command.line.commands) {
        CLI::App* const app = command.app->add_subcommand(below.name, below.summary);
        if (*below.summary == '\0') app->group("");
        const std::string name = command.name.empty() ? below.name : command.name + " " + below.name;
        declare(command.commands.emplace_back(Declared{app, below.line(), name}));
    }
}

// The command that the arguments name, or the program itself.
const Declared& chosen_of(const Declared& command)
{
    for (const Declared& below : command.commands)
        if (below.app->parsed()) return chosen_of(below);
    return command;
}

// ---- what is wrong, as sentences ----

// "report: what is wrong; see fathom report --help"
[[noreturn]] void complain(const std::string& program, const Declared& command, const std::string& what)
{
    const std::string& name = command.name;
    throw BadUsage(fmt::format("{}{}{} see {} {}--help", name.empty() ? "" : name + ": ", what,
                               what.ends_with('?') ? "" : ";", program, name.empty() ? "" : name + " "));
}

std::string with_guess(std::string sentence, const std::string& word, const std::vector<std::string>& known)
{
    const std::string guess = nearest(word, known);
    return guess.empty() ? sentence : fmt::format("{}; did you mean {}?", sentence, guess);
}

std::vector<std::string> listed_commands(const Declared& command)
{
    std::vector<std::string> names;
    for (const Command& below : command.line.commands)
        if (*below.summary != '\0') names.push_back(below.name);
    return names;
}

std::string unknown_option(const Declared& command, const std::string& said)
{
    const std::string name = said.substr(0, said.find('='));
    std::vector<std::string> known = names_of(help_option.names);
    for (const CommandOption& row : command.line.options)
        if (!is_place(row))
            for (const std::string& one : names_of(row.names)) known.push_back(one);
    std::erase_if(known, [](const std::string& one) { return !one.starts_with("--"); });
    return with_guess("unknown option " + name, name, known);
}

std::string too_much(const Declared& command, const std::string& words)
{
    std::vector<std::string> places;
    for (const CommandOption& row : command.line.options)
        if (is_place(row)) places.push_back(row.names);
    return fmt::format("{} is too much; it takes {}", words,
                       places.empty() ? "options alone" : join(places, " "));
}

// What of the line's rows is not as it should be; empty where that is something else.
std::string trouble_with_rows(const Declared& command)
{
    const std::vector<CommandOption>& rows = command.line.options;
    const auto said = [&](std::size_t at) { return command.options[at]->count(); };
    for (std::size_t at = 0; at < rows.size(); ++at)
        for (std::size_t other = at + 1; other < rows.size(); ++other) {
            const auto excludes = [&](std::size_t one, std::size_t that) {
                const std::vector<std::string> names = names_of(rows[one].details.excludes),
                                               those = names_of(rows[that].names);
                return std::find_first_of(names.begin(), names.end(), those.begin(), those.end()) !=
                       names.end();
            };
            if (said(at) > 0 && said(other) > 0 && (excludes(at, other) || excludes(other, at)))
                return fmt::format("{} and {} do not go together", long_name(rows[at]),
                                   long_name(rows[other]));
        }
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (said(at) > 1 && *rows[at].argument != '\0' && command.options[at]->get_expected_max() == 1 &&
            command.options[at]->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
            return fmt::format("{} is said {} times; say it once", long_name(rows[at]), said(at));
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (rows[at].details.required && said(at) == 0)
            return fmt::format("{} is missing: {}", long_name(rows[at]), rows[at].meaning);
    return "";
}

// The row that CLI11 names where its message begins: "--text: 1 required TEXT missing".
const CommandOption* row_named(const Declared& command, const std::string& name)
{
    for (std::size_t at = 0; at < command.options.size(); ++at)
        if (command.options[at]->get_name() == name) return &command.line.options[at];
    return nullptr;
}

std::string sentence_of(const Declared& command, const CLI::ParseError& error)
{
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with("missing"))
        if (const CommandOption* const row = row_named(command, text.substr(0, text.find(':'))))
            return fmt::format("{0} needs a value: {0} {1}", long_name(*row), row->argument);
    constexpr std::string_view conversion = "Could not convert: ";
    if (const std::size_t equals = text.find(" = ");
        text.starts_with(conversion) && equals != std::string::npos) {
        const std::string name = text.substr(conversion.size(), equals - conversion.size());
        return fmt::format("{}: {} is no number", name, text.substr(equals + 3));
    }
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return text;
    const std::string trouble = trouble_with_rows(command);
    return trouble.empty() ? text : trouble;
}

[[noreturn]] void complain_of(const std::string& program, const Declared& all, const CLI::ParseError& error)
{
    const Declared& command = chosen_of(all);
    const std::vector<std::string> unknown = all.app->remaining(true);
    for (const std::string& word : unknown)
        if (word.starts_with('-')) complain(program, command, unknown_option(command, word));
    if (!command.line.commands.empty() && !command.line.action)
        complain(program, command, "name a command: " + join(listed_commands(command), ", "));
    const std::string text = error.what();  // "The following argument was not expected: b"
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && text.find(": ") != std::string::npos)
        complain(program, command, too_much(command, text.substr(text.find(": ") + 2)));
    complain(program, command, sentence_of(command, error));
}

// ---- words as they were said ----

using SaidWords = std::vector<std::string>;

// The command that words name, from the first on; `at` becomes the place of what follows. Throws BadUsage
// where one stands for a command that there is not.
const Declared& named_by(const std::string& program, const Declared& command, const SaidWords& words,
                         std::size_t& at)
{
    if (command.line.commands.empty() || at == words.size() || words[at].starts_with('-')) return command;
    for (const Declared& below : command.commands)
        if (below.app->get_name() == words[at]) return named_by(program, below, words, ++at);
    complain(program, command,
             with_guess("unknown command " + words[at], words[at], listed_commands(command)));
}

// Whether the value of the option that is said with this word is the next word; nothing where the word says
// no option of the command.
std::optional<bool> takes_next(const Declared& command, const std::string& word)
{
    const auto row_called = [&](const std::string& name) -> const CommandOption* {
        for (const CommandOption& row : command.line.options)
            for (const std::string& one : names_of(row.names))
                if (one == name) return &row;
        return nullptr;
    };
    if (word.starts_with("--")) {
        const CommandOption* const row = row_called(word.substr(0, word.find('=')));
        if (row == nullptr) return std::nullopt;
        return *row->argument != '\0' && word.find('=') == std::string::npos;
    }
    for (std::size_t letter = 1; letter < word.size(); ++letter) {  // -qo FILE
        const CommandOption* const row = row_called({'-', word[letter]});
        if (row == nullptr) return std::nullopt;
        if (*row->argument != '\0') return letter + 1 == word.size();
    }
    return false;
}

// Puts -- before the program that is to be run, so that its options are not taken for ours.
void set_program_apart(const Declared& command, SaidWords& words, std::size_t at)
{
    const std::vector<CommandOption>& rows = command.line.options;
    if (std::none_of(rows.begin(), rows.end(), [](const CommandOption& row) { return row.details.program; }))
        return;
    while (at < words.size() && words[at].size() > 1 && words[at].starts_with('-') && words[at] != "--") {
        const std::optional<bool> next = takes_next(command, words[at]);
        if (!next) return;
        at += *next ? 2 : 1;
    }
    if (at < words.size() && words[at] != "--")
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), "--");
}

// `fathom help jobs list` is `fathom jobs list --help`.
void turn_help_around(SaidWords& words)
{
    if (words.empty() || words.front() != "help") return;
    words.erase(words.begin());
    words.push_back("--help");
}

int print(std::string_view text)
{
    StandardOutput out;
    out.write(text);
    out.flush();
    return exit_done;
}

}  // namespace

const CommandOption help_option{"-h,--help", "", "print this help"};
const CommandOption version_option{"-V,--version", "", "print the version"};

std::string limits_of(const CommandOption& option)
{
    const OptionDetails& details = option.details;
    if (!details.choices.empty()) return join(details.choices, "|");
    if (details.bounds)
        return fmt::format("{} to {}", number_in_words(details.bounds->least),
                           number_in_words(details.bounds->most));
    return details.positive ? "above 0" : "";
}

int run_command_line(const Program& program, int argc, char** argv)
{
    CLI::App app(program.summary, program.name);
    app.set_help_flag(help_option.names, help_option.meaning);
    app.set_version_flag(version_option.names, program.version, version_option.meaning);
    const Action no_command = [&app] {
        std::fputs(app.help().c_str(), stderr);
        return exit_bad_usage;
    };
    Declared all{&app,
                 {.options = {}, .help = program.help, .action = no_command, .commands = program.commands}};
    declare(all);
    SaidWords words(argv + 1, argv + argc);
    turn_help_around(words);
    std::size_t after_command = 0;
    const Declared& named = named_by(program.name, all, words, after_command);
    set_program_apart(named, words, after_command);
    try {
        std::reverse(words.begin(), words.end());  // as CLI11 takes them
        app.parse(words);
    } catch (const CLI::CallForVersion& version) {
        return print(fmt::format("{}\n", version.what()));
    } catch (const CLI::Success&) {
        return print(app.help());
    } catch (const CLI::ParseError& error) {
        complain_of(program.name, all, error);
    }
    const Declared& chosen = chosen_of(all);
    for (std::size_t at = 0; at < chosen.options.size(); ++at)
        if (bool* const given = chosen.line.options[at].details.given; given != nullptr)
            *given = chosen.options[at]->count() > 0;
    return chosen.line.action();
}

}  // namespace fathom
