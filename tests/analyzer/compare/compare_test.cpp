// Runs laid side by side: what the document says of changes that were made on purpose.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analyzer/compare/causes.h"
#include "analyzer/compare/comparison.h"
#include "analyzer/compare/conditions.h"
#include "analyzer/compare/file_changes.h"
#include "analyzer/document/renderers/json.h"
#include "analyzer/document/renderers/renderers.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;

namespace {

// What each of `ranks` ranks does: writes of one size to a file of its own, and syncs.
struct Doing {
    std::int64_t ranks = 4;
    std::uint64_t writes = 100, size = mib, write_ns = 10'000'000, syncs = 10, sync_ns = 20'000'000;
    std::uint64_t slow_rank_ns = 0;  // more time of the last rank
    double other_seconds = 5;
    std::string folder = "/out/run1", host = "node0";
};

Log log_of(const Doing& work)
{
    Synthetic made;
    made.log.add_fact("command", "./app");
    std::uint64_t io = 0, longest = 0;
    for (std::int64_t rank = 0; rank < work.ranks; ++rank) {
        made.process(rank, work.host);
        io = work.writes * work.write_ns + work.syncs * work.sync_ns +
             (rank + 1 == work.ranks ? work.slow_rank_ns : 0);
        longest = std::max(longest, io);
        const std::uint64_t file = made.file(work.folder + "/out." + std::to_string(rank) + ".dat");
        PosixRecord& record =
            made.io<PosixRecord>(file, rank, {.bytes_written = work.writes * work.size, .write_time = io});
        record.writes = work.writes;
        Totals& totals = made.log.rows<Totals>().back();
        totals.writes = work.writes;
        totals.syncs = work.syncs;
        totals.opens = 1;
        made.burst(rank, 0, static_cast<double>(io) / 1e9);
    }
    for (Process& process : made.log.rows<Process>())
        process.end = process.start + longest + static_cast<std::uint64_t>(work.other_seconds * 1e9);
    const auto times = [&](std::uint64_t number, std::uint64_t each) {
        return std::vector<std::uint64_t>(number * static_cast<std::uint64_t>(work.ranks), each);
    };
    std::vector<std::uint64_t> writes = times(work.writes, work.write_ns);
    if (work.slow_rank_ns > 0)
        for (std::size_t at = 0; at < work.writes; ++at) writes[at] += work.slow_rank_ns / work.writes;
    made.operations(Layer::posix, Kind::write, SizeHistogram::class_of(work.size), writes);
    made.operations(Layer::posix, Kind::sync, 0, times(work.syncs, work.sync_ns));
    return std::move(made.log);
}

struct Compare {
    std::vector<Log> logs;
    std::vector<Job> jobs;
    std::vector<Run> runs;
    nlohmann::json json;
    std::string text;

    explicit Compare(const std::vector<Doing>& work, std::optional<double> noise = {})
    {
        logs.reserve(work.size());
        jobs.reserve(work.size());
        for (const Doing& one : work) {
            logs.push_back(log_of(one));
            jobs.emplace_back(logs.back());
            runs.emplace_back(jobs.back(), "run" + std::to_string(runs.size()) + ".fathom");
        }
        const auto numbers = compare_metrics(earlier(), runs.back(), noise);
        const report::Document document = make_comparison(earlier(), runs.back(), numbers, {noise, 10});
        for (const report::Renderer& one : report::renderers()) CHECK_FALSE(one.render(document, {}).empty());
        json = nlohmann::json::parse(report::render_json(document));
        text = report::render_text(document, {});
        CHECK_THAT(text, !Contains("nan") && !Contains(" inf"));
    }
    std::span<const Run> earlier() const { return std::span(runs).first(runs.size() - 1); }
    std::string verdict() const { return json.at("values").at("verdict.verdict"); }
    // Seconds of a cause; 0 where it is not told.
    double cause(const std::string& id) const { return json.at("values").value("causes." + id, 0.0); }
    std::string main_cause() const { return json.at("values").value("verdict.main_cause", ""); }
    double sum_of_causes() const
    {
        double sum = 0;
        for (const Cause& one : causes_of(runs.front(), runs.back())) sum += one.seconds;
        return sum;
    }
};

}  // namespace

TEST_CASE("two runs that do the same are the same")
{
    const Compare same({Doing{}, Doing{}});
    CHECK(same.verdict() == "same");
    CHECK_THAT(same.text, Contains("The same within noise") && Contains("so is each piece of it"));
    CHECK(same.cause("difference") == 0);
    CHECK(same.json.at("values").count("verdict.main_cause") == 0);
}

