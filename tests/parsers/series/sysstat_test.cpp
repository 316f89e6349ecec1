// iostat and sadf.
#include <fmt/format.h>

#include "tests/parsers/series/read_text.h"

using namespace fathom::series;
using namespace fathom::series::testing;

namespace {

constexpr std::string_view banner = "Linux 6.1.0 (node17) \t11/23/26 \t_x86_64_\t(4 CPU)\n\n";

// A report of iostat.
std::string report(std::string_view time, std::string_view rows,
                   std::string_view columns = "r/s     rkB/s   r_await   aqu-sz  %util  svctm")
{
    return fmt::format(
        "{}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "          25.00    0.00   10.00    5.00    0.00   60.00\n\nDevice            {}\n{}\n\n",
        time, columns, rows);
}

}  // namespace

TEST_CASE(
    "series: iostat's rates become amounts of the interval since the report before, and its first is none")
{
    const Table table = table_of(std::string(banner) + report("11/23/26 20:00:00", "sda 9 9 9 9 9 9") +
                                 report("11/23/26 20:00:10", "sda 2.00 100.00 5.00 0.50 10.00 7.00") +
                                 report("11/23/26 20:00:30", "sda 1.00 10.00 5.00 0.25 20.00 7.00"));
    const Nanoseconds start = at("2026-11-23 20:00:00"), first = start + 10 * one_second,
                      second = start + 30 * one_second;
    CHECK(component_named(table, "sda") == Component{"", "node17", ComponentType::device, "sda", ""});
    CHECK(samples_of(table, "sda", "bytes_read") ==
          std::vector<Sample>{{start, first, 1024000}, {first, second, 204800}});
    CHECK(samples_of(table, "sda", "reads") == std::vector<Sample>{{start, first, 20}, {first, second, 20}});
    CHECK(samples_of(table, "sda", "read_time")[0].value == Approx(0.1));
    CHECK(samples_of(table, "sda", "busy_time") ==
          std::vector<Sample>{{start, first, 1}, {first, second, 4}});
    CHECK(samples_of(table, "sda", "queue_length")[1] == Sample{first, second, 0.25});
    // What no quantity is keeps its name.
    CHECK(samples_of(table, "sda", "svctm")[0] == Sample{start, first, 7});
    CHECK(samples_of(table, "node17", "cpu_user") ==
          std::vector<Sample>{{start, first, 10}, {first, second, 20}});
    CHECK(table.problems.empty());
}

TEST_CASE("series: with -y the first interval is as long as the second")
{
    const std::string two =
        report("11/23/26 20:00:10", "sda 1 1 1 1 1 1") + report("11/23/26 20:00:20", "sda 2 1 1 1 1 1");
    CHECK(samples_of(table_of(std::string(banner) + two), "sda", "reads").size() == 1);
    const Table table = table_of(std::string(banner) + "\n" + two);
    CHECK(samples_of(table, "sda", "reads") ==
          std::vector<Sample>{{at("2026-11-23 20:00:00"), at("2026-11-23 20:00:10"), 10},
                              {at("2026-11-23 20:00:10"), at("2026-11-23 20:00:20"), 20}});
}

TEST_CASE(
    "series: iostat in MB, in ISO format, with sectors, a comma for the point, devices that come and go")
{
    const Table table = table_of(std::string(banner) + report("2026-11-23T20:00:00+0100", "sda 1", "rMB/s") +
                                 report("2026-11-23T20:00:10+0100", "sda 2,50\nsdb 1,00", "rMB/s") +
                                 report("2026-11-23T20:00:20+0100", "sdb 1", "rMB/s") +
                                 report("2026-11-23T20:00:30+0100", "sda 8", "rsec/s"));
    CHECK(samples_of(table, "sda", "bytes_read") ==
          std::vector<Sample>{{at("2026-11-23 19:00:00"), at("2026-11-23 19:00:10"), 25.0 * 1048576},
                              {at("2026-11-23 19:00:20"), at("2026-11-23 19:00:30"), 40960}});
    CHECK(samples_of(table, "sdb", "bytes_read").size() == 2);
}

