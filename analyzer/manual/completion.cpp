// Scripts for three shells: a part that is always the same, and rows of the table between it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyzer/manual/manual.h"

namespace fathom {
namespace {

constexpr std::string_view made_by = "made by fathom from its table of commands and options";

// As a word of the shell: in single quotes.
std::string quoted(std::string_view text)
{
    std::string all = "'";
    for (const char letter : text) all += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return all + "'";
}

std::string spaced(const std::vector<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, " "));
}

std::string_view name_of(Offer kind)
{
    constexpr std::string_view names[] = {"nothing", "words", "list", "logs", "files", "folders", "program"};
    return names[static_cast<std::size_t>(kind)];
}

bool takes_value(const CommandOption& option)
{
    return *option.argument != '\0';
}

// Names of all options of the command that take a value: what follows them is not yet the program.
std::vector<std::string> valued_options(const ManualEntry& entry)
{
    std::vector<std::string> valued;
    for (const CommandOption& option : entry.line.options)
        if (takes_value(option))
            for (const std::string& name : option_names(option)) valued.push_back(name);
    return valued;
}

std::vector<std::string> commands_below(const ManualEntry& entry)
{
    std::vector<std::string> names;
    for (const Command& below : entry.line.commands)
        if (*below.summary != '\0') names.push_back(below.name);
    return names;
}

std::string with_underscores(const std::string& name)
{
    std::string all = "_";
    for (const char letter : name) all += letter == ' ' || letter == '-' ? '_' : letter;
    return all;
}

// ---- bash ----

constexpr std::string_view bash_code = R"(
_fathom()
{
    local cur=${COMP_WORDS[COMP_CWORD]} command=fathom option='' options_end='' place=0 at word
    local commands options valued kind words ending
    COMPREPLY=()
    _fathom_row "$command"
    for ((at = 1; at < COMP_CWORD; ++at)); do
        word=${COMP_WORDS[at]}
        if [[ $word == = && $option ]]; then
            continue # --format = html, as bash takes --format=html apart
        elif [[ $option ]]; then
            option=
        elif [[ $word == -- && ! $options_end ]]; then
            options_end=1
        elif [[ $word == -* && ! $options_end ]]; then
            [[ " $valued " == *" $word "* ]] && option=$word
        elif [[ $word == help && $command == fathom ]]; then
            continue
        elif [[ " $commands " == *" $word "* ]]; then
            command+=" $word"
            _fathom_row "$command"
        else
            _fathom_offer "$command $place"
            if [[ $kind == program ]]; then
                options_end=program
                break
            fi
            ((++place))
        fi
    done
    [[ $cur == = && $option ]] && cur=
    if [[ $options_end == program ]]; then
        # All that follows is the other program's.
        if declare -F _command_offset >/dev/null; then
            _command_offset "$at"
            return
        fi
        kind=files
    elif [[ $option ]]; then
        _fathom_offer "$command $option"
    elif [[ $cur == -* && ! $options_end ]]; then
        kind=words words=$options
    elif [[ $commands ]]; then
        kind=words words=$commands
        [[ $command == fathom ]] && words+=' help'
    else
        _fathom_offer "$command $place"
    fi
    case $kind in
        words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
        list)
            # More of them may follow.
            compopt -o nospace
            word=${cur##*,}
            mapfile -t COMPREPLY < <(compgen -W "$words" -P "${cur%"$word"}" -- "$word")
            ;;
        program) mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
        folders)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            ;;
        logs | files)
            compopt -o filenames
            if [[ $kind == logs ]]; then
                mapfile -t COMPREPLY < <(for ending in $endings; do compgen -f -X "!*$ending" -- "$cur"; done)
            fi
            # A log may have any name; folders lead to logs.
            if ((${#COMPREPLY[@]})); then
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur")
            else
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            fi
            ;;
    esac
}
complete -F _fathom fathom
)";

void add_bash_offer(const std::string& pattern, const CommandOption& option, std::string& script)
{
    const Offered offered = offered_for(option);
    if (offered.kind == Offer::nothing) return;
    script += fmt::format("        {}) kind={}", pattern, name_of(offered.kind));
    if (!offered.words.empty()) script += " words=" + quoted(spaced(offered.words));
    script += " ;;\n";
}

}  // namespace