TEST_CASE("smaller writes are named with the seconds they took")
{
    Doing small;
    small.size = 64 * 1024;
    small.writes = 1600;
    small.write_ns = 2'000'000;
    const Compare made({Doing{}, small});
    CHECK(made.verdict() == "slower");
    CHECK(made.main_cause() == "smaller writes");
    CHECK(made.cause("write_size") == Approx(1600 * 0.002 - 1).epsilon(0.01));
    CHECK(made.cause("difference") == Approx(2.2));
    CHECK(made.sum_of_causes() == Approx(2.2));
    CHECK_THAT(made.text, Contains("64 KiB on average, before 1 MiB"));
    CHECK_THAT(made.text, Contains("Each cost rests on one run, before on run0.fathom alone"));
}

TEST_CASE("more syncs, slower writes, more data and a slow rank are separated")
{
    Doing syncs, slow, more, straggler;
    syncs.syncs = 50;
    slow.write_ns *= 3;
    more.writes *= 4;
    straggler.slow_rank_ns = 8'000'000'000;
    const Compare with_syncs({Doing{}, syncs}), with_slow({Doing{}, slow}), with_more({Doing{}, more}),
        with_straggler({Doing{}, straggler});
    CHECK(with_syncs.main_cause() == "more syncs");
    CHECK(with_syncs.cause("sync_calls") == Approx(0.8).epsilon(0.01));
    CHECK(with_slow.main_cause() == "slower writes");
    CHECK(with_slow.cause("write_speed") == Approx(2).epsilon(0.01));
    CHECK_THAT(with_slow.text, Contains("as before: the file system"));
    CHECK(with_more.main_cause() == "more data written");
    CHECK(with_more.cause("write_bytes") == Approx(3).epsilon(0.01));
    CHECK(with_straggler.main_cause() == "the slowest rank is further behind");
    CHECK(with_straggler.cause("slowest_rank") == Approx(6).epsilon(0.01));
    CHECK_THAT(with_straggler.text, Contains("it was rank 3"));
    for (const Compare* const one : {&with_syncs, &with_slow, &with_more, &with_straggler}) {
        CHECK(one->verdict() == "slower");
        CHECK(one->sum_of_causes() == Approx(one->cause("difference")));
    }
}

TEST_CASE("a run that computes longer has no fault of its I/O")
{
    Doing longer;
    longer.other_seconds = 15;
    const Compare made({Doing{}, longer});
    CHECK(made.main_cause() == "longer outside of I/O");
    CHECK(made.cause("outside_io") == Approx(10));
    CHECK(made.json.at("values").at("verdict.io_verdict") == "same");
}

TEST_CASE("processes that only wait for others do not share their seconds out")
{
    Synthetic made;
    made.process(-1);  // a shell: as long as the others together
    for (int child = 0; child < 2; ++child) {
        const std::int64_t number = made.process(-1);
        Process& process = made.log.rows<Process>().back();
        process.start = job_start + static_cast<std::uint64_t>(child) * 50 * second;
        process.end = process.start + 50 * second;
        made.io<PosixRecord>(made.file("/x" + std::to_string(child)), number,
                             {.bytes_written = mib, .write_time = 10 * second});
    }
    const Job job(made.log);
    const Run run(job, "x");
    CHECK(run.at_once == Approx(1));
    CHECK(run.mean_io == Approx(20));
}

TEST_CASE("a faster run says what saved time")
{
    Doing fewer;
    fewer.syncs = 0;
    Doing slow;
    slow.syncs = 100;
    const Compare made({slow, fewer});
    CHECK(made.verdict() == "faster");
    CHECK(made.main_cause() == "fewer syncs");
    CHECK(made.cause("sync_calls") == Approx(-2).epsilon(0.01));
}

TEST_CASE("several earlier runs show what is noise")
{
    std::vector<Doing> runs(4);
    for (std::size_t at = 0; at < 3; ++at) runs[at].other_seconds = 5 + static_cast<double>(at);
    runs[3].other_seconds = 8;
    const Compare noisy(runs);
    CHECK(noisy.verdict() == "inconclusive");
    CHECK_THAT(noisy.text, Contains("3 earlier runs") && Contains("Inconclusive: it ran") &&
                               Contains("4 runs of each would show") && Contains("unclear"));
    runs[3].other_seconds = 20;
    CHECK(Compare(runs).verdict() == "slower");
    CHECK(Compare({runs[0], runs[2]}, 0.5).verdict() == "same");
    CHECK(Compare({runs[0], runs[2]}).verdict() == "slower");
}

