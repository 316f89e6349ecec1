// collectd, Lustre, GPFS, GlusterFS, NFS and Prometheus; and how files are told apart.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>

#include "parsers/series/unpack.h"
#include "tests/parsers/series/read_text.h"

using namespace fathom::series;
using namespace fathom::series::testing;

namespace {

constexpr Nanoseconds second(std::int64_t seconds)
{
    return seconds * one_second;
}

constexpr std::int64_t epoch = 1'500'000'000;

// "host/plugin/type" with totals or rates, 10 s apart.
Table collectd(const std::string& path, const std::string& heading, std::initializer_list<const char*> lines)
{
    std::string text = "epoch," + heading + "\n";
    std::int64_t time = epoch;
    for (const char* const line : lines) {
        text += fmt::format("{}.000,{}\n", time, line);
        time += 10;
    }
    return table_of(text, {.path = path});
}

}  // namespace

TEST_CASE("series: each kind of file is known by its content")
{
    CHECK(source_name("epoch,value\n1,2\n", "h/cpu-0/cpu-user-2026-01-01") == "collectd, CSV");
    CHECK(source_name("[{\"values\":[1],\"dsnames\":[\"value\"],\"plugin\":\"load\"}]") == "collectd, JSON");
    CHECK(source_name("SQLite format 3") == "LMT (a file of SQLite, or MySQL)");
    CHECK(source_name("", "mysql://a:b@c/lmt") == "LMT (a file of SQLite, or MySQL)");
    CHECK(source_name("# HELP a b\n# TYPE a gauge\na 1\n") == "Prometheus, text");
    CHECK(source_name("a_total{x=\"y\"} 1\nb_total 2\n") == "Prometheus, text");
    for (const char* const text : {"", "\n\n", "{}", "[1, 2]", "a b c\n", "time,value\n1,2\n",
                                   "\x7f"
                                   "ELF",
                                   "job_id|start\n"})
        CHECK(source_name(text) == "");
}

