// Databases with jobs whose bins were made up, and the numbers of them that follow by hand.
#include "analyzer/neighbours/beside.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/spread.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"

using fathom::testing::Temporary;
using namespace fathom::neighbours;
namespace jobs = fathom::jobs;
using Catch::Matchers::Contains;

namespace {

constexpr Number one_second = 1'000'000'000, noon = 1'795'435'200;  // s of UNIX time
constexpr std::uint64_t mebi = 1 << 20;

// A job that writes at `rate` MiB/s from second `from` to `to` of noon, with so many processes.
struct Stretch {
    Number from = 0, to = 0;
    std::uint64_t rate = 0, processes = 1;
};

class MadeJobs {
  public:
    // Gives its id.
    Number add(const std::string& program, Number start, Number end, const std::vector<Stretch>& stretches,
               const std::string& source = "srv:/data", const std::string& type = "nfs4")
    {
        jobs::Job job;
        job.id = ++last_;
        job.recorded = 1;
        job.program = program;
        job.user = "anna";
        job.start = (noon + start) * one_second;
        job.end = (noon + end) * one_second;
        job.run = job.end - job.start;
        std::vector<jobs::Bin> bins;
        std::uint64_t processes = 0, bytes = 0;
        for (const Stretch& stretch : stretches)
            for (Number at = stretch.from; at < stretch.to; ++at) {
                bins.push_back(
                    {static_cast<std::uint64_t>(noon + at), 0, stretch.rate * mebi, 0, stretch.processes});
                processes = std::max(processes, stretch.processes);
                bytes += stretch.rate * mebi;
            }
        job.processes = static_cast<Number>(processes);
        job.bytes = job.bytes_written = static_cast<Number>(bytes);
        job.writes_mode = "N-N";
        put(job);
        jobs::Details details;
        details.job = job.id;
        if (!bins.empty()) details.bin_length = one_second;
        details.bins = jobs::pack(bins);
        put(details);
        put(jobs::OnMount{job.id, "/data", type, 1, 0, job.bytes, 0, 0, 0, source});
        return job.id;
    }
    template <class Row>
    void put(const Row& row)
    {
        jobs::Values cells;
        jobs::append(row, cells);
        jobs::insert(*database, Row::table, cells);
    }

    Temporary folder;
    std::unique_ptr<jobs::Database> database = jobs::open_jobs(folder.path("x.db"), jobs::Access::write);

  private:
    Number last_ = 0;
};

std::string text_of(const fathom::report::Document& document)
{
    return fathom::testing::text_of_document(document);
}

}  // namespace

TEST_CASE("neighbours: a job that ran beside another lost what its bins say, by its own bins alone")
{
    MadeJobs made;
    // Alone 100 MiB/s for 12 s, beside the other one 40 MiB/s for 10 s.
    const Number id = made.add("lmp", 0, 30, {{0, 6, 100, 4}, {6, 16, 40, 4}, {16, 22, 100, 4}});
    const Number other = made.add("ior", 5, 40, {{6, 16, 60, 6}, {25, 30, 100, 6}});
    made.add("gone", 31, 40, {{31, 40, 100, 1}});                     // later
    made.add("far", 0, 30, {{0, 30, 100, 1}}, "other:/export");       // on another server
    made.add("apart", 0, 30, {{23, 30, 100, 1}});                     // never at the same time
    made.add("perhaps", 0, 30, {{0, 30, 100, 1}}, "srv:/data/home");  // on the same server
    made.add("blind", 0, 30, {});                                     // moved no bytes: no neighbour
    const Beside beside = look_beside(*made.database, id, 3);
    CHECK(beside.usual.from == UsualRate::From::own_bins);
    CHECK(beside.usual.rate == Approx(100.0 * mebi));
    CHECK(beside.disturbance.alone.seconds == Approx(12));
    CHECK(beside.disturbance.beside.seconds == Approx(10));
    CHECK(beside.disturbance.lost == Approx(6));
    REQUIRE(beside.neighbours.size() == 1);
    const Neighbour& one = beside.neighbours[0];
    CHECK(one.job.id == other);
    CHECK(one.part.lost == Approx(6));
    CHECK(one.part.bytes == Approx(600.0 * mebi));
    CHECK(one.pair.active_overlap->length() == 10);
    CHECK(one.pair.first.overlap.rate() == Approx(40.0 * mebi));
    CHECK(one.pair.second.apart.rate() == Approx(100.0 * mebi));
    CHECK(beside.elsewhere == 2);
    CHECK(beside.apart == 1);
    CHECK(beside.unsure == 1);
    const std::string text = text_of(document_of(beside, 10));
    CHECK_THAT(text, Contains("10.0 s of its 22.0 s in I/O were beside 1 neighbour and cost it 6.00 s, while "
                              "job 2 (ior of anna) moved 600 MiB at 60.0 MiB/s."));
    CHECK_THAT(text, Contains("1 : 1.5"));
    CHECK_THAT(
        text, Contains("Of 1 job that ran at the time it is not known whether it used the same file system"));
}