TEST_CASE("a new run that ended before its time, or whose log is damaged, keeps no condition")
{
    Compare both({{}, {.writes = 50}});
    CHECK(not_to_be_judged(both.earlier(), both.runs.back()).empty());
    CHECK_THAT(both.text, !Contains("before their time"));
    Process& killed = both.logs.back().rows<Process>()[1];
    killed.ending = static_cast<std::uint64_t>(Ending::killed);
    killed.status = 9;
    const Job again(both.logs.back());
    const Run run(again, "new.fathom");
    CHECK_THAT(not_to_be_judged(both.earlier(), run), Contains("SIGKILL"));
    const auto numbers = compare_metrics(both.earlier(), run, {});
    CHECK_THAT(report::render_text(make_comparison(both.earlier(), run, numbers, {{}, 10}), {}),
               Contains("1 process ended before its time"));
    both.logs.front().problems.push_back("a block is gone");
    CHECK(not_to_be_judged(std::span(&run, 1), both.runs.front()) == "has a damaged log");
}

TEST_CASE("runs of different size are said to be so, first of all")
{
    Doing more;
    more.ranks = 8;
    more.host = "node1";
    const Compare made({Doing{}, more});
    const auto& first = made.json.at("sections").at(0).at("blocks").at(0);
    CHECK(first.at("type") == "warning");
    CHECK_THAT(first.at("text").get<std::string>(),
               Contains("different size: 8 ranks on 1 node, before 4 on 1"));
    CHECK_THAT(made.text, Contains("8 MPI ranks"));
}

TEST_CASE("files of a role are one, whatever their run, rank and step")
{
    Doing later;
    later.folder = "/out/again/run2";
    const Compare made({Doing{}, later});
    const auto changes = changes_by_role(made.jobs[0], made.jobs[1]);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].role == "/out/again/run#/out.#.dat");
    REQUIRE(changes[0].before);
    CHECK(changes[0].before->files == 4);
    CHECK(changes[0].after->bytes_written == 400 * mib);
    CHECK_THAT(made.text, !Contains("only the"));
}

TEST_CASE("files that one run alone has are reported")
{
    Log before = log_of({}), after = log_of({});
    Synthetic made;
    made.log = std::move(after);
    made.io<PosixRecord>(made.file("/extra/new.log"), 0, {.bytes_written = 5 * mib, .write_time = second});
    const Job a(before), b(made.log);
    std::vector<Run> runs;
    runs.emplace_back(a, "a");
    runs.emplace_back(b, "b");
    const auto earlier = std::span<const Run>(runs).first(1);
    const std::string text =
        report::render_text(make_comparison(earlier, runs[1], compare_metrics(earlier, runs[1], {}), {}), {});
    CHECK_THAT(text, Contains("Files that only the later run has") && Contains("/extra/new.log") &&
                         Contains("5 MiB"));
}

TEST_CASE("runs without histograms, totals or anything are compared as far as it goes")
{
    std::vector<Log> logs;
    logs.reserve(3);  // a copy of a log would show the texts of the one that is gone
    logs.push_back(log_of({}));
    logs.push_back(log_of({.writes = 400}));
    for (Log& log : logs) {
        log.rows<OperationTimes>().clear();
        log.rows<DurationBin>().clear();
    }
    logs.emplace_back();
    const Job a(logs[0]), b(logs[1]), none(logs[2]);
    for (const auto& [before, after] :
         {std::pair(&a, &b), std::pair(&a, &none), std::pair(&none, &a), std::pair(&none, &none)}) {
        std::vector<Run> runs;
        runs.emplace_back(*before, "a");
        runs.emplace_back(*after, "b");
        const auto earlier = std::span<const Run>(runs).first(1);
        const auto document = make_comparison(earlier, runs[1], compare_metrics(earlier, runs[1], {}), {});
        for (const report::Renderer& one : report::renderers()) {
            const std::string text = one.render(document, {});
            if (one.format == "text") CHECK_THAT(text, !Contains("nan") && !Contains(" inf"));
        }
        double sum = 0;
        for (const Cause& cause : causes_of(runs[0], runs[1])) sum += cause.seconds;
        CHECK(sum == Approx(runs[1].run_time - runs[0].run_time).margin(1e-9));
    }
}
