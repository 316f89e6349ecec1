// Launchers are known by what they put into the environment; the others by their own command lines.
#include "analyzer/record/launcher.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <unistd.h>

#include "analyzer/record/liveness.h"
#include "logformat/launchers.h"

namespace fathom {
namespace {

// The variables that are set, with their values.
std::string all_of(const Surroundings& here, std::span<const char* const> names)
{
    std::string all;
    for (const char* const name : names)
        if (const std::string value = name == nullptr ? "" : here.variable(name); !value.empty())
            all += fmt::format("{}={};", name, value);
    return all;
}

// MPICH's mpiexec puts nothing into the environment that differs from one launch to the next, but on each
// node it has a process that was given the address to call back.
std::string port_of_hydra(const Surroundings& here)
{
    for (const std::string& command : here.ancestors) {
        std::istringstream words(command);
        for (std::string word, value; words >> word;)
            if ((word == "--control-port" || word == "--upstream-port") && words >> value)
                return word + '=' + value;
    }
    return "";
}

std::string words_of(pid_t process)
{
    std::ifstream file(fmt::format("/proc/{}/cmdline", process));
    std::string words(std::istreambuf_iterator<char>(file), {});
    for (char& letter : words)
        if (letter == '\0') letter = ' ';
    return words;
}

pid_t parent_of(pid_t process)
{
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string word; status >> word;)
        if (pid_t parent = 0; word == "PPid:" && status >> parent) return parent;
    return 0;
}

}  // namespace

Surroundings surroundings_of_this_process()
{
    constexpr std::size_t most_ancestors = 16;
    Surroundings here;
    here.variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    here.parent = identity_of(getppid());
    for (pid_t one = getppid(); one > 1 && here.ancestors.size() < most_ancestors; one = parent_of(one))
        here.ancestors.push_back(words_of(one));
    return here;
}

std::optional<Launched> launched(const Surroundings& here)
{
    const Launcher* const launcher = launcher_of(here.variable);
    if (launcher == nullptr) return std::nullopt;
    Launched one;
    if (launcher->known_by == slurm_step) {
        if (here.variable(slurm_tasks) == "1") return std::nullopt;
        one.step = fmt::format("{}.{}", here.variable(slurm_job), here.variable(slurm_step));
    }
    one.launch = all_of(here, launcher->launch);
    if (one.launch.empty()) one.launch = port_of_hydra(here);
    // On one node, whatever started this process is one process.
    if (one.launch.empty()) one.launch = here.parent;
    one.rank = here.variable(launcher->number);
    if (launcher->count != nullptr) one.size = here.variable(launcher->count);
    return one;
}

}  // namespace fathom
