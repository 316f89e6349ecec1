// A job beside its servers: which are its own, what of their load is its, and which one lagged.
#include "analyzer/job/system_load.h"

#include <catch2/catch.hpp>

#include "analyzer/findings/finding.h"
#include "analyzer/sections/sections.h"
#include "analyzer/system/ill_servers.h"
#include "analyzer/system/load.h"
#include "analyzer/system/matching.h"
#include "tests/analyzer/report_text.h"
#include "tests/analyzer/synthetic.h"

using namespace fathom;
using Catch::Matchers::Contains;
using fathom::series::Component;
using fathom::series::ComponentType;
using fathom::series::Nanoseconds;
using fathom::testing::job_start;
using fathom::testing::mib;
using fathom::testing::second;
using fathom::testing::Synthetic;

namespace {

constexpr Nanoseconds s = series::one_second, start = static_cast<Nanoseconds>(job_start);
constexpr double mb = static_cast<double>(mib);

// Two nodes with a rank each, on Lustre; 100 s.
struct MadeJob {
    Synthetic made;

    explicit MadeJob(std::string_view type = "lustre", std::string_view source = "10.0.0.1@o2ib:/scratch")
    {
        made.process(0, "node1.site");
        made.process(1, "node2.site");
        made.log.rows<Mount>().push_back({"/scratch", made.log.keep(type), made.log.keep(source)});
        made.log.rows<Mount>().push_back({"/", "ext4", "/dev/sda2"});
    }
    // Each rank writes so much in each of these seconds, to a file of its own on these servers.
    void writes(int from, int to, std::uint64_t bytes, const char* servers = "")
    {
        for (std::int64_t rank = 0; rank < 2; ++rank) {
            const std::uint64_t file = made.file("/scratch/f" + std::to_string(rank));
            const auto seconds = static_cast<std::uint64_t>(to - from);
            made.io<PosixRecord>(file, rank,
                                 {.bytes_written = bytes * seconds, .write_time = seconds * second});
            for (int at = from; at < to; ++at)
                made.slice(rank, Layer::posix, static_cast<std::uint64_t>(at), second,
                           {.bytes_written = bytes, .write_time = second});
            if (*servers != '\0') made.log.rows<Layout>().push_back({file, mib, 2, 0, servers, ""});
        }
    }
};

// Series of a second each, from the job's start on.
struct MadeTable {
    series::Table table;