TEST_CASE("series: iostat says what it lacks")
{
    CHECK(says(table_of(std::string(banner) + report("", "sda 1 1 1 1 1 1")), "run iostat with -t"));
    CHECK(says(table_of(std::string(banner) + report("11/23/26 20:00:00", "sda 1 1 1 1 1 1")),
               "one report alone"));
    const Table table = table_of(std::string(banner) + report("11/23/26 20:00:00", "sda 1 1 1 1 1 1") +
                                 report("11/23/26 20:00:10", "sda 1 1 1\nsdb 1 1 1 1 1 1"));
    CHECK(says(table, "1 sample is left out: their lines have more or fewer columns"));
    CHECK(samples_of(table, "sdb", "reads").size() == 1);
}

TEST_CASE("series: days come first where a date says so")
{
    const Table table = table_of("Linux 6.1.0 (n) 	23/11/26 	_x86_64_	(4 CPU)\n\n" +
                                 report("05/11/26 20:00:00", "sda 1 1 1 1 1 1") +
                                 report("05/11/26 20:00:10", "sda 1 1 1 1 1 1"));
    REQUIRE(samples_of(table, "sda", "reads").size() == 1);
    CHECK(samples_of(table, "sda", "reads")[0].end == at("2026-11-05 20:00:10"));
}

TEST_CASE("series: a clock that jumps back leaves out what it repeats, in one line")
{
    std::string text(banner);
    for (const char* const time : {"20:00:00", "20:00:10", "20:00:20", "19:30:00", "19:30:10", "20:00:30"})
        text += report(fmt::format("11/23/26 {}", time), "sda 1 1 1 1 1 1");
    const Table table = table_of(text);
    const auto reads = samples_of(table, "sda", "reads");
    REQUIRE(reads.size() == 3);
    CHECK(reads[2].begin == at("2026-11-23 20:00:20"));
    CHECK(reads[2].end == at("2026-11-23 20:00:30"));
    CHECK(reads[2].value == Approx(10));
    REQUIRE(table.problems.size() == 1);
    CHECK_THAT(table.problems[0], Catch::Contains("as if the clock went back (2026-11-23T19:30:00Z to "
                                                  "2026-11-23T19:30:10Z)"));
}

TEST_CASE("series: iostat's JSON is its text")
{
    const auto statistic = [](const char* time, double reads) {
        return fmt::format(
            R"({{"timestamp": "{}", "avg-cpu": {{"user": 25.0, "idle": 75.0}}, "disk": [)"
            R"({{"disk_device": "sda", "r/s": {}, "rkB/s": 100.0, "rrqm": 1.0, "util": 50.0, "new": 3}}]}})",
            time, reads);
    };
    const std::string head =
        R"({"sysstat": {"hosts": [{"nodename": "n1", "number-of-cpus": 2, "date": "11/23/26", "statistics": [)";
    const std::string text =
        head + statistic("11/23/26 20:00:00", 9) + "," + statistic("11/23/26 20:00:10", 2) + "]}]}}";
    const Table table = table_of(text);
    CHECK(samples_of(table, "sda", "reads") ==
          std::vector<Sample>{{at("2026-11-23 20:00:00"), at("2026-11-23 20:00:10"), 20}});
    CHECK(samples_of(table, "sda", "busy_time")[0].value == 5);
    CHECK(samples_of(table, "sda", "new")[0].value == 3);
    CHECK(samples_of(table, "n1", "cpu_user")[0].value == 5);
    // Cut off, as by Ctrl-C: what stands before is in.
    const Table cut = table_of(text.substr(0, text.size() - 4) + ",");
    CHECK(samples_of(cut, "sda", "reads").size() == 1);
    CHECK(says(cut, "no JSON from some place on"));
    CHECK(says(table_of(head + R"({"disk": [{"disk_device": "sda", "r/s": 1.0}]}]}]}})"),
               "run iostat with -t"));
}

