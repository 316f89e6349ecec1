// What changed for good, and when.
#include "analyzer/history/circumstances.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/analyzer/history/made_database.h"

using namespace fathom::history;
using namespace fathom::testing;

namespace {

std::size_t aspect_called(std::string_view id)
{
    const auto all = aspects();
    for (std::size_t at = 0; at < all.size(); ++at)
        if (all[at].id == id) return at;
    FAIL("no aspect " << id);
    return 0;
}

// One aspect with these values; all else is not known.
Circumstances with(std::string_view id, const std::vector<std::string>& values)
{
    Circumstances all;
    for (const std::string& value : values) {
        all.of_run.emplace_back(aspects().size());
        all.of_run.back()[aspect_called(id)] = value;
    }
    return all;
}

}  // namespace

TEST_CASE("history: a circumstance changes for good where four of five runs on each side agree")
{
    const auto found = lasting_changes(with("mpi", {"a", "a", "a", "a", "b", "b", "b"}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].run == 4);
    CHECK(found[0].before == "a");
    CHECK(found[0].after == "b");
    CHECK(aspects()[found[0].aspect].id == "mpi");
    CHECK(lasting_changes(with("mpi", {"a", "b", "a", "b", "a", "b", "a", "b"})).empty());
    CHECK(lasting_changes(with("mpi", {"a", "a", "a", "a", "a", "a"})).empty());
    // What is not known is passed over.
    const auto gaps = lasting_changes(with("kernel", {"a", "", "a", "", "", "b", "", "b"}));
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0].run == 5);
    // One run of the other kind among five is no matter, two are.
    CHECK(lasting_changes(with("mpi", {"a", "a", "a", "a", "b", "b", "a", "b", "b"})).size() == 1);
    CHECK(lasting_changes(with("mpi", {"a", "a", "a", "a", "b", "b", "a", "a", "b"})).empty());
    const auto later = lasting_changes(with("mpi", {"a", "a", "a", "a", "b", "a", "a", "b", "b"}));
    REQUIRE(later.size() == 1);
    CHECK(later[0].run == 7);
    // The last run may be the first of the new kind.
    CHECK(lasting_changes(with("mpi", {"a", "a", "a", "b"})).size() == 1);
    CHECK(changes_near(found, 6).size() == 1);
    CHECK(changes_near(found, 2).size() == 1);
    CHECK(changes_near(found, 7).empty());
    CHECK(changes_near(found, 1).empty());
}

TEST_CASE("history: circumstances come from all tables that know one")
{
    MadeDatabase made;
    fathom::jobs::Job& job = made.run("a", 1);
    job.nodes = 4;
    job.accesses = 123456;
    job.key_size = 1 << 20;
    job.posix = job.mpiio = 1;
    job.queue = "long";
    job.reads_mode = "N-1";
    const Number id = job.id, other = made.run("a", 1).id;
    fathom::jobs::Details& details = made.details.emplace_back();
    details.job = id;
    details.program_path = "/opt/a/1.2/a";
    details.command = "a -x";
    made.mounts.push_back({id, "/home", "nfs4", 1, 10, 0});
    made.mounts.push_back({id, "/scratch", "lustre", 1, 0, 1000});
    made.mounts.push_back({id, "/proc", "proc", 1, 0, 0});
    made.mounts.push_back({other, "/home", "nfs4", 1, 10, 0});
    fathom::jobs::Environment& environment = made.environment(id);
    environment = {id, "Open MPI 4", "6.1.0", "Fathom 0.1.0", "n1, n2", "", "4 servers, 1 MiB each", 7};
    environment.build = "0123456789abcdef0123456789abcdef01234567";
    made.environment(other) = {other, "", "", "", "", "nfs4 server:/home", "", 0};
    const Temporary folder;
    const auto database = made.in(folder);
    const std::vector<KindRun> runs = {run_at(other, 0, 1), run_at(id, 1, 1)};
    const std::vector<const KindRun*> asked = {&runs[0], &runs[1]};
    const Circumstances found = circumstances_of(*database, asked);
    const auto is = [&](std::size_t run, std::string_view aspect) {
        return found.of_run[run][aspect_called(aspect)];
    };
    CHECK(is(1, "program_path") == "/opt/a/1.2/a");
    CHECK(is(1, "command") == "a -x");
    CHECK(is(1, "mpi") == "Open MPI 4");
    CHECK(is(1, "kernel") == "6.1.0");
    CHECK(is(1, "build") == "0123456789ab");
    CHECK(is(1, "nodes") == "4");
    CHECK(is(1, "node_names") == "n1, n2");
    CHECK(is(1, "file_systems") == "lustre, nfs4");
    CHECK(is(0, "file_systems") == "nfs4 server:/home");
    CHECK(is(1, "striping") == "4 servers, 1 MiB each");
    CHECK(is(1, "interfaces") == "POSIX, MPI-IO");
    CHECK(is(1, "requests") == "about 120,000");
    CHECK(is(1, "request_size") == "1 MiB");
    CHECK(is(1, "reads_mode") == "N-1");
    CHECK(is(0, "mpi").empty());
    CHECK(std::find(found.unknown.begin(), found.unknown.end(), aspect_called("writes_mode")) !=
          found.unknown.end());
    CHECK(std::find(found.unknown.begin(), found.unknown.end(), aspect_called("mpi")) == found.unknown.end());
}
