// What the line of a command may say, as data: rows of options, the end of the help, and what is done then.
// Only command_line.cpp knows the library that parses it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace fathom {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_usage = 2;
inline constexpr int exit_condition_holds = 3;  // one that was named with --fail-if

// An error in what was asked for; main prints it and exits with 2.
struct BadUsage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What runs when a command was chosen; the result is the exit status.
using Action = std::function<int()>;

// Where the value of an option goes; that of a flag to a bool, or nowhere. A list: it may be said again for
// more; of one that is known by its place, all that follow.
using Into = std::variant<std::monostate, bool*, std::string*, std::vector<std::string>*, double*, unsigned*,
                          std::vector<unsigned>*, std::uint64_t*, std::optional<std::uint64_t>*>;

// What a number must lie in, ends included: a whole one, unless it goes into a double.
struct Bounds {
    double least = 0, most = 0;
};

// What most options have nothing of.
struct OptionDetails {
    bool required = false;
    bool* given = nullptr;      // becomes whether it was said
    const char* excludes = "";  // the names of options that do not go with it: "--trace,--time-bins"
    char between = '\0';        // stands between the values of a list: "1,4K,16M"
    char joined_by = '\0';      // a text that may be said again; what was said is joined by this
    std::vector<std::string> choices = {};  // nothing else is taken
    std::vector<std::string> offers = {};   // what shells offer for it; the command looks at what was said
    std::optional<Bounds> bounds = {};
    bool positive = false;                          // a number above 0
    bool size = false;                              // bytes, with a suffix or without: 4096, 64K, 1MiB
    std::string (*rewrite)(std::string) = nullptr;  // changes what was said before it is looked at
    std::string (*complaint)(const std::string&) = nullptr;  // what is wrong with it; empty: nothing
    bool program = false;  // a program to run: the first word that is no option, and all after it
};

inline const OptionDetails required{.required = true};

struct CommandOption {
    const char* names;     // "-o,--output"; without dashes it is known by its place
    const char* argument;  // what stands for its value in the help; empty: it is a flag
    std::string meaning;
    Into into = {};
    OptionDetails details = {};
};

// Options that every command has, and the program alone.
extern const CommandOption help_option, version_option;

// What a value may be, besides its meaning: "40 to 400", "a|b"; empty: nothing more than the row says.
std::string limits_of(const CommandOption& option);

struct CommandLine;

struct Command {
    const char* name;
    const char* summary;  // empty: no help lists it
    CommandLine (*line)();
};

struct CommandLine {
    std::vector<CommandOption> options;      // as the help lists them
    std::string help;                        // what it says after them
    Action action = {};                      // keeps alive where the values go
    std::span<const Command> commands = {};  // those below it; where there is no action, one must be named

    void add(const std::vector<CommandOption>& more)
    {
        options.insert(options.end(), more.begin(), more.end());
    }
};

struct Program {
    const char* name;
    const char* summary;
    std::string version;  // what --version prints
    const char* help;
    std::span<const Command> commands;
};

// Does what the arguments ask for: the action of a command, once its values are where they go, or printing
// help or the version; returns the exit status. Throws BadUsage: what is wrong, and which --help says more.
int run_command_line(const Program& program, int argc, char** argv);

}  // namespace fathom