    std::uint32_t component(ComponentType type, const char* name, const char* host = "",
                            const char* system = "scratch")
    {
        table.components.push_back({system, host, type, name, {}});
        return static_cast<std::uint32_t>(table.components.size() - 1);
    }
    void amounts(std::uint32_t of, const char* quantity, const std::vector<double>& values, int from = 0)
    {
        series::Series one{of, series::Kind::amount, quantity, {}, s};
        for (std::size_t at = 0; at < values.size(); ++at) {
            const Nanoseconds begin = start + (from + static_cast<Nanoseconds>(at)) * s;
            if (values[at] >= 0) one.samples.push_back({begin, begin + s, values[at]});
        }
        table.series.push_back(std::move(one));
    }
};

std::vector<double> steady(double value, int from, int to, int all = 100)
{
    std::vector<double> values(static_cast<std::size_t>(all), 0);
    for (int at = from; at < to; ++at) values[static_cast<std::size_t>(at)] = value;
    return values;
}

std::vector<std::string> names_of(const series::Table& table, const MatchedGroup& group)
{
    std::vector<std::string> names;
    for (const std::uint32_t at : group.components) names.push_back(table.components[at].name);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("matching: the OSTs of its files' layouts, or all of its mount's file system")
{
    MadeTable site;
    for (const char* const name : {"OST0000", "OST0001", "OST0010"}) site.component(ComponentType::ost, name);
    site.component(ComponentType::ost, "OST0000", "", "home");
    site.component(ComponentType::mdt, "MDT0000");
    MadeJob laid;
    laid.writes(0, 1, mib, "1,16");
    const Matching by_layout = match(Job(laid.made.log), site.table);
    REQUIRE(by_layout.groups.size() == 2);
    CHECK(by_layout.groups[0].name == "OSTs of scratch");
    CHECK(names_of(site.table, by_layout.groups[0]) == Names{"OST0001", "OST0010"});
    CHECK(by_layout.groups[0].known_by == "its files' layouts");
    CHECK(names_of(site.table, by_layout.groups[1]) == Names{"MDT0000"});
    CHECK(by_layout.without.empty());
    MadeJob unlaid;
    unlaid.writes(0, 1, mib);
    CHECK(match(Job(unlaid.made.log), site.table).groups[0].components.size() == 3);
    // Another tool's log does not name the server: of two file systems it may be either.
    MadeJob nameless("lustre", "");
    nameless.writes(0, 1, mib);
    const Matching either = match(Job(nameless.made.log), site.table);
    CHECK(either.groups.empty());
    CHECK(either.without.size() == 1);
}

TEST_CASE("matching: bricks, mounts of NFS with their server's disks, GPFS, and disks of the job's nodes")
{
    MadeTable site;
    site.component(ComponentType::brick, "/bricks/a", "store1", "data");
    site.component(ComponentType::brick, "/bricks/a", "store1", "other");
    site.component(ComponentType::mount, "/scratch", "node1", "srv:/export");
    site.component(ComponentType::mount, "/scratch", "node9", "srv:/export");
    site.component(ComponentType::device, "sda", "srv", "");
    site.component(ComponentType::device, "sda", "node2", "");
    site.component(ComponentType::file_system, "gpfs1", "", "");
    site.component(ComponentType::interface, "eth0", "node1", "");
    const auto groups = [&](const char* type, const char* source) {
        MadeJob job(type, source);
        job.writes(0, 1, mib);
        std::string all;
        for (const MatchedGroup& group : match(Job(job.made.log), site.table).groups) {
            all += group.name + ":";
            for (const std::uint32_t at : group.components)
                all += " " + site.table.components[at].host + "/" + site.table.components[at].name;
            all += "; ";
        }
        return all;
    };
    const std::string network = "network of this job's nodes: node1/eth0; ";
    CHECK(groups("fuse.glusterfs", "store1:/data") == "bricks of data: store1//bricks/a; " + network);
    CHECK(groups("nfs4", "srv:/export") ==
          "srv:/export as this job's nodes see it: node1//scratch; disks of srv: srv/sda; " + network);
    CHECK(groups("gpfs", "gpfs1") == "servers of gpfs1: /gpfs1; " + network);
    CHECK(groups("xfs", "/dev/sda3") == "device sda: node2/sda; " + network);
    CHECK(groups("tmpfs", "tmpfs") == network);
    MadeJob nothing("xfs", "/dev/nvme0n1p1");
    nothing.writes(0, 1, mib);
    CHECK(match(Job(nothing.made.log), site.table).without == Names{"/scratch (xfs, /dev/nvme0n1p1)"});
}

TEST_CASE("matching: names of hosts and devices")
{
    CHECK(is_same_host("node1", "node1.site.org"));
    CHECK(is_same_host("a.b", "a.b"));
    CHECK_FALSE(is_same_host("node1.x", "node1.y"));
    CHECK_FALSE(is_same_host("10.0.0.1", "10.0.0.2"));
    CHECK_FALSE(is_same_host("", ""));
    for (const auto& [source, device] :
         std::vector<std::pair<const char*, const char*>>{{"/dev/sda1", "sda"},
                                                          {"/dev/sdb", "sdb"},
                                                          {"/dev/nvme0n1", "nvme0n1"},
                                                          {"/dev/nvme0n1p12", "nvme0n1"},
                                                          {"/dev/mmcblk0p1", "mmcblk0"},
                                                          {"/dev/md0", "md0"},
                                                          {"/dev/mapper/vg-home", "vg-home"},
                                                          {"/dev/dm-0", "dm-0"},
                                                          {"/dev/vda", "vda"},
                                                          {"/dev/loop3", "loop3"},
                                                          {"tmpfs", ""},
                                                          {"srv:/x", ""}})
        CHECK(device_of_source(source) == device);
}

TEST_CASE("load: the job's part of what its servers moved, and when they were at their limit")
{
    MadeTable site;
    const std::uint32_t a = site.component(ComponentType::ost, "OST0000"),
                        b = site.component(ComponentType::ost, "OST0001");
    // The job moves 20 MiB/s from 10 to 30 s; others 20 MiB/s as well, and 60 in 5 s before it.
    std::vector<double> first = steady(20 * mb, 10, 30);
    for (std::size_t at = 2; at < 7; ++at) first[at] = 60 * mb;
    site.amounts(a, "bytes_written", first);
    site.amounts(b, "bytes_written", steady(20 * mb, 10, 30));
    for (const std::uint32_t one : {a, b}) site.amounts(one, "bytes_read", steady(0, 0, 0));
    MadeJob made;
    made.writes(10, 30, 10 * mib);
    const Job job(made.made.log);
    const SystemLoad load = load_of(job, site.table);
    REQUIRE(load.groups.size() == 1);
    const LoadGroup& group = load.groups[0];
    CHECK(group.length == s);
    CHECK(group.job_io == Approx(20));
    CHECK(group.known == Approx(20));
    CHECK(group.job_written == Approx(400 * mb));
    CHECK(group.written == Approx(800 * mb));
    CHECK(group.around_written == Approx(800 * mb));
    CHECK(group.peak == Approx(60 * mb));
    CHECK(group.saturated == 0);
    CHECK(group.members[0].at_best == Approx(20));
    CHECK(group.members[0].best_rate == Approx(20 * mb));
    CHECK(group.members[0].peak == Approx(60 * mb));
    CHECK(load.ill.empty());
    CHECK(load_of(job, site.table, {.peak = 44 * mb}).groups[0].saturated == Approx(20));
    CHECK(load_of(job, site.table, {.peak = 45 * mb}).groups[0].saturated == 0);
}

TEST_CASE("load: what its servers usually move is the median of earlier runs, while these were in I/O")
{
    MadeTable site;
    std::vector<double> values = steady(10 * mb, 60, 80);
    const double rates[] = {30, 50, 40};
    for (int run = 0; run < 3; ++run)
        for (int at = 0; at < 5; ++at) values[static_cast<std::size_t>(run * 15 + at)] = rates[run] * mb;
    site.amounts(site.component(ComponentType::ost, "OST0000"), "bytes_written", values);
    MadeJob made;
    made.writes(60, 80, 5 * mib);
    const auto window = [](int from, int to) { return series::Window{start + from * s, start + to * s}; };
    LoadChoice choice;
    // The second one in two stretches; one of before the series began.
    choice.earlier = {
        {window(0, 5)}, {window(15, 17), window(18, 20)}, {window(30, 35)}, {window(-500, -490)}, {}};
    const LoadGroup group = load_of(Job(made.made.log), site.table, choice).groups.at(0);
    CHECK(group.usual_runs == 3);
    CHECK(group.usual_rate == Approx(40 * mb));
    CHECK(load_of(Job(made.made.log), site.table).groups.at(0).usual_runs == 0);
}

TEST_CASE("load: without time bins a record's bytes lie between its first write and its last")
{
    MadeTable site;
    site.amounts(site.component(ComponentType::ost, "OST0000"), "bytes_written", steady(10 * mb, 10, 30));
    MadeJob made;
    made.writes(10, 30, 5 * mib);
    made.made.log.rows<Slice>().clear();
    std::uint64_t last = 20;
    for (PosixRecord& record : made.made.log.rows<PosixRecord>()) {
        record.first_write = static_cast<std::uint64_t>(start) + 10 * second + second / 2;
        record.last_write = static_cast<std::uint64_t>(start) + last * second;
        last += 10;
    }
    const LoadGroup group = load_of(Job(made.made.log), site.table).groups.at(0);
    CHECK_FALSE(group.by_time_bins);
    // 100 MiB in 9.5 s, and 100 MiB in 19.5 s.
    const auto at = static_cast<std::size_t>((start - group.begin) / group.length);
    CHECK(group.bins[at + 9].job_written == 0);
    CHECK(group.bins[at + 10].job_written == Approx((100 / 9.5 + 100 / 19.5) * mb / 2));
    CHECK(group.bins[at + 15].job_written == Approx((100 / 9.5 + 100 / 19.5) * mb));
    CHECK(group.bins[at + 25].job_written == Approx(100 / 19.5 * mb));
    CHECK(group.bins[at + 30].job_written == Approx(0));
    CHECK(group.job_written == Approx(200 * mb));
    CHECK(group.job_io == Approx(20));
}

TEST_CASE("load: what is not known is not made up")
{
    MadeTable site;
    const std::uint32_t a = site.component(ComponentType::ost, "OST0000");
    std::vector<double> values = steady(10 * mb, 10, 30);
    for (std::size_t at = 15; at < 25; ++at) values[at] = -1;  // no samples
    site.amounts(a, "bytes_written", values);
    MadeJob made;
    made.writes(10, 30, 5 * mib);
    const LoadGroup group = load_of(Job(made.made.log), site.table).groups.at(0);
    CHECK(group.job_io == Approx(20));
    CHECK(group.known == Approx(10));
    CHECK(group.written == Approx(100 * mb));
    CHECK(group.job_written == Approx(100 * mb));
    CHECK(group.job_all_written == Approx(200 * mb));
    // Series of another day say nothing.
    MadeTable late;
    late.amounts(late.component(ComponentType::ost, "OST0000"), "bytes_written", steady(1, 0, 100), 86'400);
    CHECK(load_of(Job(made.made.log), late.table).groups.at(0).known == 0);
}

namespace {

// Four servers; the others serve 40 MiB/s each from 10 to 20 s, the first so many seconds. The third: so much
// in so many seconds.
SystemLoad with_third(double rate, int seconds, int servers = 4, int first = 10)
{
    MadeTable site;
    for (int at = 0; at < servers; ++at) {
        const std::uint32_t one = site.component(ComponentType::ost, ("OST000" + std::to_string(at)).c_str());
        site.amounts(
            one, "bytes_written",
            at == 2 ? steady(rate, 10, 10 + seconds) : steady(40 * mb, 10, at == 0 ? 10 + first : 20));
    }
    MadeJob made;
    made.writes(10, 10 + std::max(seconds, first), 10 * mib);
    return load_of(Job(made.made.log), site.table);
}

}  // namespace

TEST_CASE("ill servers: less than 60 % of the others' best rate, longer than they, with work enough")
{
    const SystemLoad load = with_third(5 * mb, 80);
    REQUIRE(load.ill.size() == 1);
    CHECK(load.groups[load.ill[0].group].members[load.ill[0].member].name == "OST0002");
    CHECK(load.ill[0].seconds == Approx(80));
    CHECK(load.ill[0].share == Approx(5.0 / 40));
    CHECK(load.ill[0].lost == Approx(80 - 400.0 / 40));
    CHECK(with_third(23.9 * mb, 80).ill.size() == 1);
    CHECK(with_third(24.1 * mb, 80).ill.empty());
    CHECK(with_third(12 * mb, 14).ill.size() == 1);
    CHECK(with_third(12 * mb, 12).ill.empty());   // hardly longer than the others
    CHECK(with_third(1.6 * mb, 80).ill.empty());  // 128 MB, they 400: it had little to do
    CHECK(with_third(1.7 * mb, 80).ill.size() == 1);
    CHECK(with_third(5 * mb, 80, 3).ill.size() == 1);
    CHECK(with_third(40 * mb, 10).ill.empty());  // all are well
}

TEST_CASE("ill servers: of two others the mean of both counts")
{
    CHECK(with_third(20 * mb, 18, 3, 16).ill.size() == 1);  // 18 s, they 16 and 10
    CHECK(with_third(20 * mb, 18, 3, 18).ill.empty());
}

TEST_CASE("ill servers: one that all wait for shows in the others' best moments, not in their mean")
{
    // The ill one writes 5 MiB/s all the time; each of the others as much in all, 30 MiB/s at a time.
    const auto load = [](double often) {
        MadeTable site;
        for (int at = 0; at < 3; ++at) {
            std::vector<double> values = steady(5 * mb, 10, 70);
            if (at > 0)
                for (int moment = 10; moment < 70; ++moment)
                    values[static_cast<std::size_t>(moment)] = moment % 6 == at ? often * mb : 0;
            site.amounts(site.component(ComponentType::ost, ("OST000" + std::to_string(at)).c_str()),
                         "bytes_written", values);
        }
        MadeJob made;
        made.writes(10, 70, 7 * mib);
        return load_of(Job(made.made.log), site.table);
    };
    REQUIRE(load(30).ill.size() == 1);
    CHECK(load(30).ill[0].share == Approx(5.0 / 30));
    CHECK(load(30).ill[0].lost == Approx(60 - 10));
    CHECK(load(8).ill.empty());
}

TEST_CASE("ill servers: a finding names it, and what it costs, and without series nothing is looked for")
{
    MadeJob made;
    made.writes(10, 90, 10 * mib);
    Job job(made.made.log);
    const auto found = [&](const char* id) -> const report::Finding* {
        static std::vector<report::Finding> all;
        all = findings_of(job);
        for (const report::Finding& one : all)
            if (one.id == id) return &one;
        return nullptr;
    };
    CHECK(found("ill_server") == nullptr);
    const SystemLoad load = with_third(5 * mb, 80);
    job.system = &load;
    const report::Finding* const one = found("ill_server");
    REQUIRE(one != nullptr);
    CHECK(one->title == "For 80.0 s of its 80.0 s in I/O OST0002 served at 12.5 % of the others' rate");
    CHECK(std::get<double>(one->cost.value) == Approx(70));
    CHECK(one->confidence == report::Confidence::high);
    CHECK(found("busy_servers") == nullptr);
}

TEST_CASE("busy servers: at their limit for most of the job's I/O, most of it for others")
{
    const auto found = [](double others, double peak, double job_bytes) {
        MadeTable site;
        const std::uint32_t a = site.component(ComponentType::ost, "OST0000");
        site.amounts(a, "bytes_written", steady(others + 2 * job_bytes, 10, 90));
        MadeJob made;
        made.writes(10, 90, static_cast<std::uint64_t>(job_bytes));
        Job job(made.made.log);
        const SystemLoad load = load_of(job, site.table, {.peak = peak});
        job.system = &load;
        for (const report::Finding& one : findings_of(job))
            if (one.id == "busy_servers") return std::get<double>(one.cost.value);
        return 0.0;
    };
    CHECK(found(80 * mb, 100 * mb, 10 * mb) == Approx(80 * 0.8));
    CHECK(found(80 * mb, 120 * mb, 10 * mb) == 0);  // there is room
    CHECK(found(80 * mb, 200 * mb, 50 * mb) == 0);  // more than half of it is its own
    CHECK(found(102 * mb, 200 * mb, 50 * mb) == Approx(80 * 102.0 / 202));
}

TEST_CASE("servers and devices: the section says whose, how much, and what is missing")
{
    const SystemLoad load = with_third(5 * mb, 80);
    MadeJob made;
    made.writes(10, 90, 10 * mib);
    Job job(made.made.log);
    job.system = &load;
    const std::string text = fathom::testing::section_text(system_load(job, {}));
    CHECK_THAT(text, Contains("4 OSTs of scratch, known by its mount."));
    CHECK_THAT(text, Contains("This job above OSTs of scratch") && Contains("OST0002"));
    SystemLoad empty;
    empty.without = {"/home (nfs4, srv:/home)"};
    empty.problems = {"x.txt: 3 samples are left out"};
    job.system = &empty;
    const std::string other = fathom::testing::section_text(system_load(job, {}));
    CHECK_THAT(other, Contains("There is no series of what lies behind /home (nfs4, srv:/home).") &&
                          Contains("None of the series is of a server") &&
                          Contains("3 samples are left out"));
}
