// Rows of options to CLI11 and back. It takes long to compile: no other file includes it.
#include "analyzer/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <sstream>

#include "analyzer/output/output.h"

namespace fathom {
namespace {

// A command in CLI11's hands.
struct Declared {
    CLI::App* app;
    CommandLine line;
    std::vector<CLI::Option*> options = {};  // of the line's, in their order
    std::deque<Declared> commands = {};
};

// A text that may be said again.
CLI::Option* add_joined(CLI::App& app, const CommandOption& row, std::string* text)
{
    const auto join = [text, between = row.details.joined_by](const std::vector<std::string>& said) {
        text->clear();
        for (const std::string& one : said) *text += (text->empty() ? "" : std::string(1, between)) + one;
    };
    return app.add_option_function<std::vector<std::string>>(row.names, join, row.meaning)
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

CLI::Validator range_of(const CommandOption& row)
{
    const auto [least, most] = *row.details.bounds;
    if (std::holds_alternative<double*>(row.into)) return CLI::Range(least, most);
    return CLI::Range(static_cast<int>(least), static_cast<int>(most));
}

void add_checks(CLI::Option& option, const CommandOption& row)
{
    const OptionDetails& details = row.details;
    if (details.rewrite != nullptr) option.transform(details.rewrite);
    if (details.size) option.transform(CLI::AsSizeValue(false));
    if (!details.choices.empty()) option.check(CLI::IsMember(details.choices));
    if (details.positive) option.check(CLI::PositiveNumber);
    if (details.bounds) option.check(range_of(row));
    if (details.complaint != nullptr) option.check(details.complaint);
}

CLI::Option* add_option(CLI::App& app, const CommandOption& row)
{
    CLI::Option* const option = std::visit(Adding{app, row}, row.into);
    if (*row.argument == '\0') return option;
    option->type_name(row.argument)->required(row.details.required);
    if (row.details.between != '\0') option->delimiter(row.details.between);
    // What follows the value of "--file" is known by its place again.
    if (row.names[0] == '-') option->allow_extra_args(false);
    add_checks(*option, row);
    return option;
}

void add_exclusions(const Declared& command)
{
    for (std::size_t at = 0; at < command.options.size(); ++at) {
        std::istringstream names(command.line.options[at].details.excludes);
        for (std::string name; std::getline(names, name, ',');)
            if (CLI::Option* const other = command.app->get_option(name); other != command.options[at])
                command.options[at]->excludes(other);
    }
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
        declare(command.commands.emplace_back(Declared{app, below.line()}));
    }
}

// The command that the arguments name, or the program itself.
const Declared& chosen_of(const Declared& command)
{
    for (const Declared& below : command.commands)
        if (below.app->parsed()) return chosen_of(below);
    return command;
}

int print(std::string_view text)
{
    StandardOutput out;
    out.write(text);
    out.flush();
    return exit_done;
}

int print_help(const CLI::App& app)
{
    const auto chosen = app.get_subcommands();
    return print(chosen.empty() ? app.help() : chosen.front()->help(app.get_name()));
}

[[noreturn]] void complain_of(const CLI::App& app, const CLI::ParseError& error)
{
    const auto chosen = app.get_subcommands();
    const std::string name = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    throw BadUsage(fmt::format("{}{}; see {} {}--help", name, error.what(), app.get_name(), name));
}

}  // namespace

int run_command_line(const Program& program, int argc, char** argv)
{
    CLI::App app(program.summary, program.name);
    app.set_version_flag("--version", program.version);
    const Action no_command = [&app] {
        std::fputs(app.help().c_str(), stderr);
        return exit_bad_usage;
    };
    Declared all{&app,
                 {.options = {}, .help = program.help, .action = no_command, .commands = program.commands}};
    declare(all);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        return print(fmt::format("{}\n", version.what()));
    } catch (const CLI::Success&) {
        return print_help(app);
    } catch (const CLI::ParseError& error) {
        complain_of(app, error);
    }
    const Declared& chosen = chosen_of(all);
    for (std::size_t at = 0; at < chosen.options.size(); ++at)
        if (bool* const given = chosen.line.options[at].details.given; given != nullptr)
            *given = chosen.options[at]->count() > 0;
    return chosen.line.action();
}

}  // namespace fathom
