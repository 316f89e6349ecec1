// What must hold in every log: a sound one holds, each rule notices what breaks it, and what a log lacks is
// told. How MPI-IO's accesses became POSIX's.
#include <catch2/catch.hpp>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/sections/mpi/mpiio_levels.h"
#include "analyzer/sections/sections.h"
#include "analyzer/sections/trust/invariant_checks.h"
#include "analyzer/sections/trust/missing.h"
#include "tests/analyzer/sections/sound_log.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

std::string text_of(Blocks blocks)
{
    report::Document document;
    document.sections.push_back({"section", "section", std::move(blocks)});
    return report::renderer_of_format("text")->render(document, {400, true});
}

}  // namespace

TEST_CASE("in a sound log every rule is checked, and holds")
{
    Synthetic made = sound();
    CHECK(broken_in(made.log).empty());
    const Job job(made.log);
    for (const auto checks : {record_checks(), total_checks(), timing_checks()})
        for (const InvariantCheck& check : checks)
            if (check.id != "extremes_fit") CHECK(check.check(job).checked > 0);  // of other tools' logs
    const std::string text = text_of(invariants(job, {}));
    CHECK_THAT(text, Contains("all of them: the log agrees with itself") &&
                         Contains("Nothing is known to be missing"));
}

TEST_CASE("each rule notices what breaks it")
{
    CHECK(broken_by([](Log& log) { ++record_of(log).read_size.count[4]; }) == Ids{"sizes_are_calls"});
    CHECK(broken_by([](Log& log) {
              auto& sizes = record_of(log).read_size.count;
              std::swap(sizes[4], sizes[3]);
          }) == Ids{"bytes_fit_sizes"});
    CHECK(broken_by([](Log& log) { record_of(log).sequential_reads = 1; }) == Ids{"patterns_are_calls"});
    CHECK(broken_by([](Log& log) { record_of(log).strided_writes = 2; }) == Ids{"patterns_are_calls"});
    CHECK(broken_by([](Log& log) { record_of(log).last_read = job_start; }) == Ids{"instants_in_order"});
    CHECK(broken_by([](Log& log) { record_of(log).first_open = 0; }) == Ids{"instants_in_order"});
    CHECK(broken_by([](Log& log) { record_of(log).last_close = job_start + 101 * second; }) ==
          Ids{"instants_in_order"});
    CHECK(broken_by([](Log& log) { record_of(log).first_open = job_start - second; }) ==
          Ids{"instants_in_order"});
    CHECK(broken_by([](Log& log) { record_of(log).readers = 0; }) == Ids{"sharing_agrees"});
    CHECK(broken_by([](Log& log) { record_of(log).writers = 2; }) == Ids{"sharing_agrees"});
    CHECK(broken_by([](Log& log) { log.rows<FileName>().pop_back(); }) == Ids{"references_exist"});
    CHECK(broken_by([](Log& log) {
              log.rows<Burst>().push_back({7, job_start, job_start});
          }) == Ids{"references_exist"});
    CHECK(broken_by([](Log& log) { ++record_of(log).syncs; }) == Ids{"totals_are_sums"});
    CHECK(broken_by([](Log& log) { record_of(log).write_time += second; }) == Ids{"totals_are_sums"});
    CHECK(broken_by([](Log& log) {
              record_of(log).write_time += 300 * second;
              log.rows<Totals>().front().write_time += 300 * second;
          }) == Ids{"time_is_there"});
    CHECK(broken_by([](Log& log) {
              log.rows<Process>().front().end = job_start - second;
          }).count("lifetimes_are_in_order") == 1);
    CHECK(broken_by([](Log& log) {
              ++log.rows<OperationTimes>().front().operations;
              ++log.rows<DurationBin>().front().operations;
              log.rows<OperationTimes>().front().time += 1000;
          }) == Ids{"histograms_are_calls"});
    CHECK(broken_by([](Log& log) { log.rows<DurationBin>().pop_back(); }) == Ids{"bins_are_operations"});
    CHECK(broken_by([](Log& log) { log.rows<OperationTimes>().front().time *= 2; }) ==
          Ids{"bins_are_operations"});
    CHECK(broken_by([](Log& log) { ++log.rows<Slice>().front().bytes_read; }) == Ids{"time_bins_are_totals"});
    CHECK(broken_by([](Log& log) { ++log.rows<Slice>().front().start; }) == Ids{"time_bins_are_aligned"});
}

TEST_CASE("threads have their time each, and operations that were not timed may be missing")
{
    CHECK(broken_by([](Log& log) {
              record_of(log).write_time += 300 * second;
              log.rows<Totals>().front().write_time += 300 * second;
              log.rows<Process>().front().threads = 4;
          }).empty());
    CHECK(broken_by([](Log& log) {
              log.rows<OperationTimes>().clear();
              log.rows<DurationBin>().clear();
              log.rows<Slice>().clear();
          }).empty());
    CHECK(broken_by([](Log& log) {
              ++log.rows<Totals>().front().reads;
              ++record_of(log).reads;
              ++record_of(log).read_size.count[0];
              log.rows<Process>().front().untimed = 1;
          }).empty());
}

TEST_CASE("where a process was killed, a call of each of its threads may be counted in one place only")
{
    const auto one_more = [](Log& log) {
        ++log.rows<Totals>().front().reads;
        ++record_of(log).reads;
    };
    CHECK(broken_by(one_more) == Ids{"sizes_are_calls", "histograms_are_calls", "time_bins_are_totals"});
    CHECK(broken_by([&](Log& log) {
              one_more(log);
              log.rows<Process>().front().threads = 1;
              log.rows<Process>().front().ending = static_cast<std::uint64_t>(Ending::killed);
          }).empty());
    CHECK(broken_by([&](Log& log) {
              one_more(log);
              one_more(log);
              log.rows<Process>().front().threads = 1;
              log.rows<Process>().front().ending = static_cast<std::uint64_t>(Ending::killed);
          }) == Ids{"sizes_are_calls", "histograms_are_calls"});
}

