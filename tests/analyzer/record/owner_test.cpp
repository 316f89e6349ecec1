// Who records comes from the system; a log of many processes tells of one job.
#include "analyzer/record/owner.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <grp.h>
#include <pwd.h>
#include <string>
#include <unistd.h>

#include "analyzer/record/merge.h"
#include "logformat/job_identity.h"

using namespace fathom;

namespace {

constexpr unsigned nobody_has = 4'000'000'123;

Log log_of(std::uint64_t pid, std::string_view job, std::string_view step)
{
    Log log;
    Process process;
    process.pid = pid;
    process.start = pid;
    log.rows<Process>().push_back(process);
    log.add_fact("user", "1000");
    if (job.empty()) return log;
    log.add_fact("batch_system", "Slurm");
    log.add_fact("job_id", job);
    if (!step.empty()) log.add_fact("job_step", step);
    log.add_fact("job_name", "job " + std::string(job));
    return log;
}

template <class... Logs>
Log merged(Logs... logs)
{
    Merger merger;
    (merger.add(std::move(logs)), ...);
    return merger.finish();
}

}  // namespace

TEST_CASE("a recording is of the user and group that the kernel knows")
{
    setenv("USER", "somebody else", 1);
    setenv("SLURM_JOB_ID", "1234", 1);
    setenv("FATHOM_USER_NAME", "left over", 1);
    Log log;
    add_identity(log, names_of_owner());
    for (const char* const name : {"SLURM_JOB_ID", "FATHOM_USER_NAME"}) unsetenv(name);
    CHECK(log.fact("user") == std::to_string(getuid()));
    CHECK(log.fact("group") == std::to_string(getgid()));
    const passwd* const user = getpwuid(getuid());
    CHECK(log.fact("user_name").value_or("") == (user == nullptr ? "" : user->pw_name));
    const ::group* const group = getgrgid(getgid());
    CHECK(log.fact("group_name").value_or("") == (group == nullptr ? "" : group->gr_name));
    CHECK(log.fact("job_id") == "1234");
}

TEST_CASE("numbers get their names where the system has them, and stay alone elsewhere")
{
    Log log;
    log.add_fact("user", "0");
    log.add_fact("group", "0");
    add_names(log);
    CHECK(log.fact("user_name") == name_of_user(0));
    CHECK(log.fact("group_name") == name_of_group(0));
    const std::size_t facts = log.rows<Fact>().size();
    add_names(log);
    CHECK(log.rows<Fact>().size() == facts);

    CHECK(name_of_user(nobody_has).empty());
    CHECK(name_of_group(nobody_has).empty());
    for (const char* const odd : {"4000000123", "-1", "12x", "99999999999999999999"}) {
        Log unknown;
        unknown.add_fact("user", odd);
        unknown.add_fact("group", odd);
        add_names(unknown);
        CHECK(unknown.rows<Fact>().size() == 2);
    }
    Log none;
    add_names(none);
    CHECK(none.rows<Fact>().empty());
}

TEST_CASE("processes of one job are of its step, those of several steps of none in particular")
{
    const Log one = merged(log_of(1, "7", ""), log_of(2, "7", "0"), log_of(3, "7", "0"));
    CHECK(one.fact("job_id") == "7");
    CHECK(one.fact("job_step") == "0");
    const Log several = merged(log_of(1, "7", "0"), log_of(2, "7", "1"), log_of(3, "7", "1"));
    CHECK(several.fact("job_step") == identity::several);
    for (const Log* const log : {&one, &several}) {
        std::size_t steps = 0;
        for (const Fact& fact : log->rows<Fact>()) steps += fact.name == "job_step" ? 1 : 0;
        CHECK(steps == 1);
    }
}

TEST_CASE("what is said of the job is said of one job")
{
    const Log log = merged(log_of(1, "", ""), log_of(2, "7", ""), log_of(3, "8", "2"));
    CHECK(log.fact("job_id") == "7");
    CHECK(log.fact("job_name") == "job 7");
    CHECK_FALSE(log.fact("job_step"));
    CHECK(log.rows<Process>().size() == 3);
}