std::string bash_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings)
{
    std::string rows, offers;
    for (const ManualEntry& entry : all) {
        std::vector<std::string> options;
        std::size_t place = 0;
        for (const CommandOption& option : entry.line.options) {
            const std::vector<std::string> names = option_names(option);
            options.insert(options.end(), names.begin(), names.end());
            for (const std::string& name : names)
                add_bash_offer(quoted(entry.name + " " + name), option, offers);
            if (!names.empty()) continue;
            // All that follows is like the last one.
            const bool list = std::holds_alternative<std::vector<std::string>*>(option.into);
            add_bash_offer(list ? fmt::format("{}[0-9]*", quoted(entry.name + " "))
                                : quoted(fmt::format("{} {}", entry.name, place)),
                           option, offers);
            ++place;
        }
        rows += fmt::format("        {}) commands={} options={} valued={} ;;\n", quoted(entry.name),
                            quoted(spaced(commands_below(entry))), quoted(spaced(options)),
                            quoted(spaced(valued_options(entry))));
    }
    return fmt::format(
        "# Completion for bash, {}.\n"
        "# shellcheck shell=bash disable=SC2034\n\n"
        "# Sets what the command has: commands below it, options, and those of them that take a value.\n"
        "_fathom_row()\n{{\n    case $1 in\n{}    esac\n}}\n\n"
        "# Sets what may stand as the value of the option, or at the place: \"fathom dump --table\", "
        "\"fathom dump 0\".\n"
        "_fathom_offer()\n{{\n    kind='' words='' endings={}\n    case $1 in\n{}    esac\n}}\n{}",
        made_by, rows, quoted(fmt::format("{}", fmt::join(endings, " "))), offers, bash_code);
}

// ---- zsh ----

namespace {

// In a row of _arguments: brackets and colons mean something.
std::string zsh_text(std::string_view text)
{
    std::string all;
    for (const char letter : text) {
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') all += '\\';
        all += letter;
    }
    return all;
}

std::string zsh_action(const CommandOption& option, std::span<const std::string_view> endings)
{
    const Offered offered = offered_for(option);
    switch (offered.kind) {
        case Offer::words:
            return fmt::format("({})", spaced(offered.words));
        case Offer::list:
            return fmt::format("_sequence compadd - {}", spaced(offered.words));
        case Offer::logs: {
            std::string pattern;
            for (const std::string_view ending : endings)
                pattern += fmt::format("{}*{}", pattern.empty() ? "" : "|", ending);
            return fmt::format("_files -g \"({})\"", pattern);
        }
        case Offer::files:
            return "_files";
        case Offer::folders:
            return "_files -/";
        case Offer::program:
            return " _command_names -e";
        case Offer::nothing:
            break;
    }
    return " ";
}

std::string zsh_rows(const ManualEntry& entry, std::span<const std::string_view> endings)
{
    std::string rows;
    const auto add = [&rows](const std::string& row) { rows += fmt::format(" \\\n        {}", quoted(row)); };
    for (const CommandOption& option : entry.line.options) {
        const std::vector<std::string> names = option_names(option);
        const std::string value = takes_value(option) ? fmt::format(":{}:{}", zsh_text(option.argument),
                                                                    zsh_action(option, endings))
                                                      : "";
        // An option may be said after others; it is offered again, since some may be said twice.
        for (const std::string& name : names)
            add(fmt::format("*{}{}[{}]{}", name,
                            !takes_value(option)     ? ""
                            : name.starts_with("--") ? "="
                                                     : "+",
                            zsh_text(option.meaning), value));
        if (!names.empty()) continue;
        const bool list = std::holds_alternative<std::vector<std::string>*>(option.into);
        if (option.details.program) {
            add(fmt::format("(-)1:{}:{}", zsh_text(option.names), zsh_action(option, endings)));
            add("*::arguments:_normal");
        } else {
            add(fmt::format("{}:{}:{}", list ? "*" : "", zsh_text(option.names),
                            zsh_action(option, endings)));
        }
    }
    return rows;
}

std::string zsh_function(const ManualEntry& entry, std::span<const std::string_view> endings)
{
    const std::string name = with_underscores(entry.name);
    if (entry.line.commands.empty())
        return fmt::format("{}()\n{{\n    _arguments -s{}{}\n}}\n\n", name, " -S", zsh_rows(entry, endings));
    const bool program = entry.name.find(' ') == std::string::npos;
    std::string described = program ? "        'help:the help of a command'\n" : "", cases;
    for (const Command& below : entry.line.commands) {
        if (*below.summary == '\0') continue;
        described +=
            fmt::format("        {}\n", quoted(fmt::format("{}:{}", below.name, zsh_text(below.summary))));
        cases +=
            fmt::format("        {}) {}_{} ;;\n", below.name, name, with_underscores(below.name).substr(1));
    }
    return fmt::format(R"({0}()
{{
    local curcontext=$curcontext state state_descr line
    local -a below
    local -A opt_args
    below=(
{1}    )
    _arguments -C{2} \
        '1: :->command' \
        '*:: :->rest'
    if [[ $state == command ]]; then
        _describe -t commands command below
        return
    fi
    [[ $state == rest ]] || return
{4}    case $words[1] in
{3}    esac
}}

)",
                       name, described, zsh_rows(entry, endings), cases,
                       program ? "    if [[ $words[1] == help ]]; then\n        _describe -t commands "
                                 "command below\n        return\n    fi\n"
                               : "");
}

}  // namespace

