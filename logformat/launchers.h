// What launchers put into the environment of the processes that they start: a row for each launcher.
//
// The recorder and the preload library read them alike.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

// What a launcher is known by, what numbers a process among all that it started, how many these are, and what
// together names the launch. nullptr: it does not say.
struct Launcher {
    const char *known_by, *number, *count;
    const char* launch[4];
};

// Open MPI's mpirun gives its ranks the address at which it listens; it may run in a job of Slurm, or in a
// step of which only some of its ranks know. Slurm numbers what it starts, be it ranks or others' launchers
// on each node: it comes after these. Its jobs keep their number when they are requeued, and the shell of a
// job has a number, but no step. MPICH's mpiexec names no launch.
inline constexpr const char *slurm_job = "SLURM_JOB_ID", *slurm_step = "SLURM_STEP_ID",
                            *slurm_tasks = "SLURM_STEP_NUM_TASKS";
inline constexpr Launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     {"OMPI_MCA_orte_hnp_uri", "PMIX_NAMESPACE"}},
    {"MPI_LOCALRANKID", "PMI_RANK", "PMI_SIZE", {}},
    {slurm_step,
     "SLURM_PROCID",
     slurm_tasks,
     {"SLURM_CLUSTER_NAME", slurm_job, slurm_step, "SLURM_RESTART_COUNT"}},
    {"PMIX_RANK", "PMIX_RANK", nullptr, {"PMIX_NAMESPACE"}},
    {"PMI_RANK", "PMI_RANK", "PMI_SIZE", {}},
};

// Which of them started this process, or one that it descends from; nullptr: none. variable(name) is a
// variable of the environment as a text, empty where it is not set.
template <class Variable>
const Launcher* launcher_of(Variable variable)
{
    for (const Launcher& one : launchers)
        if (!std::string_view(variable(one.known_by)).empty() &&
            !std::string_view(variable(one.number)).empty())
            return &one;
    return nullptr;
}

// One of the processes that a launcher started; count 0: not known.
struct Task {
    std::int64_t number = -1;
    std::uint64_t count = 0;
};

template <class Variable>
Task task_of(Variable variable)
{
    const Launcher* const launcher = launcher_of(variable);
    if (launcher == nullptr || launcher->count == nullptr) return {};
    const auto read = [&](const char* name, std::uint64_t& number) {
        const auto value = variable(name);
        const std::string_view text(value);
        number = 0;
        for (const char letter : text) {
            if (letter < '0' || letter > '9') return false;
            number = number * 10 + static_cast<std::uint64_t>(letter - '0');
        }
        return !text.empty() && text.size() < 10;
    };
    std::uint64_t number = 0, count = 0;
    if (!read(launcher->number, number) || !read(launcher->count, count) || number >= count) return {};
    return {static_cast<std::int64_t>(number), count};
}

}  // namespace fathom