TEST_CASE("neighbours: the model's times are those of the equations, from runs of the kind alone")
{
    MadeJobs made;
    // Alone 20 and 30 s at 100 MiB/s; together (1): 20 * 6 / 4 = 30 s, and (2): 30 + 20 = 50 s.
    made.add("large", -1000, -900, {{-990, -970, 100, 4}});
    made.add("small", -500, -400, {{-490, -460, 100, 2}});
    const Number id = made.add("large", 0, 60, {{0, 30, 67, 4}});
    const Number other = made.add("small", 0, 60, {{0, 30, 33, 2}, {30, 50, 100, 2}});
    CHECK(std::isnan(look_beside(*made.database, id, 3).neighbours.at(0).model->by_nodes[0]));
    made.database->run("update jobs set nodes = 1");
    const Beside beside = look_beside(*made.database, id, 3);
    CHECK(beside.usual.from == UsualRate::From::runs_alike);
    CHECK(beside.usual.runs == 1);
    CHECK(beside.disturbance.lost == Approx(30 - 20.1));
    REQUIRE(beside.neighbours.size() == 1);
    REQUIRE(beside.neighbours[0].model);
    const ModelledPair& model = *beside.neighbours[0].model;
    CHECK(model.lack == ModelledPair::Lack::nothing);
    CHECK(model.predicted[0] == Approx(20.1 * 6 / 4));
    CHECK(model.by_nodes[0] == Approx(20.1 * 2));
    CHECK(model.by_nodes[1] == Approx(20.1 + 29.9));
    CHECK(model.observed[0] == Approx(30));
    CHECK(model.predicted[1] == Approx(20.1 + 29.9));
    CHECK(model.observed[1] == Approx(50));
    CHECK(model.alone_predicted[0] == Approx(20));
    CHECK(model.alone_predicted[1] == Approx(30));
    // The other one has most of its rate from its own bins: 100 MiB/s in 20 of 50 s are no half.
    const Beside turned = look_beside(*made.database, other, 3);
    CHECK(turned.usual.from == UsualRate::From::runs_alike);
    CHECK(turned.neighbours[0].model->predicted[0] == Approx(model.predicted[1]));
    CHECK(turned.neighbours[0].model->alone_predicted[1] == Approx(model.alone_predicted[0]));
    const Planned large = planned_of(*made.database, 1), small = planned_of(*made.database, 2);
    const std::string text = text_of(what_if(large, small, {}));
    CHECK_THAT(text, Contains("30.0 s") && Contains("50.0 s"));
}

namespace {

// Two jobs of 4 processes, the large one on two nodes: 1,800 MiB at 90 MiB/s alone. Side by side each node
// has the same, so that the large one takes 30 s and the small one 40 s.
void add_pair(MadeJobs& made, Number at, const std::string& source)
{
    made.add("large", at, at + 60, {{at, at + 30, 60, 4}}, source);
    made.add("small", at, at + 60, {{at, at + 30, 30, 4}, {at + 30, at + 40, 90, 4}}, source);
    made.database->run("update jobs set nodes = 2 where program = 'large'");
    made.database->run("update jobs set nodes = 1 where program = 'small'");
}

}  // namespace