std::string zsh_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings)
{
    std::string script = fmt::format("#compdef fathom\n# Completion for zsh, {}.\n\n", made_by);
    for (const ManualEntry& entry : all) script += zsh_function(entry, endings);
    return script + "_fathom \"$@\"\n";
}

// ---- fish ----

namespace {

// As a word of fish, which knows two escapes in single quotes.
std::string fish_quoted(std::string_view text)
{
    std::string all = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\') all += '\\';
        all += letter;
    }
    return all + "'";
}

constexpr std::string_view fish_code = R"(
# Whether the words so far name this command, and none below it.
function __fathom_at
    test (__fathom_command) = "$argv"
end

# The command that the words so far name.
function __fathom_command
    set -l command fathom
    for word in (commandline -opc)[2..-1]
        if test "$word" = help
            continue
        else if contains -- "$command $word" $__fathom_commands
            set command "$command $word"
        end
    end
    echo $command
end

# What may follow the words, commas between them, of which the one under the cursor has some already.
function __fathom_list
    set -l before (string match -r -- '^(?:--[^=]*=)?(.*,)?' (commandline -ct))[2]
    printf '%s\n' "$before"$argv
end

complete -c fathom -f
complete -c fathom -n '__fathom_at fathom' -a help -d 'the help of a command'
)";

std::string fish_offer(const ManualEntry& entry, const CommandOption& option,
                       std::span<const std::string_view> endings)
{
    const Offered offered = offered_for(option);
    switch (offered.kind) {
        case Offer::words:
            return fmt::format(" -x -a {}", fish_quoted(spaced(offered.words)));
        case Offer::list:
            return fmt::format(" -x -a {}",
                               fish_quoted(fmt::format("(__fathom_list {})", spaced(offered.words))));
        case Offer::logs:
            return fmt::format(" -k -x -a {}", fish_quoted(fmt::format("(__fish_complete_suffix {})",
                                                                       fmt::join(endings, " "))));
        case Offer::files:
            return " -r -F";
        case Offer::folders:
            return " -x -a '(__fish_complete_directories)'";
        case Offer::program:  // its first words that begin with -- would be taken for options of its own
            return fmt::format(" -x -a '(__fish_complete_subcommand --fcs-skip=2 = {})'",
                               spaced(valued_options(entry)));
        case Offer::nothing:
            break;
    }
    return " -x";
}

void add_fish_rows(const ManualEntry& entry, std::span<const std::string_view> endings, std::string& script)
{
    const std::string begin =
        fmt::format("complete -c fathom -n {}", fish_quoted("__fathom_at " + entry.name));
    for (const Command& below : entry.line.commands)
        if (*below.summary != '\0')
            script += fmt::format("{} -a {} -d {}\n", begin, below.name, fish_quoted(below.summary));
    for (const CommandOption& option : entry.line.options) {
        std::string row = begin;
        const std::vector<std::string> names = option_names(option);
        for (const std::string& name : names)
            row += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (takes_value(option)) row += fish_offer(entry, option, endings);
        // Without a name it is known by its place, and has no explanation: there are files to choose from.
        if (!names.empty())
            row += " -d " + fish_quoted(option.meaning);
        else if (offered_for(option).kind == Offer::nothing)
            continue;
        script += row + "\n";
    }
}

}  // namespace

std::string fish_completion(std::span<const ManualEntry> all, std::span<const std::string_view> endings)
{
    std::string script = fmt::format("# Completion for fish, {}.\nset -g __fathom_commands", made_by);
    for (const ManualEntry& entry : all)
        if (entry.name.find(' ') != std::string::npos) script += " " + fish_quoted(entry.name);
    script += "\n" + std::string(fish_code);
    for (const ManualEntry& entry : all) add_fish_rows(entry, endings, script);
    return script;
}

}  // namespace fathom