TEST_CASE("series: docs/SERIES.md has a row for each source")
{
    std::ifstream file(FATHOM_SOURCES "/docs/SERIES.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const Source& source : sources())
        CHECK_THAT(page, Catch::Contains(fmt::format("\n| {} | ", source.name)));
}

TEST_CASE("series: collectd's CSV has totals, or rates where it was told to store those")
{
    const std::string disk = "data/node1/disk-nvme0n1/disk_octets-2017-07-14";
    const Table totals = collectd(disk, "read,write", {"100,7", "150,7", "5,7", "6,9"});
    CHECK(component_named(totals, "nvme0n1") == Component{"", "node1", ComponentType::device, "nvme0n1", ""});
    CHECK(samples_of(totals, "nvme0n1", "bytes_read") ==
          std::vector<Sample>{{second(epoch), second(epoch + 10), 50},
                              {second(epoch + 20), second(epoch + 30), 1}});
    const Table rates = collectd(disk, "read,write", {"0,0.5", "10.5,0", "0,0", "2,1"});
    CHECK(samples_of(rates, "nvme0n1", "bytes_read")[1] == Sample{second(epoch), second(epoch + 10), 105});
    CHECK(samples_of(rates, "nvme0n1", "bytes_written")[0] == Sample{second(epoch - 10), second(epoch), 5});
    // Whole numbers that go up and down are rates too.
    CHECK(
        samples_of(collectd(disk, "read", {"9,", "3", "9", "2", "9", "1"}), "nvme0n1", "bytes_read").size() ==
        5);
}

TEST_CASE("series: a rate of collectd says nothing of the time in which samples are missing")
{
    const Table table = table_of(
        "epoch,read\n1500000000,1.5\n1500000010,1.5\n1500000020,1.5\n1500000030,1.5\n1500000090,2.5\n",
        {.path = "h/disk-sda/disk_ops"});
    const auto reads = samples_of(table, "sda", "reads");
    REQUIRE(reads.size() == 5);
    CHECK(reads[4] == Sample{second(epoch + 80), second(epoch + 90), 25});
}

TEST_CASE("series: collectd's processors, space, levels, and what has no quantity")
{
    const Table user = collectd("h/cpu-3/cpu-user-2017-07-14.gz", "value", {"100", "1100"});
    CHECK(samples_of(user, "cpu3", "cpu_user") ==
          std::vector<Sample>{{second(epoch), second(epoch + 10), 10}});
    const Table percent = collectd("h/cpu-3/percent-user", "value", {"50.0", "25.0", "25.0", "nan"});
    CHECK(samples_of(percent, "cpu3", "cpu_user")[1].value == 2.5);
    CHECK(says(percent, "1 sample is left out: their values are no numbers"));
    CHECK(samples_of(collectd("h/df-root/df_complex-free", "value", {"5.0"}), "root", "bytes_free") ==
          std::vector<Sample>{{second(epoch), second(epoch), 5}});
    CHECK(samples_of(collectd("h/load/load", "shortterm,midterm", {"0.5,0.25"}), "h", "load.midterm")[0]
              .value == 0.25);
    CHECK(samples_of(collectd("h/x-y/counter-z", "value", {"5", "9"}), "x-y", "counter-z")[0].value == 4);
}

TEST_CASE("series: collectd's CSV says by its path what it is")
{
    CHECK(
        says(table_of("epoch,value\n1,2\n", {.path = "load-2026-01-01"}), "HOST/PLUGIN-INSTANCE/TYPE-DATE"));
    const Table back = table_of("epoch,read\n1500000010,1\n1500000000,2\n1500000020,5\nx,y\n",
                                {.path = "h/disk-a/disk_ops"});
    CHECK(samples_of(back, "a", "reads") == std::vector<Sample>{{second(epoch + 10), second(epoch + 20), 4}});
    CHECK(says(back, "as if the clock went back"));
    CHECK(says(back, "line 5"));
}

TEST_CASE("series: collectd's JSON, one array behind the other, in any order")
{
    const auto record = [](std::int64_t time, const char* values, const char* type = "derive") {
        return fmt::format(
            R"([{{"values":[{}],"dstypes":["{}","{}"],"dsnames":["read","write"],"time":{}.5,"interval":10.0,)"
            R"("host":"n1","plugin":"disk","plugin_instance":"sda","type":"disk_octets","type_instance":""}}])",
            values, type, type, time);
    };
    const Table table = table_of(record(epoch + 20, "30,7") + "\n" + record(epoch, "10,7") + "," +
                                 record(epoch + 10, "15,7"));
    const auto read = samples_of(table, "sda", "bytes_read");
    REQUIRE(read.size() == 2);
    CHECK(read[0] == Sample{second(epoch) + one_second / 2, second(epoch + 10) + one_second / 2, 5});
    CHECK(read[1].value == 15);
    // A COUNTER below 2^32 returns behind that.
    const Table wraps =
        table_of(record(epoch, "4294967290,0", "counter") + record(epoch + 10, "4,0", "counter"));
    CHECK(samples_of(wraps, "sda", "bytes_read")[0].value == 10);
    CHECK(samples_of(table_of(record(epoch, "4294967290,0") + record(epoch + 10, "4,0")), "sda", "bytes_read")
              .empty());
    // A GAUGE is none, though its values rise.
    CHECK(samples_of(
              table_of(
                  R"([{"values":[5],"dstypes":["gauge"],"dsnames":["value"],"time":1500000000,"host":"h",)"
                  R"("plugin":"users","type":"users"},{"values":[7],"dstypes":["gauge"],"dsnames":["value"],)"
                  R"("time":1500000010,"host":"h","plugin":"users","type":"users"}])"),
              "h", "users") == std::vector<Sample>{{second(epoch), second(epoch), 5},
                                                   {second(epoch + 10), second(epoch + 10), 7}});
    // Rates.
    CHECK(samples_of(table_of(record(epoch, "1.5,0.0")), "sda", "bytes_read")[0].value == 15);
    CHECK(says(table_of(record(epoch, "10,7") + "\n[{\"plugin\": " + std::string(100000, '{')),
               "no JSON in a document"));
}

TEST_CASE("series: collectd's documents in Elasticsearch")
{
    std::string text = "[[";
    for (int step = 0; step < 20; ++step)
        text += fmt::format(
            R"({}{{"_source": {{"plugin": "disk", "read": 2.5, "@timestamp": "2017-12-13T08:30:{:02}.5Z", )"
            R"("hostname": "bb1", "write": 0.0, "collectd_type": "disk_octets", "plugin_instance": "nvme0n1"}}}})",
            step == 0 ? "" : ", ", step);
    const auto read = samples_of(table_of(text + "]]"), "nvme0n1", "bytes_read");
    REQUIRE(read.size() == 20);
    CHECK(read[3].end - read[3].begin == one_second);
    CHECK(read[3].value == 2.5);
}

TEST_CASE("series: job_stats of several versions of Lustre")
{
    const char* const old =
        "obdfilter.scratch-OST0001.job_stats=\njob_stats:\n- job_id:          4711\n"
        "  snapshot_time:   1500000000\n"
        "  read_bytes:      { samples: 2, unit: bytes, min: 1, max: 4, sum: 5 }\n"
        "  write_bytes:     { samples: 0, unit: bytes, min: 0, max: 0, sum: 0 }\n"
        "  create:          { samples: 1, unit:  reqs }\n  punch:           { samples: 3, unit:  reqs }\n"
        "obdfilter.scratch-OST0001.job_stats=\njob_stats:\n- job_id:          4711\n"
        "  snapshot_time:   1500000060\n"
        "  read_bytes:      { samples: 4, unit: bytes, min: 1, max: 4, sum: 105 }\n"
        "  create:          { samples: 2, unit:  reqs }\n  punch:           { samples: 5, unit:  reqs }\n";
    const Table table = table_of(old);
    CHECK(component_named(table, "4711") == Component{"scratch", "", ComponentType::job, "4711", "OST0001"});
    CHECK(samples_of(table, "4711", "bytes_read") ==
          std::vector<Sample>{{second(epoch), second(epoch + 60), 100}});
    CHECK(samples_of(table, "4711", "reads")[0].value == 2);
    CHECK(samples_of(table, "4711", "creates")[0].value == 1);
    CHECK(samples_of(table, "4711", "punch")[0].value == 2);

    // Since 2.15 a job's start is known, and operations have times; a line with the time goes before the
    // snapshot's.
    const char* const later =
        "1500000100\nmdt.scratch-MDT0000.job_stats=\njob_stats:\n- job_id:          \"cp.1000\"\n"
        "  snapshot_time:   1500000090.123456789 secs.nsecs\n"
        "  start_time:      1500000050.000000000 secs.nsecs\n  elapsed_time:    40.1 secs.nsecs\n"
        "  open:            { samples: 7, unit: usecs, min: 1, max: 9, sum: 70, sumsq: 0 }\n"
        "  mknod:           { samples: 3, unit: usecs, min: 1, max: 9, sum: 30, sumsq: 0 }\n";
    const Table jobs = table_of(later);
    CHECK(samples_of(jobs, "cp.1000", "opens") ==
          std::vector<Sample>{{second(epoch + 50), second(epoch + 100), 7}});
    CHECK(samples_of(jobs, "cp.1000", "creates")[0].value == 3);
    CHECK(samples_of(jobs, "cp.1000", "metadata_time")[0].value == Approx(1e-4));
    CHECK(
        says(table_of("job_stats:\n- job_id: x\n  read_bytes: { samples: 1 }\n"), "neither a snapshot_time"));
}

TEST_CASE("series: lfs df over time, in blocks, inodes and with suffixes")
{
    const char* const text =
        "BEGIN 1500000000\nUUID                   1K-blocks  Used   Available Use% Mounted on\n"
        "scratch-MDT0000_UUID  100    40  50   5% /scratch[MDT:0]\n"
        "scratch-OST0000_UUID  2000   1500  500   73% /scratch[OST:0]\n"
        "OST0001             : inactive device\n\n"
        "filesystem summary:  2000 1500 500 74% /scratch\n\n"
        "BEGIN 1500000060\nUUID   Inodes  IUsed   IFree IUse% Mounted on\n"
        "scratch-OST0000_UUID  20  15  5   73% /scratch[OST:0]\n";
    const Table table = table_of(text);
    CHECK(component_named(table, "OST0000") == Component{"scratch", "", ComponentType::ost, "OST0000", ""});
    CHECK(samples_of(table, "OST0000", "bytes_used") ==
          std::vector<Sample>{{second(epoch), second(epoch), 1536000}});
    CHECK(samples_of(table, "OST0000", "inodes_free") ==
          std::vector<Sample>{{second(epoch + 60), second(epoch + 60), 5}});
    CHECK(samples_of(table, "/scratch", "bytes_total")[0].value == 2048000);
    CHECK(component_named(table, "/scratch").system == "scratch");
    CHECK(says(table, "says nothing of space"));
    // Without times the file's own is taken.
    const Table plain =
        table_of("UUID  bytes  Used   Available Use% Mounted on\nx-OST0000_UUID 2.0T 1.5G 5K 1% /x[OST:0]\n",
                 {.file_time = second(77)});
    CHECK(samples_of(plain, "OST0000", "bytes_total") ==
          std::vector<Sample>{{second(77), second(77), 2199023255552.0}});
}

TEST_CASE("series: lctl dl -t says where targets live")
{
    const Table table = table_of(
        "  0 UP mgc MGC10.0.0.1@o2ib 3547-e 5\n  1 UP lov x-clilov-f 8d-d9 4\n"
        "  4 UP osc x-OST0014-osc-ffff885f81a64000 8dbd 5 10.0.0.25@o2ib\n"
        "  3 UP mdc x-MDT0000-mdc-ffff885f81a64000 8dbd 5 10.0.0.4@o2ib\n");
    REQUIRE(table.components.size() == 2);
    CHECK(component_named(table, "OST0014") ==
          Component{"x", "10.0.0.25@o2ib", ComponentType::ost, "OST0014", ""});
    CHECK(component_named(table, "MDT0000").type == ComponentType::mdt);
}

TEST_CASE("series: mmperfmon, with units, nulls and tables that go on through the legend")
{
    const char* const text =
        "\nLegend:\n 1:\tnsd1|CPU|cpu_user\n 2:\tnsd1|Memory|mem_free\n 3:\tnsd1|Network|ib0|net_r\n"
        " 4:\tnsd1|GPFSFilesystem|cl.site|home|gpfs_fs_bytes_read\n 5: nsd1|X|y|own_metric\n \n"
        "Row           Timestamp cpu_user mem_free  net_r \n"
        "  1 2019-01-08-13:00:00     50.0 1.5 MB  1.0 kB \n  2 2019-01-08-13:10:00   null 1.0 GB  2 kB \n \n"
        "Row           Timestamp gpfs_fs_bytes_read own_metric \n"
        "  1 2019-01-08-13:00:00     5 7 \n  2 2019-01-08-13:10:00     6 null \n  3 2019-01-08-13:30:00 8 "
        "9\n";
    const Table table = table_of(text);
    const Nanoseconds one = at("2019-01-08 13:00:00"), step = second(600);
    CHECK(samples_of(table, "nsd1", "cpu_user_share") == std::vector<Sample>{{one - step, one, 0.5}});
    CHECK(samples_of(table, "nsd1", "memory_free")[1].value == 1073741824);
    CHECK(samples_of(table, "ib0", "bytes_received") ==
          std::vector<Sample>{{one - step, one, 1024}, {one, one + step, 2048}});
    // A row that is missing is a gap: the bucket after it is as long as the others.
    CHECK(
        samples_of(table, "home", "bytes_read") ==
        std::vector<Sample>{{one - step, one, 5}, {one, one + step, 6}, {one + 2 * step, one + 3 * step, 8}});
    CHECK(component_named(table, "home") ==
          Component{"cl.site", "nsd1", ComponentType::file_system, "home", ""});
    CHECK(samples_of(table, "y", "own_metric").size() == 2);
    CHECK(table.problems.empty());
    CHECK(says(table_of("Legend:\n 1: a|CPU|cpu_user\nRow Timestamp cpu_user\n 1 2019-01-08-13:00:00 5\n"),
               "one row"));
    CHECK(says(table_of("Legend:\n 1: a|CPU|b\nRow Timestamp b c\n 1 2019-01-08-13:00:00 5 6\n 2 "
                        "2019-01-08-13:01:00 5 6\n"),
               "the legend has fewer columns"));
}

TEST_CASE("series: gluster volume profile, totals and intervals")
{
    const auto brick = [](const char* head, int written, int writes, const char* unit, int duration) {
        return fmt::format(
            "{}\n   Block Size: 131072b+\n No. of Reads: 0\n No. of Writes: {}\n"
            "     19.90   2000.00 {} 1.00 {}  9.00 {}   {}       WRITE\n"
            "      1.00   1000.00 {} 1.00 {}  9.00 {}   2       STATFS\n \n"
            "    Duration: {} seconds\n   Data Read: 0 bytes\nData Written: {} bytes\n \n",
            head, writes, unit, unit, unit, writes, unit, unit, unit, duration, written);
    };
    const std::string name = "Brick: srv1:/bricks/b1\n-----\n";
    const Table table = table_of("1500000100\n" + name + brick("Cumulative Stats:", 1000, 10, "us", 100) +
                                 brick("Interval 0 Stats:", 1000, 10, "us", 100) + "1500000160\n" + name +
                                 brick("Cumulative Stats:", 1500, 15, "us", 160) +
                                 brick("Interval 1 Stats:", 500, 5, "us", 60));
    CHECK(component_named(table, "/bricks/b1") ==
          Component{"", "srv1", ComponentType::brick, "/bricks/b1", ""});
    CHECK(samples_of(table, "/bricks/b1", "bytes_written") ==
          std::vector<Sample>{{second(epoch), second(epoch + 100), 1000},
                              {second(epoch + 100), second(epoch + 160), 500}});
    CHECK(samples_of(table, "/bricks/b1", "write_time")[0].value == Approx(0.02));
    CHECK(samples_of(table, "/bricks/b1", "metadata_time")[0].value == Approx(0.002));
    CHECK(table.problems.empty());
    // Intervals alone; and nanoseconds.
    const Table some = table_of("1500000100\n" + name + brick("Interval 3 Stats:", 500, 5, "ns", 60));
    CHECK(samples_of(some, "/bricks/b1", "writes") ==
          std::vector<Sample>{{second(epoch + 40), second(epoch + 100), 5}});
    CHECK(samples_of(some, "/bricks/b1", "write_time")[0].value == Approx(1e-5));
    // An operation that is not listed before its first call.
    const Table first = table_of("1500000100\n" + name +
                                 "Cumulative Stats:\n Duration: 100 seconds\nData Written: 0 bytes\n" +
                                 "1500000160\n" + name + brick("Cumulative Stats:", 1500, 15, "us", 160));
    CHECK(samples_of(first, "/bricks/b1", "writes") ==
          std::vector<Sample>{{second(epoch + 100), second(epoch + 160), 15}});
}

TEST_CASE("series: mountstats of NFS, again and again in one file")
{
    const auto mounts = [](int read, int transmitted) {
        return fmt::format(
            "device proc mounted on /proc with fstype proc\n"
            "device srv:/home mounted on /home with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2\n"
            "\tage:\t100\n\tbytes:\t1 2 3 4 {} 6 7 8\n\tper-op statistics\n"
            "\t        READ: {} {} 0 100 200 5 2000 3000 0\n\t     GETATTR: 5 5 0 1 1 1 1 40 0\n",
            read, read / 10, transmitted);
    };
    const Table table =
        table_of("1500000000\n" + mounts(100, 10) + "1500000060\n" + mounts(150, 17), {.host = "login1"});
    CHECK(component_named(table, "/home") ==
          Component{"srv:/home", "login1", ComponentType::mount, "/home", ""});
    CHECK(samples_of(table, "/home", "bytes_read") ==
          std::vector<Sample>{{second(epoch), second(epoch + 60), 50}});
    CHECK(samples_of(table, "/home", "reads")[0].value == 5);
    CHECK(samples_of(table, "/home", "retransmits")[0].value == 2);
    CHECK(samples_of(table, "/home", "metadata_time")[0].value == 0);
    CHECK(samples_of(table, "/home", "normal_read")[0].value == 0);
    CHECK(table.components.size() == 1);
}

TEST_CASE("series: Prometheus' text, scraped again and again")
{
    const auto scrape = [](double read, const char* extra = "") {
        return fmt::format(
            "# HELP node_disk_read_bytes_total x\n# TYPE node_disk_read_bytes_total counter\n"
            "node_disk_read_bytes_total{{device=\"sda\"}} {:e}\n# TYPE own gauge\nown{{a=\"b\\\"c\"}} 5\n"
            "# TYPE node_cpu_seconds_total counter\nnode_cpu_seconds_total{{cpu=\"0\",mode=\"user\"}} {}\n"
            "# TYPE node_uname_info gauge\nnode_uname_info{{nodename=\"n1\"}} 1\nbroken{{ 5\nnan_value "
            "NaN\n{}",
            read, read / 1e6, extra);
    };
    const auto check = [](const Table& table, std::int64_t from, std::int64_t to) {
        CHECK(samples_of(table, "sda", "bytes_read") ==
              std::vector<Sample>{{second(from), second(to), 500000}});
        CHECK(component_named(table, "sda").host == "n1");
        CHECK(samples_of(table, "cpu0", "cpu_user")[0].value == Approx(0.5));
        CHECK(samples_of(table, "a=b\"c", "own").size() == 2);
        CHECK(says(table, "NaN, for one"));
    };
    check(table_of(scrape(1e6) + "1500000060\n" + scrape(1.5e6), {.file_time = second(epoch)}), epoch,
          epoch + 60);
    check(table_of("# 1500000000\n" + scrape(1e6) + "# 1500000060\n" + scrape(1.5e6)), epoch, epoch + 60);
    check(table_of(scrape(1e6, "node_time_seconds 1.5e9\n") +
                   scrape(1.5e6, "node_time_seconds 1.50000006e9\n")),
          epoch, epoch + 60);
    CHECK(says(table_of(scrape(1e6) + scrape(1.5e6)), "several scrapes without times"));
    const std::string summary = "# TYPE gc summary\ngc{quantile=\"0.5\"} 5\ngc_sum 5\ngc_count 7\n";
    const Table twice = table_of("1500000000\n" + summary + "1500000010\n" + summary, {.host = "h"});
    CHECK(samples_of(twice, "quantile=0.5", "gc").size() == 2);
    CHECK(samples_of(twice, "h", "gc_sum").size() == 1);
    const Table stamped = table_of(
        "x_total{instance=\"h:9100\"} 5 1500000000000\nx_total{instance=\"h:9100\"} 9 1500000010000\n");
    CHECK(samples_of(stamped, "h", "x_total") == std::vector<Sample>{{second(epoch), second(epoch + 10), 4}});
}

TEST_CASE("series: Prometheus' text of Lustre has targets and jobs")
{
    const auto scrape = [](int bytes) {
        return fmt::format(
            "lustre_read_bytes_total{{component=\"ost\",target=\"scratch-OST0002\"}} {}\n"
            "lustre_job_read_bytes_total{{jobid=\"4711\",target=\"scratch-OST0002\"}} {}\n",
            bytes, bytes / 2);
    };
    const Table table = table_of("1500000000\n" + scrape(100) + "1500000010\n" + scrape(300));
    CHECK(component_named(table, "OST0002") == Component{"scratch", "", ComponentType::ost, "OST0002", ""});
    CHECK(component_named(table, "4711") == Component{"scratch", "", ComponentType::job, "4711", "OST0002"});
    CHECK(samples_of(table, "OST0002", "bytes_read")[0].value == 200);
}

TEST_CASE("series: archives give out their files, and ones that are cut say so")
{
    std::string header(512, '\0');
    header.replace(0, 3, "a/b");
    header.replace(124, 11, "00000000005");
    header.replace(136, 11, "13132027434");
    header[156] = '0';
    header.replace(257, 5, "ustar");
    const std::string archive = header + "hello" + std::string(507, '\0') + std::string(1024, '\0');
    CHECK(is_tar(archive));
    CHECK_FALSE(is_tar("hello"));
    std::string seen;
    each_in_tar(archive, [&](const Member& member) {
        seen += fmt::format("{}={} {}", member.name, member.content, member.changed);
    });
    CHECK(seen == "a/b=hello 1500000028");
    CHECK_THROWS_AS(each_in_tar(archive.substr(0, 514), [](const Member&) {}), fathom::LogError);
}

TEST_CASE("series: hostile text of every kind ends in a table")
{
    const std::string binary = [] {
        std::string bytes;
        for (int at = 0; at < 4096; ++at) bytes += static_cast<char>(at * 37 % 256);
        return bytes;
    }();
    for (const char* const begin :
         {"epoch,a,b\n", "- job_id: x\n", "UUID 1K-blocks Mounted on\n", "  4 UP osc a-osc-f x 5 y\n",
          "Legend:\n1: a|b\n", "Brick: a:/b\nCumulative Stats:\n",
          "device a:/b mounted on /c with fstype nfs statvers=1\nper-op statistics\n", "# TYPE a counter\n",
          "Linux \n\nDevice r/s tps\n", "[{\"plugin\": 1, \"dsnames\": ", "{\"sysstat\": "})
        for (const std::string& rest :
             {binary, std::string(1 << 20, 'x'), std::string(1 << 18, ' ') + "1e999",
              std::string("-9223372036854775808\n9"), std::string(1 << 18, '{'),
              std::string("\n\n\n1 2 3 4 5 6\n\0 0 0", 20)})
            CHECK(table_of(begin + rest, {.path = "h/disk-a/disk_ops"}).series.size() < 100);
}
