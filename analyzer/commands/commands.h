// The commands of `fathom`: a row each, and a file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

namespace fathom {

// What runs when a command was chosen; the result is the exit status.
using Action = std::function<int()>;

struct Command {
    const char* name;
    const char* summary;
    Action (*declare)(CLI::App& app);  // adds the options and the help, and returns what to run
};

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_usage = 2;
inline constexpr int exit_condition_holds = 3;  // one that was named with --fail-if

// An error in what was asked for, found only after the options were parsed; main prints it and exits with 2.
struct BadUsage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Action declare_record(CLI::App& app);
Action declare_recover(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_dump(CLI::App& app);
Action declare_merge(CLI::App& app);
Action declare_compare(CLI::App& app);
Action declare_convert(CLI::App& app);
Action declare_clusters(CLI::App& app);
Action declare_probe(CLI::App& app);
Action declare_measure(CLI::App& app);
Action declare_model(CLI::App& app);
Action declare_states(CLI::App& app);

std::span<const Command> commands();

}  // namespace fathom
