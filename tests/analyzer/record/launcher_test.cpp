// What launchers put into the environment of their processes, as they were seen to on three nodes.
#include "analyzer/record/launcher.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "analyzer/record/job.h"

using namespace fathom;

namespace {

using Variables = std::map<std::string, std::string>;

Surroundings surroundings(const Variables& variables, std::vector<std::string> ancestors = {},
                          std::string parent = "1 2 3")
{
    const auto value_of = [variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? "" : found->second;
    };
    return {value_of, std::move(ancestors), std::move(parent)};
}

std::string key_of(const Surroundings& here)
{
    const auto one = launched(here);
    REQUIRE(one);
    return job_key(one);
}

const Variables batch_job = {{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}};
const Variables step_of_six = {{"SLURM_JOB_ID", "7"},
                               {"SLURM_STEP_ID", "1"},
                               {"SLURM_PROCID", "4"},
                               {"SLURM_LOCALID", "0"},
                               {"SLURM_STEP_NUM_TASKS", "6"},
                               {"PMIX_RANK", "4"},
                               {"PMIX_NAMESPACE", "slurm.pmix.7.1"}};

Variables with(Variables variables, const Variables& more)
{
    for (const auto& [name, value] : more) variables[name] = value;
    return variables;
}

}  // namespace

TEST_CASE("ranks of Open MPI in a batch job are of one launch, on the node of its shell and on the others")
{
    const Variables rank = {{"OMPI_COMM_WORLD_RANK", "3"},
                            {"OMPI_COMM_WORLD_SIZE", "6"},
                            {"OMPI_MCA_orte_hnp_uri", "624754688.0;tcp://192.168.77.1:56649"},
                            {"PMIX_NAMESPACE", "624754689"}};
    const auto beside_the_shell = surroundings(with(batch_job, rank));
    // mpirun starts its daemons elsewhere by a step of one task a node.
    const auto elsewhere =
        surroundings(with(with(step_of_six, {{"SLURM_STEP_NUM_TASKS", "2"}}), rank), {}, "4 5 6");
    CHECK(key_of(beside_the_shell) == key_of(elsewhere));
    CHECK(launched(elsewhere)->rank == "3");
    CHECK(launched(elsewhere)->size == "6");
    CHECK(launched(elsewhere)->step.empty());
    const auto next = surroundings(
        with(with(batch_job, rank), {{"OMPI_MCA_orte_hnp_uri", "624754688.0;tcp://192.168.77.1:56650"}}));
    CHECK(key_of(next) != key_of(elsewhere));
}

TEST_CASE("tasks of srun are of one launch for each step, and for each time that a job was started")
{
    const auto one = launched(surroundings(step_of_six));
    REQUIRE(one);
    CHECK(one->step == "7.1");
    CHECK(one->rank == "4");
    CHECK(one->size == "6");
    const std::string key = key_of(surroundings(step_of_six));
    CHECK(key_of(surroundings(with(step_of_six, {{"SLURM_PROCID", "5"}}), {}, "7 8 9")) == key);
    CHECK(key_of(surroundings(with(step_of_six, {{"SLURM_STEP_ID", "2"}}))) != key);
    CHECK(key_of(surroundings(with(step_of_six, {{"SLURM_RESTART_COUNT", "1"}}))) != key);
    CHECK(default_log_name("bin/app", one, 0) == "app-7.1.fathom");
}

TEST_CASE("the shell of a batch job, and one that a user asked srun for, are started by no launcher")
{
    CHECK_FALSE(launched(surroundings(batch_job)));
    CHECK_FALSE(launched(surroundings(with(step_of_six, {{"SLURM_STEP_NUM_TASKS", "1"}}))));
    CHECK_FALSE(launched(surroundings({})));
}

TEST_CASE("ranks of MPICH's mpiexec are of one launch where their nodes' helpers call the same port")
{
    const Variables rank = {{"PMI_RANK", "2"}, {"MPI_LOCALRANKID", "0"}};
    const auto helper = [](const std::string& port, const std::string& id) {
        return "/usr/bin/hydra_pmi_proxy --control-port " + port + " --rmk user --proxy-id " + id + " ";
    };
    const std::string key = key_of(surroundings(rank, {helper("node1:4000", "0"), "mpiexec"}, "1 1 1"));
    CHECK(key_of(surroundings(rank, {"sh -c x", helper("node1:4000", "1")}, "2 2 2")) == key);
    CHECK(key_of(surroundings(rank, {helper("node1:4001", "0"), "mpiexec"}, "1 1 1")) != key);
    // In a step of Slurm, by which the helpers were started.
    CHECK(key_of(surroundings(with(step_of_six, rank), {helper("node1:4000", "2")})) == key);
}

TEST_CASE("launchers that name no launch: whatever started the process is one on its node")
{
    const Variables rank = {{"PMI_RANK", "2"}};
    CHECK(key_of(surroundings(rank, {"helper"}, "1 1 1")) ==
          key_of(surroundings({{"PMI_RANK", "3"}}, {}, "1 1 1")));
    CHECK(key_of(surroundings(rank, {"helper"}, "1 1 1")) != key_of(surroundings(rank, {"helper"}, "1 1 2")));
}