TEST_CASE("neighbours: what to expect is what was closer in pairs before, on that file system")
{
    MadeJobs made;
    made.add("large", -1000, -900, {{-990, -970, 90, 4}});
    made.add("small", -500, -400, {{-490, -470, 90, 4}});
    const Planned large = planned_of(*made.database, 1), small = planned_of(*made.database, 2);
    const auto evidence = [&] { return find_evidence(*made.database, large, small); };
    const auto said = [&](const Evidence& seen) { return text_of(what_if(large, small, seen)); };
    add_pair(made, 0, "other:/export");
    CHECK(evidence().pairs == 0);
    add_pair(made, 1000, "srv:/data");
    const Evidence one = evidence();
    CHECK(one.pairs == 1);
    CHECK(one.side() == Evidence::For::neither);
    CHECK_THAT(said(one), Contains("One pair like these ran before"));
    add_pair(made, 2000, "srv:/data");
    const Evidence two = evidence();
    CHECK(two.pairs == 2);
    CHECK(two.nodes == Approx(0).margin(1e-9));
    CHECK(two.processes == Approx(1.0 / 3));
    CHECK(two.side() == Evidence::For::nodes);
    CHECK_THAT(said(two), !Contains("expect those"));  // on how many nodes these two are is not known
    const Planned wide = planned_of(*made.database, 1), narrow = planned_of(*made.database, 2);
    CHECK_THAT(text_of(what_if(wide, narrow, two)),
               Contains("Of 2 pairs like these that ran on this file system before") &&
                   Contains("expect those by nodes"));
    // Of a time with many others nothing is looked at.
    for (int at = 0; at < 20; ++at)
        made.add("other", 2000, 2060, {{2050, 2051, 1, 1}}, "elsewhere" + std::to_string(at) + ":/x");
    CHECK(evidence().pairs == 1);
    // As many nodes as processes: both say the same, and pairs tell nothing.
    made.database->run("update jobs set nodes = 4");
    CHECK(evidence().pairs == 0);
    CHECK_THAT(said({}), !Contains("pairs like these"));
}

TEST_CASE("neighbours: evidence is the median of the larger errors, of pairs of which both are known")
{
    ModelledPair model;
    model.observed = {10, 20};
    model.predicted = {11, 24};
    model.by_nodes = {15, 21};
    PairErrors errors;
    REQUIRE(tells(model, errors));
    CHECK(errors.processes == Approx(0.2));
    CHECK(errors.nodes == Approx(0.5));
    model.by_nodes = {11.5, 24.5};
    CHECK_FALSE(tells(model, errors));  // the same, to within 5 %
    model.by_nodes = {15, std::numeric_limits<double>::quiet_NaN()};
    CHECK_FALSE(tells(model, errors));
    model.by_nodes = {15, 21};
    model.lack = ModelledPair::Lack::others;
    CHECK_FALSE(tells(model, errors));
    const std::vector<PairErrors> pairs = {{0.1, 0.3}, {0.2, 0.1}, {0.9, 0.2}};
    CHECK(evidence_of(pairs).processes == Approx(0.2));
    CHECK(evidence_of(pairs).nodes == Approx(0.2));
    CHECK(evidence_of({}).side() == Evidence::For::neither);
}

TEST_CASE("neighbours: what cannot be told is said, and no number in its place")
{
    MadeJobs made;
    // Beside another one all of its time, and no other run of its kind.
    const Number id = made.add("lmp", 0, 30, {{0, 20, 50, 4}});
    const Number other = made.add("ior", 0, 30, {{0, 20, 50, 4}});
    const Number blind = made.add("old", 0, 30, {});
    made.database->run("update job_mounts set bytes_written = 1000000 where job = ?", jobs::Values{blind});
    jobs::Job accounted;
    accounted.id = 10;
    accounted.start = noon * one_second;
    accounted.end = (noon + 10) * one_second;
    made.put(accounted);
    Beside beside = look_beside(*made.database, id, 3);
    CHECK(beside.usual.from == UsualRate::From::nothing);
    CHECK(std::isnan(beside.disturbance.lost));
    REQUIRE(beside.neighbours.size() == 2);
    CHECK(beside.neighbours[0].job.id == other);
    CHECK(std::isnan(beside.neighbours[0].part.lost));
    CHECK(beside.neighbours[0].model->lack == ModelledPair::Lack::usual_rate);
    CHECK_FALSE(beside.neighbours[1].timed);
    CHECK(beside.lacking[static_cast<std::size_t>(Lack::log)] == 1);
    CHECK(beside.lacking[static_cast<std::size_t>(Lack::bins)] == 1);
    const std::string text = text_of(document_of(beside, 10));
    CHECK_THAT(text,
               Contains("20.0 s of its 20.0 s in I/O were beside 1 neighbour; what that cost is not known."));
    CHECK_THAT(text, Contains("the usual rate alone of one of the two is not known"));
    CHECK_THAT(text, Contains("There was 1 job at the time whose logs have no time bins"));
    CHECK_THROWS_WITH(planned_of(*made.database, id), Contains("is not known"));
    // Itself without bins.
    beside = look_beside(*made.database, blind, 3);
    CHECK(beside.job.lack == Lack::bins);
    CHECK(beside.neighbours.size() == 2);
    CHECK_THAT(text_of(document_of(beside, 10)), Contains("The log of this job has no time bins"));
    // With a clock that is apart.
    made.database->run("update jobs set start_ns = start_ns + ? , end_ns = end_ns + ? where id = ?",
                       jobs::Values{100 * one_second, 100 * one_second, id});
    CHECK(look_beside(*made.database, id, 3).job.lack == Lack::clock);
    CHECK_THROWS_WITH(look_beside(*made.database, 99, 3), Contains("no job has the id 99"));
}

