// What the report says of who ran a job, and which one it was.
#include "analyzer/sections/overview/job_owner.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analyzer/document/renderers/json.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

Log log_with(const Facts& facts)
{
    Synthetic made;
    made.ranks(1);
    for (const auto& [name, value] : facts) made.log.add_fact(name, value);
    return std::move(made.log);
}

// "label: value, remark" of each line.
std::string lines_for(const Facts& facts)
{
    const Log log = log_with(facts);
    std::string all;
    for (const report::Entry& entry : owner_entries(Job(log)))
        all += entry.label + ": " + std::get<std::string>(entry.value.value) +
               (entry.remark.empty() ? "" : "; " + entry.remark) + "\n";
    return all;
}

}  // namespace

TEST_CASE("user and job are a line each")
{
    CHECK(lines_for({{"user", "1000"},
                     {"user_name", "alice"},
                     {"group", "100"},
                     {"group_name", "physics"},
                     {"batch_system", "Slurm"},
                     {"job_id", "1234"},
                     {"job_step", "0"},
                     {"array_job", "1230"},
                     {"array_index", "4"},
                     {"job_name", "relax"},
                     {"account", "bio"},
                     {"queue", "fast"},
                     {"job_nodes", "2"}}) ==
          "user: alice (1000); group physics (100)\n"
          "batch job: Slurm 1234; step 0, index 4 of array 1230, \"relax\", account bio, partition fast, 2 "
          "nodes "
          "allocated\n");
    CHECK(lines_for({{"batch_system", "LSF"}, {"job_id", "7"}, {"array_index", "3"}, {"queue", "normal"}}) ==
          "batch job: LSF 7; index 3 of its array, queue normal\n");
    CHECK(lines_for({{"batch_system", "Flux"}, {"job_id", "f1"}, {"job_nodes", "1"}}) ==
          "batch job: Flux f1; 1 node allocated\n");
    CHECK(lines_for({{"batch_system", "PBS"}, {"job_id", "7"}, {"array_job", "6"}}) ==
          "batch job: PBS 7; of array 6\n");
}

TEST_CASE("what is not known is not said")
{
    CHECK(lines_for({}).empty());
    CHECK(lines_for({{"user", "1000"}}) == "user: 1000\n");
    CHECK(lines_for({{"user_name", "alice"}}) == "user: alice\n");
    CHECK(lines_for({{"user", "-1"}, {"job_id", "4711"}}) == "job id: 4711\n");
    CHECK(lines_for({{"batch_system", "Slurm"}, {"job_id", "7"}, {"job_step", "several"}}) ==
          "batch job: Slurm 7; several steps\n");
    // The shell of a job that was asked for on the command line.
    CHECK(lines_for({{"batch_system", "Slurm"}, {"job_id", "7"}, {"job_step", "4294967290"}}) ==
          "batch job: Slurm 7\n");
}

TEST_CASE("logs that were merged may be of several jobs")
{
    CHECK(lines_for({{"user", "1"},
                     {"user", "2"},
                     {"user", "2"},
                     {"batch_system", "PBS"},
                     {"job_id", "7"},
                     {"job_id", "8"},
                     {"job_id", "9"}}) == "user: 1; and 1 more\nbatch job: PBS 7; and 2 more\n");
}

TEST_CASE("people read it once, programs each fact by its name")
{
    const Log log = log_with({{"user", "1000"},
                              {"user_name", "alice"},
                              {"batch_system", "Slurm"},
                              {"job_id", "7"},
                              {"account", "bio"}});
    const report::Document document = make_report(Job(log), {});
    const std::string words = text_of_document(document);
    CHECK_THAT(words, Contains("alice (1000)") && Contains("Slurm 7") && Contains("account bio"));
    CHECK_THAT(words, !Contains("user name") && !Contains("batch system"));
    const std::string page = report::renderer_of_format("html")->render(document, {});
    CHECK_THAT(page, Contains("alice (1000)") && !Contains("batch system"));
    const auto values = nlohmann::json::parse(report::render_json(document)).at("values");
    CHECK(values.at("job.user") == "1000");
    CHECK(values.at("job.user_name") == "alice");
    CHECK(values.at("job.batch_system") == "Slurm");
    CHECK(values.at("job.job_id") == "7");
    CHECK(values.at("job.account") == "bio");
    CHECK_FALSE(values.contains("job.queue"));
}