TEST_CASE("what does not hold is reported with numbers, and what it means")
{
    Synthetic made = sound();
    record_of(made.log).syncs = 5;
    const std::string text = text_of(invariants(Job(made.log), {}));
    CHECK_THAT(text, Contains("What does not hold") && Contains("POSIX, syncs: 0 by process, 5 by file"));
    CHECK_THAT(text, !Contains("agrees with itself"));
}

TEST_CASE("what is missing from a log is reported, a sentence each")
{
    Synthetic made = sound();
    CHECK(missing_from(Job(made.log)).empty());
    Log& log = made.log;
    log.problems.push_back("a block is damaged");
    log.add_fact("not_gathered", "a rank was not recorded");
    log.add_fact("not_recorded", "busybox (3 times)");
    log.add_fact("excluded", "/proc");
    Process& process = log.rows<Process>().front();
    process.missed = 1;
    process.untimed = 2;
    process.traced = 10;
    process.untraced = 3;
    process.ending = static_cast<std::uint64_t>(Ending::killed);
    log.rows<Process>().back().ending = static_cast<std::uint64_t>(Ending::running);
    log.not_recorded = {"time_bins.process", "time_bins.layer"};
    std::string all;
    for (const std::string& sentence : missing_from(Job(log))) all += sentence + "\n";
    for (const char* const part :
         {"1 part of the log", "Not counted: 1 call", "2 operations, which", "3 of 13 operations",
          "busybox (3 times)", "a rank was not recorded", "signal: 1 process",
          "Still running when the log was written: 1 process", "on purpose: files below /proc"})
        CHECK_THAT(all, Contains(part));
    CHECK_THAT(all, !Contains("time_bins"));  // some columns only
}

TEST_CASE("an empty log has nothing to check and does no harm")
{
    const Log log;
    CHECK_THAT(text_of(invariants(Job(log), {})), !Contains("rules checked"));
}

TEST_CASE("MPI-IO's accesses are set beside POSIX's on the files that both know")
{
    Synthetic made;
    made.ranks(4);
    made.log.rows<Mount>().push_back({"/", "ext4", "/dev/sda"});
    made.log.rows<Mount>().push_back({"/scratch", "lustre", "server"});
    const std::uint64_t file = made.file("/scratch/out"), own = made.file("/scratch/log");
    auto& above = made.reduced_io<MpiioRecord>(file, 4, 0, 4, {.bytes_written = 40 * mib});
    above.writes = 400;
    above.write_size = {};
    above.write_size.add(100 << 10, 400);
    above.common_size.add(100 << 10, 400);
    above.collective_writes = 300;
    auto& beneath =
        made.reduced_io<PosixRecord>(file, 2, 2, 2, {.bytes_read = 20 * mib, .bytes_written = 60 * mib});
    beneath.writes = 15;
    beneath.write_size = {};
    beneath.write_size.add(4 * mib, 15);
    beneath.common_size.add(4 * mib, 15);
    made.io<PosixRecord>(own, 0, {.bytes_written = 99 * mib});  // not by MPI-IO
    const auto all = mpiio_levels_of(Job(made.log));
    REQUIRE(all.size() == 1);
    CHECK(all[0].mount == "/scratch");
    CHECK(all[0].type == "lustre");
    CHECK(all[0].files == 1);
    const auto& [asked, done] = std::pair(all[0].mpiio[1], all[0].posix[1]);
    CHECK(asked.operations == 400);
    CHECK(asked.collective == 300);
    CHECK(asked.ranks == 4);
    CHECK(asked.commonest == 100 << 10);
    CHECK(done.operations == 15);
    CHECK(done.bytes == 60 * mib);
    CHECK(done.mean_size() == 4 * mib);
    CHECK(done.ranks == 2);
    CHECK(done.commonest == 4 * mib);
    const std::string text = text_of(mpiio_to_posix(Job(made.log), {}));
    CHECK_THAT(text,
               Contains("400 writes of 102 KiB on average became 15 of 4 MiB in POSIX, 1.50 bytes for each"));
    CHECK_THAT(text, Contains("POSIX read 20 MiB more than MPI-IO was asked to read"));
    CHECK_THAT(text, Contains("75 %") && Contains("/scratch (lustre)"));
}

TEST_CASE("the commonest size is not reported where it may be of reads or of writes")
{
    Synthetic made;
    made.ranks(1);
    const std::uint64_t file = made.file("/out");
    made.io<MpiioRecord>(file, 0, {.bytes_written = mib});
    auto& beneath =
        made.io<PosixRecord>(file, 0, {.bytes_read = mib, .bytes_written = mib}, Scope::beneath_mpiio);
    beneath.common_size.add(mib, 1);
    CHECK_FALSE(mpiio_levels_of(Job(made.log))[0].posix[0].commonest);
    beneath.common_size.add(mib, 1);
    CHECK(mpiio_levels_of(Job(made.log))[0].posix[0].commonest == mib);
    CHECK(mpiio_levels_of(Job(made.log))[0].posix[1].commonest == mib);
}

TEST_CASE("MPI-IO that POSIX saw nothing of is reported as that")
{
    Synthetic made;
    made.ranks(1);
    made.io<MpiioRecord>(made.file("/out"), 0, {.bytes_written = mib});
    CHECK(mpiio_levels_of(Job(made.log)).empty());
    CHECK_THAT(text_of(mpiio_to_posix(Job(made.log), {})), Contains("by other means"));
}
