// Launchers are known by what they put into the environment; what does not tell, their own command lines do.
#include "analyzer/record/launcher.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <unistd.h>

#include "analyzer/record/liveness.h"

namespace fathom {
namespace {

// The variables that are set, with their values.
std::string all_of(const Surroundings& here, std::initializer_list<const char*> names)
{
    std::string all;
    for (const char* const name : names)
        if (const std::string value = here.variable(name); !value.empty())
            all += fmt::format("{}={};", name, value);
    return all;
}

// Open MPI's mpirun gives its ranks the address at which it listens. It may run in a batch job or in a step
// of one, of which only some of its ranks know.
std::string launch_of_open_mpi(const Surroundings& here)
{
    return all_of(here, {"OMPI_MCA_orte_hnp_uri", "PMIX_NAMESPACE"});
}

// A requeued job keeps its number.
std::string launch_of_slurm(const Surroundings& here)
{
    return all_of(here, {"SLURM_CLUSTER_NAME", "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"});
}

std::string launch_of_pmix(const Surroundings& here)
{
    return all_of(here, {"PMIX_NAMESPACE"});
}

// MPICH's mpiexec puts nothing into the environment that differs from one launch to the next, but on each
// node it has a process that was told where to call back.
std::string launch_of_hydra(const Surroundings& here)
{
    for (const std::string& command : here.ancestors) {
        std::istringstream words(command);
        for (std::string word, value; words >> word;)
            if ((word == "--control-port" || word == "--upstream-port") && words >> value)
                return word + '=' + value;
    }
    return "";
}

std::string no_launch(const Surroundings&)
{
    return "";
}

struct Launcher {
    const char *rank, *local;
    std::string (*launch)(const Surroundings&);
};

// Slurm numbers what it starts, be it ranks or others' launchers on each node: it comes after these. The
// shell of a batch job has a number too, but is of no step.
constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", launch_of_open_mpi},
    {"MPI_LOCALRANKID", "MPI_LOCALRANKID", launch_of_hydra},
    {"SLURM_PROCID", "SLURM_LOCALID", launch_of_slurm},
    {"PMIX_RANK", "", launch_of_pmix},
    {"PMI_RANK", "", no_launch},
};

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
    for (const Launcher& launcher : launchers) {
        const std::string rank = here.variable(launcher.rank);
        const bool by_slurm = launcher.launch == launch_of_slurm;
        if (rank.empty() || (by_slurm && here.variable("SLURM_STEP_ID").empty())) continue;
        if (by_slurm && here.variable("SLURM_STEP_NUM_TASKS") == "1") return std::nullopt;
        Launched one;
        one.launch = launcher.launch(here);
        // On one node, whatever started this process is one process.
        if (one.launch.empty()) one.launch = here.parent;
        one.local = here.variable(launcher.local);
        if (by_slurm)
            one.step = fmt::format("{}.{}", here.variable("SLURM_JOB_ID"), here.variable("SLURM_STEP_ID"));
        return one;
    }
    return std::nullopt;
}

}  // namespace fathom
