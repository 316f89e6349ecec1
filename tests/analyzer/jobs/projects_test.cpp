// Rules of a site: which project a job is of.
#include "analyzer/jobs/add/projects.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using Catch::Matchers::Contains;
using fathom::jobs::Number;
using fathom::testing::Temporary;

namespace {

std::vector<ProjectRule> rules_of(const Temporary& folder, const std::string& text)
{
    std::ofstream(folder.path("rules")) << text;
    return read_project_rules(folder.path("rules"));
}

}  // namespace

TEST_CASE("projects: the first rule that fits counts, and an account before all")
{
    const Temporary folder;
    const auto database = jobs::open_jobs(folder.path("x.db"), jobs::Access::write);
    const auto add = [&](Number id, const char* user, const char* account, const char* program,
                         const char* file) {
        jobs::Values job, details, files;
        jobs::Job row;
        row.id = id;
        row.user = user;
        row.account = row.project = account;
        jobs::append(row, job);
        jobs::Details texts;
        texts.job = id;
        texts.program_path = program;
        jobs::append(texts, details);
        jobs::append(jobs::LargeFile{.job = id, .path = file}, files);
        jobs::insert(*database, jobs::Job::table, job);
        jobs::insert(*database, jobs::Details::table, details);
        jobs::insert(*database, jobs::LargeFile::table, files);
    };
    const auto project = [&](Number id) {
        return std::get<std::string>(
            database->one("select project from jobs where id = ?", jobs::Values{id}, jobs::ValueType::text));
    };
    add(1, "anna", "", "/opt/lmp", "/data/x");
    add(2, "ben", "", "/opt/lmp", "/scratch/energy/run/out");
    add(3, "anna", "", "/energy/bin/app", "/data/x");
    add(4, "anna", "acc4711", "/opt/lmp", "/scratch/energy/out");
    add(5, "carl", "", "/opt/lmp", "/data/x");
    const auto rules =
        rules_of(folder,
                 "# of this site\n\npath /scratch/energy/* energy\npath */energy/bin/* energy # ours\n"
                 "user  a*\tclimate\n");
    CHECK(jobs::apply_project_rules(*database, rules) == 3);
    CHECK(project(1) == "climate");
    CHECK(project(2) == "energy");
    CHECK(project(3) == "energy");
    CHECK(project(4) == "acc4711");
    CHECK(project(5).empty());
    CHECK(jobs::apply_project_rules(*database, rules) == 0);
    CHECK(jobs::apply_project_rules(*database, rules_of(folder, "user * all\n")) == 4);
    CHECK(project(5) == "all");
}

TEST_CASE("projects: a line that is no rule is named")
{
    const Temporary folder;
    for (const char* const line : {"user anna", "group x y", "user a b c"})
        CHECK_THROWS_WITH(rules_of(folder, std::string("\n") + line),
                          Contains("rules, line 2: a rule is 'user PATTERN PROJECT'"));
    CHECK_THROWS_WITH(read_project_rules(folder.path("none")), Contains("cannot open"));
}