TEST_CASE("neighbours: bytes on several file systems are of none of them")
{
    MadeJobs made;
    const Number id = made.add("lmp", 0, 30, {{0, 10, 100, 4}});
    made.add("ior", 0, 30, {{0, 10, 100, 4}});
    made.put(jobs::OnMount{id, "/home", "nfs4", 1, 0, 500 << 20, 0, 0, 0, "home:/h"});
    const Beside beside = look_beside(*made.database, id, 3);
    REQUIRE(beside.neighbours.size() == 1);
    CHECK_FALSE(beside.neighbours[0].timed);
    CHECK(beside.usual.from == UsualRate::From::nothing);
    CHECK_THAT(text_of(document_of(beside, 10)), Contains("this job moved 66.7 % of its bytes on /data"));
}

TEST_CASE("neighbours: a site's pairs of programs come by what they lost")
{
    MadeJobs made;
    // lmp loses 5 s of 10 s beside ior, twice, ior 2 s each time; both alone as long. A third alone.
    for (const Number at : {0, 1000}) {
        made.add("lmp", at, at + 30, {{at, at + 10, 50, 4}, {at + 10, at + 20, 100, 4}});
        made.add("ior", at, at + 30, {{at, at + 10, 80, 6}, {at + 20, at + 30, 100, 6}});
    }
    made.add("alone", 500, 530, {{500, 510, 70, 1}});
    made.add("local", 0, 30, {{0, 10, 70, 1}}, "/dev/sda1", "ext4");
    const Site site = site_of(*made.database, {}, {});
    CHECK(site.runs == 6);
    CHECK(site.timed == 5);
    CHECK(site.own_place == 1);
    REQUIRE(site.pairs.size() == 2);
    CHECK(site.pairs[0].program == "lmp");
    CHECK(site.pairs[0].by == "ior");
    CHECK(site.pairs[0].runs == 2);
    CHECK(site.pairs[0].lost == Approx(10));
    CHECK(site.pairs[0].process_seconds == Approx(40));
    CHECK(site.pairs[0].seconds == Approx(20));
    CHECK(site.pairs[1].lost == Approx(4));
    REQUIRE(site.alone.size() == 3);
    for (const AloneRow& row : site.alone)
        CHECK(row.alone.rate() == Approx((row.program == "alone" ? 70.0 : 100.0) * mebi));
    const std::string text = text_of(document_of(site, 10));
    CHECK_THAT(text, Contains("50.0 %") && Contains("20.0 %"));
    // A job's own document says the same.
    CHECK(look_beside(*made.database, 1, 0).disturbance.lost == Approx(5));
    // Of one day alone.
    SiteChoice choice;
    choice.since = (noon + 600) * one_second;
    CHECK(site_of(*made.database, choice, {}).pairs[0].lost == Approx(5));
    choice.before = (noon + 700) * one_second;
    CHECK(site_of(*made.database, choice, {}).runs == 0);
}

TEST_CASE("neighbours: the spread is of bytes of each process within the stretch")
{
    fathom::testing::Synthetic made;
    made.ranks(3);
    constexpr std::uint64_t s = fathom::testing::second, start = fathom::testing::job_start;
    const auto wrote = [&](std::int64_t process, std::uint64_t at, std::uint64_t bytes) {
        fathom::Slice slice;
        slice.process = process;
        slice.start = start + at * s;
        slice.length = 2 * s;
        slice.bytes_written = bytes;
        made.log.rows<fathom::Slice>().push_back(slice);
    };
    wrote(0, 0, 100);
    wrote(1, 0, 300);
    wrote(0, 2, 100);  // half of it in [0, 3)
    wrote(2, 10, 50);
    const fathom::Job job(made.log);
    const double mean = 225, deviation = 75;
    CHECK(*spread_of(job, start, start + 3 * s) == Approx(deviation / mean));
    CHECK_FALSE(spread_of(job, start + 10 * s, start + 12 * s));
    CHECK_FALSE(spread_of(job, start + 20 * s, start + 22 * s));
}
