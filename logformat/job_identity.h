// Who ran a job, and which job it was of the batch system: the facts of a log, and the variables of the
// environment that have them. A row for each fact, a column for each batch system.
//
// The recorder and the preload library read them alike. They travel in parts as lines "fact=value".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom::identity {

// By number, which the kernel knows; by name, where `fathom record` or `fathom recover` could look it up.
inline constexpr std::string_view user = "user", user_name = "user_name", group = "group",
                                  group_name = "group_name";
// In these `fathom record` gives the library the names.
inline constexpr const char *user_name_variable = "FATHOM_USER_NAME",
                            *group_name_variable = "FATHOM_GROUP_NAME";

inline constexpr std::string_view batch_system = "batch_system", job_id = "job_id", job_step = "job_step",
                                  array_job = "array_job", array_index = "array_index", job_name = "job_name",
                                  account = "account", queue = "queue", job_nodes = "job_nodes",
                                  node_list = "node_list";

// The step of a log that has processes of more than one.
inline constexpr std::string_view several = "several";

// In the order in which they are looked for: others are started inside of jobs of Slurm.
inline constexpr std::string_view batch_systems[] = {"Slurm", "LSF", "PBS", "Flux"};
inline constexpr std::size_t system_count = std::size(batch_systems);

// A variable, and another one in its stead; nullptr: the system has none.
struct Variables {
    const char *first = nullptr, *other = nullptr;
};

struct BatchFact {
    std::string_view fact, meaning;
    Variables of[system_count];
};

// That of the id comes first: it says which batch system it is. Slurm's ranks know their step, the shell of a
// batch job has none. LSF has slots, but not nodes; of an account PBS and Flux say nothing. PBS Pro and
// Torque differ.
inline constexpr BatchFact batch_facts[] = {
    {job_id,
     "the job's id in the batch system",
     {{"SLURM_JOB_ID"}, {"LSB_JOBID"}, {"PBS_JOBID"}, {"FLUX_JOB_ID"}}},
    {job_step, "step of the job", {{"SLURM_STEP_ID"}, {}, {}, {}}},
    {array_job, "id of the array that the job is one of", {{"SLURM_ARRAY_JOB_ID"}, {}, {"PBS_ARRAY_ID"}, {}}},
    {array_index,
     "which of the array's jobs it is",
     {{"SLURM_ARRAY_TASK_ID"}, {"LSB_JOBINDEX"}, {"PBS_ARRAY_INDEX", "PBS_ARRAYID"}, {}}},
    {job_name, "name that the job was given", {{"SLURM_JOB_NAME"}, {"LSB_JOBNAME"}, {"PBS_JOBNAME"}, {}}},
    {account,
     "account or project that the job is charged to",
     {{"SLURM_JOB_ACCOUNT"}, {"LSB_PROJECT_NAME"}, {}, {}}},
    {queue, "queue or partition", {{"SLURM_JOB_PARTITION"}, {"LSB_QUEUE"}, {"PBS_QUEUE"}, {}}},
    {job_nodes,
     "nodes of the allocation",
     {{"SLURM_JOB_NUM_NODES"}, {}, {"PBS_NUM_NODES"}, {"FLUX_JOB_NNODES"}}},
    {node_list,
     "nodes of the step, or of the job",
     {{"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}, {}, {}, {}}},
};

// All facts of this page, in the order in which logs have them.
template <class Visit>
constexpr void each_fact(Visit visit)
{
    for (const std::string_view fact : {user, user_name, group, group_name, batch_system}) visit(fact);
    for (const BatchFact& row : batch_facts) visit(row.fact);
}

inline bool is_identity(std::string_view name)
{
    bool known = false;
    each_fact([&](std::string_view fact) { known = known || fact == name; });
    return known;
}

// A value is cut after so many bytes; eleven of them and their names fit into a path's room.
inline constexpr std::size_t most_bytes = 255;

// Gives take(text) the beginning of a user's text in pieces, control characters replaced.
template <class Take>
void tidy(std::string_view text, Take take)
{
    if (text.size() > most_bytes) {
        std::size_t end = most_bytes;  // not inside of a character of UTF-8
        while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
        text = text.substr(0, end);
    }
    const auto is_control = [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    };
    while (!text.empty()) {
        const auto* const stop = std::find_if(text.begin(), text.end(), is_control);
        const auto clean = static_cast<std::size_t>(stop - text.begin());
        if (clean > 0) take(text.substr(0, clean));
        if (clean < text.size()) take(std::string_view("?"));
        text.remove_prefix(std::min(clean + 1, text.size()));
    }
}

// The value of the first of these variables that says something. LSF says 0 where there is no array.
template <class Variable>
std::string_view value_of(const Variables& variables, Variable variable)
{
    for (const char* const name : {variables.first, variables.other}) {
        const char* const value = name == nullptr ? nullptr : variable(name);
        const std::string_view text = value == nullptr ? std::string_view() : std::string_view(value);
        const bool none = text.empty() || (text == "0" && std::string_view(name) == "LSB_JOBINDEX");
        if (!none) return text;
    }
    return {};
}

// Gives take(text) the pieces of lines "fact=value\n": variable(name) is a variable of the environment or
// nullptr, the numbers are decimal texts.
template <class Variable, class Take>
void write_lines(std::string_view user_number, std::string_view group_number, Variable variable, Take take)
{
    const auto line = [&](std::string_view fact, std::string_view value) {
        if (value.empty()) return;
        take(fact);
        take(std::string_view("="));
        tidy(value, take);
        take(std::string_view("\n"));
    };
    line(user, user_number);
    line(user_name, value_of({user_name_variable}, variable));
    line(group, group_number);
    line(group_name, value_of({group_name_variable}, variable));
    for (std::size_t system = 0; system < system_count; ++system) {
        if (value_of(batch_facts[0].of[system], variable).empty()) continue;
        line(batch_system, batch_systems[system]);
        for (const BatchFact& row : batch_facts) line(row.fact, value_of(row.of[system], variable));
        return;
    }
}

// Calls visit(fact, value) for each of such lines.
template <class Visit>
void each_line(std::string_view lines, Visit visit)
{
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos) visit(line.substr(0, equals), line.substr(equals + 1));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

}  // namespace fathom::identity
