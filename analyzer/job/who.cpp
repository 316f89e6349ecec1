// Reads it from the facts and the processes of the log.
#include "analyzer/job/who.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <span>

#include "logformat/job_identity.h"

namespace fathom {
namespace {

constexpr std::string_view start_ranks[] = {"mpirun",        "mpiexec", "orterun", "prterun",
                                            "mpiexec.hydra", "srun",    "aprun",   "jsrun"};
constexpr std::string_view start_others[] = {
    "sh",     "bash",   "dash", "ksh",     "zsh",  "tcsh",  "csh",
    "fish",   "env",    "time", "timeout", "nice", "xargs", "hydra_pmi_proxy",
    "fathom", "busybox"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Logs of other tools have -1 where they know of no user.
std::string_view known(const Job& job, std::string_view fact)
{
    const std::string_view value = job.log.fact(fact).value_or("");
    return value == "-1" ? std::string_view() : value;
}

std::string_view file_name(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1);
}

std::string_view first_word(std::string_view command)
{
    return command.substr(0, command.find(' '));
}

// The name of what ran: logs of other tools have only the command.
std::string_view executable_name(const Process& process)
{
    return file_name(process.program.empty() ? first_word(process.command) : process.program);
}

bool starts_others(const Process& process)
{
    const std::string_view name = executable_name(process);
    return is_one_of(name, start_others) || is_one_of(name, start_ranks);
}

// Slurm numbers the shells of its jobs from the other end: they are no steps of the user's.
bool is_step(std::string_view step)
{
    constexpr std::uint64_t first_shell = 0xfffffff0;
    std::uint64_t number = first_shell;
    std::from_chars(step.data(), step.data() + step.size(), number);
    return number < first_shell;
}

}  // namespace

bool is_launcher(std::string_view path)
{
    return is_one_of(file_name(path), start_ranks);
}

std::string user_of(const Job& job)
{
    const std::string_view name = known(job, identity::user_name);
    return std::string(name.empty() ? known(job, identity::user) : name);
}

std::string batch_job_of(const Job& job)
{
    const std::string_view id = known(job, identity::job_id), system = known(job, identity::batch_system),
                           step = known(job, identity::job_step);
    if (id.empty()) return {};
    return fmt::format("{}{}job {}{}", system, system.empty() ? "" : " ", id,
                       is_step(step) ? fmt::format(".{}", step) : "");
}

std::uint64_t processes_of(const Job& job)
{
    if (job.mpi) return job.ranks.size();
    std::uint64_t replaced = 0;
    for (const Member& member : job.ranks)
        replaced += static_cast<Ending>(member.process.ending) == Ending::replaced;
    return job.ranks.size() - std::min<std::uint64_t>(replaced, job.ranks.empty() ? 0 : job.ranks.size() - 1);
}

const Process* main_process_of(const Job& job)
{
    const Member* main = nullptr;
    const auto better = [&](const Member& one) {
        if (main == nullptr) return true;
        if (job.mpi) return one.process.rank == 0 && main->process.rank != 0;
        const bool starter = starts_others(one.process), before = starts_others(main->process);
        return starter != before ? before : one.time().total() > main->time().total();
    };
    for (const Member& member : job.ranks)
        if (better(member)) main = &member;
    return main == nullptr ? nullptr : &main->process;
}

std::string program_name_of(const Job& job)
{
    const Process* const main = main_process_of(job);
    if (main != nullptr && !executable_name(*main).empty()) return std::string(executable_name(*main));
    return std::string(file_name(first_word(job.log.fact("command").value_or(""))));
}

std::string command_of(const Job& job)
{
    const Process* const main = main_process_of(job);
    const auto given = job.log.fact("command");
    std::string_view command = given.value_or("");
    if (main != nullptr && !main->command.empty() && (job.mpi || command.empty())) command = main->command;
    if (command.empty()) return program_name_of(job);
    const std::string_view program = first_word(command);
    return fmt::format("{}{}", file_name(program), command.substr(program.size()));
}

}  // namespace fathom