TEST_CASE("series: sadf, in UTC and in local time, with what no quantity is")
{
    const auto text = [](int utc) {
        std::string statistics;
        for (const char* const time : {"20:10:00", "20:20:01"})
            statistics += fmt::format(
                R"({}{{"timestamp": {{"date": "2026-11-23", "time": "{}", "utc": {}, "interval": 600}}, )"
                R"("cpu-load": [{{"cpu": "all", "user": 50.0, "idle": 50.0}}, {{"cpu": "0", "usr": 10.0}}], )"
                R"("paging": {{"pgpgin": 3.0}}, "io": {{"tps": 4.0, "io-reads": {{"rtps": 2.0, "bread": 8.0}}}}, )"
                R"("memory": {{"memfree": 100, "buffers": 5}}, )"
                R"("disk": [{{"disk-device": "sda", "tps": 1.0, "rd_sec": 99.0, "rkB": 1.0, "util-percent": 1.0}}], )"
                R"("network": {{"net-dev": [{{"iface": "eth0", "rxkB": 2.0}}], "net-nfs": {{"read": 7.0}}}}, )"
                R"("filesystems": [{{"filesystem": "/dev/sda1", "MBfsfree": 3, "%fsused": 7.0}}], )"
                R"("psi": {{"psi-io": {{"some_avg": 50.0}}}}}})",
                statistics.empty() ? "" : ",", time, utc);
        return R"({"sysstat": {"hosts": [{"nodename": "n1", "number-of-cpus": 4, "file-date": "2026-11-23", "statistics": [)" +
               statistics + "]}]}}";
    };
    const Table table = table_of(text(1), {.zone = "America/New_York"});
    const Nanoseconds start = at("2026-11-23 20:00:00"), first = at("2026-11-23 20:10:00"),
                      second = at("2026-11-23 20:20:01");
    CHECK(samples_of(table, "sda", "bytes_read") ==
          std::vector<Sample>{{start, first, 614400}, {first, second, 601.0 * 1024}});
    CHECK(samples_of(table, "sda", "busy_time")[0].value == 6);
    CHECK(samples_of(table, "sda", "tps")[0].value == 1);
    CHECK(samples_of(table, "n1", "cpu_user")[0].value == 1200);
    CHECK(samples_of(table, "cpu0", "cpu_user")[0].value == 60);
    CHECK(samples_of(table, "n1", "bytes_read")[0].value == 8.0 * 512 * 600);
    CHECK(samples_of(table, "n1", "memory_free")[0] == Sample{first, first, 102400});
    CHECK(samples_of(table, "n1", "memory.buffers").size() == 2);
    CHECK(samples_of(table, "n1", "paging.pgpgin").size() == 2);
    CHECK(samples_of(table, "eth0", "bytes_received")[0].value == 1228800);
    CHECK(samples_of(table, "NFS", "reads")[0].value == 4200);
    CHECK(samples_of(table, "/dev/sda1", "bytes_free")[0].value == 3145728);
    CHECK(samples_of(table, "/dev/sda1", "filesystems.%fsused").size() == 2);
    CHECK(samples_of(table, "n1", "io_pressure")[0].value == 300);
    CHECK(table.problems.empty());
    CHECK(samples_of(table_of(text(0), {.zone = "America/New_York"}), "sda", "tps")[0].end ==
          at("2026-11-24 01:10:00"));
}

TEST_CASE("series: JSON that is a bomb, or broken in any way, is a problem and no crash")
{
    const std::string head = R"({"sysstat": {"hosts": [{"file-date": "2026-11-23", "statistics": [)";
    CHECK(says(table_of(head + std::string(1'000'000, '[')), "no JSON"));
    CHECK(says(table_of(head + R"({"timestamp": 1e999}]}]}})"), "no JSON"));
    CHECK(says(table_of(head + "\xff\xfe\"]}]}}"), "no JSON"));
    CHECK(says(table_of(head + R"({"timestamp": {"date": 5, "time": [], "interval": -1}}]}]}})"),
               "no time or no interval"));
}
