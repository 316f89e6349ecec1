// Which variable tells which fact, and what becomes of values that a log cannot hold as they are.
#include "logformat/job_identity.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

using namespace fathom;

namespace {

using Variables = std::map<std::string, std::string>;
using Lines = std::vector<std::pair<std::string, std::string>>;

Lines lines_of(const Variables& variables, std::string_view user = "1000", std::string_view group = "100")
{
    std::string text;
    identity::write_lines(
        user, group,
        [&](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        [&](std::string_view piece) { text += piece; });
    Lines all;
    identity::each_line(
        text, [&](std::string_view fact, std::string_view value) { all.emplace_back(fact, value); });
    return all;
}

// What the lines say after user and group.
Lines job_of(const Variables& variables)
{
    Lines all = lines_of(variables);
    REQUIRE(all.size() >= 2);
    all.erase(all.begin(), all.begin() + 2);
    return all;
}

std::string tidied(std::string_view text)
{
    std::string all;
    identity::tidy(text, [&](std::string_view piece) { all += piece; });
    return all;
}

}  // namespace

TEST_CASE("every batch system has its own variables, and its id says which one it is")
{
    CHECK(job_of({{"SLURM_JOB_ID", "1234"},
                  {"SLURM_STEP_ID", "0"},
                  {"SLURM_ARRAY_JOB_ID", "1230"},
                  {"SLURM_ARRAY_TASK_ID", "0"},
                  {"SLURM_JOB_NAME", "relax"},
                  {"SLURM_JOB_ACCOUNT", "bio"},
                  {"SLURM_JOB_PARTITION", "fast"},
                  {"SLURM_JOB_NUM_NODES", "2"},
                  {"SLURM_JOB_NODELIST", "n[1-2]"}}) == Lines{{"batch_system", "Slurm"},
                                                              {"job_id", "1234"},
                                                              {"job_step", "0"},
                                                              {"array_job", "1230"},
                                                              {"array_index", "0"},
                                                              {"job_name", "relax"},
                                                              {"account", "bio"},
                                                              {"queue", "fast"},
                                                              {"job_nodes", "2"},
                                                              {"node_list", "n[1-2]"}});
    CHECK(job_of({{"SLURM_JOB_ID", "1"}, {"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_STEP_NODELIST", "n2"}}) ==
          Lines{{"batch_system", "Slurm"}, {"job_id", "1"}, {"node_list", "n2"}});
    CHECK(job_of({{"LSB_JOBID", "55"},
                  {"LSB_JOBINDEX", "3"},
                  {"LSB_JOBNAME", "relax[3]"},
                  {"LSB_PROJECT_NAME", "bio"},
                  {"LSB_QUEUE", "normal"},
                  {"LSB_DJOB_NUMPROC", "64"}}) == Lines{{"batch_system", "LSF"},
                                                        {"job_id", "55"},
                                                        {"array_index", "3"},
                                                        {"job_name", "relax[3]"},
                                                        {"account", "bio"},
                                                        {"queue", "normal"}});
    CHECK(job_of({{"PBS_JOBID", "77[3].srv"},
                  {"PBS_ARRAY_ID", "77[].srv"},
                  {"PBS_ARRAY_INDEX", "3"},
                  {"PBS_JOBNAME", "relax"},
                  {"PBS_QUEUE", "workq"},
                  {"PBS_NUM_NODES", "4"}}) == Lines{{"batch_system", "PBS"},
                                                    {"job_id", "77[3].srv"},
                                                    {"array_job", "77[].srv"},
                                                    {"array_index", "3"},
                                                    {"job_name", "relax"},
                                                    {"queue", "workq"},
                                                    {"job_nodes", "4"}});
    CHECK(job_of({{"PBS_JOBID", "77-3.srv"}, {"PBS_ARRAYID", "3"}}) ==
          Lines{{"batch_system", "PBS"}, {"job_id", "77-3.srv"}, {"array_index", "3"}});
    CHECK(job_of({{"FLUX_JOB_ID", "ƒ3dSybfQ3"}, {"FLUX_JOB_NNODES", "2"}}) ==
          Lines{{"batch_system", "Flux"}, {"job_id", "ƒ3dSybfQ3"}, {"job_nodes", "2"}});
}

TEST_CASE("without a batch system's id there is no job, and one inside of Slurm is Slurm's")
{
    CHECK(job_of({}).empty());
    CHECK(job_of({{"SLURM_JOB_NAME", "left over"}, {"SLURM_JOB_ID", ""}}).empty());
    CHECK(job_of({{"LSB_JOBID", "7"}, {"LSB_JOBINDEX", "0"}}) ==
          Lines{{"batch_system", "LSF"}, {"job_id", "7"}});
    const Lines inside = job_of({{"FLUX_JOB_ID", "f1"}, {"FLUX_JOB_NNODES", "1"}, {"SLURM_JOB_ID", "9"}});
    CHECK(inside == Lines{{"batch_system", "Slurm"}, {"job_id", "9"}});
}

TEST_CASE("user and group are there by number, and by name where fathom record says it")
{
    CHECK(lines_of({{"USER", "mallory"}, {"LOGNAME", "mallory"}}) ==
          Lines{{"user", "1000"}, {"group", "100"}});
    CHECK(lines_of({{"FATHOM_USER_NAME", "alice"}, {"FATHOM_GROUP_NAME", "physics"}}, "0", "") ==
          Lines{{"user", "0"}, {"user_name", "alice"}, {"group_name", "physics"}});
}

TEST_CASE("values stay on their line, and are cut between characters")
{
    CHECK(tidied("a\nb\tc\x7f\x1b[31m") == "a?b?c??[31m");
    CHECK(tidied("\n") == "?");
    CHECK(tidied("ƒ=\"x\",<b>") == "ƒ=\"x\",<b>");
    CHECK(job_of({{"PBS_JOBID", "1\njob_id=2"}}) == Lines{{"batch_system", "PBS"}, {"job_id", "1?job_id=2"}});
    const std::string longest(identity::most_bytes, 'x');
    CHECK(tidied(longest) == longest);
    CHECK(tidied(longest + "y") == longest);
    // The character would end one byte too late.
    const std::string before(identity::most_bytes - 1, 'x');
    CHECK(tidied(before + "ƒ") == before);
}

TEST_CASE("all values at their longest fit into the room that the library has")
{
    constexpr std::size_t room_of_a_path = 4200;
    const std::string longest(1000, 'x');
    Variables all = {{"FATHOM_USER_NAME", longest}, {"FATHOM_GROUP_NAME", longest}};
    for (const identity::BatchFact& row : identity::batch_facts) all[row.of[0].first] = longest;
    std::size_t size = 0;
    for (const auto& [fact, value] : lines_of(all, "18446744073709551615", "18446744073709551615"))
        size += fact.size() + value.size() + 2;
    CHECK(size > 2500);
    CHECK(size < room_of_a_path);
}

TEST_CASE("lines that are none are passed over")
{
    Lines all;
    identity::each_line("a=1\nno line\n=2\nb=x=y", [&](std::string_view fact, std::string_view value) {
        all.emplace_back(fact, value);
    });
    CHECK(all == Lines{{"a", "1"}, {"", "2"}, {"b", "x=y"}});
}
