// What the kernel prints of devices, networks and file systems, in a folder that looks like /proc and /sys.
#include "analyzer/monitor/sources.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/analyzer/temporary.h"

using namespace fathom::monitor;
using fathom::series::ComponentType;

namespace {

// "volume dm-0 bytes_read" and the value in the quantity's unit.
using Found = std::map<std::string, double>;

struct MadeNode {
    fathom::testing::Temporary folder;
    Node node{folder.path("proc"), folder.path("sys"), folder.path("run"), {}};
    Round round;

    void file(const std::string& path, const std::string& text) const
    {
        std::filesystem::create_directories(std::filesystem::path(folder.path(path)).parent_path());
        std::ofstream(folder.path(path), std::ios::binary) << text;
    }
    Found look(void (*source)(Node& node, Round& round))
    {
        round.begin();
        source(node, round);
        round.end();
        Found found;
        for (const fathom::series::Count& count : round.counts()) {
            const fathom::series::Counter& counter = round.counters()[count.counter];
            std::string name(fathom::series::name_of(counter.type));
            for (const std::string* const part : {&counter.system, &counter.component, &counter.quantity})
                if (!part->empty()) name += " " + *part;
            found[name] = static_cast<double>(count.value) * counter.scale;
        }
        return found;
    }
};

}  // namespace

TEST_CASE("a source that is not here gives nothing")
{
    MadeNode made;
    for (const Source& source : sources()) CHECK(made.look(source.look).empty());
    CHECK(made.round.counters().empty());
}

TEST_CASE("devices: disks and volumes, no partitions, none that was never used")
{
    MadeNode made;
    made.file("proc/diskstats",
              "   8       0 sda 100 5 800 30 200 7 1600 60 3 40 90 11 12 13 14 15 16\n"
              "   8       1 sda1 90 5 700 30 200 7 1600 60 3 40 90 0 0 0 0 0 0\n"
              " 253       0 dm-0 1 0 8 1 0 0 0 0 0 1 1\n"
              "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
              "   7       1 loop1 1 0 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    for (const char* const name : {"sda", "dm-0/slaves/sda", "loop0", "loop1"})
        std::filesystem::create_directories(made.folder.path("sys/block/" + std::string(name)));
    const Found found = made.look(look_at_devices);
    CHECK(found.at("device sda reads") == 100);
    CHECK(found.at("device sda bytes_read") == 800 * 512);
    CHECK(found.at("device sda read_time") == Approx(0.030));
    CHECK(found.at("device sda writes") == 200);
    CHECK(found.at("device sda bytes_written") == 1600 * 512);
    CHECK(found.at("device sda write_time") == Approx(0.060));
    CHECK(found.at("device sda busy_time") == Approx(0.040));
    CHECK(found.at("device sda queue_time") == Approx(0.090));
    CHECK(found.at("device sda discards") == 11);
    CHECK(found.at("device sda bytes_discarded") == 13 * 512);
    CHECK(found.at("device sda discard_time") == Approx(0.014));
    CHECK(found.at("device sda flushes") == 15);
    CHECK(found.at("device sda flush_time") == Approx(0.016));
    CHECK(found.at("volume dm-0 bytes_read") == 8 * 512);
    CHECK_FALSE(found.contains("volume dm-0 discards"));  // an older kernel's line
    CHECK(found.contains("volume loop1 reads"));
    for (const auto& [name, value] : found) {
        CHECK(name.find("sda1") == std::string::npos);
        CHECK(name.find("loop0") == std::string::npos);
    }
}

TEST_CASE("interfaces: received and sent, without the one of the node to itself")
{
    MadeNode made;
    made.file(
        "proc/net/dev",
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo\n"
        "    lo: 7 7 0 0 0 0 0 0 7 7 0 0 0 0 0 0\n"
        "  eth0:1000 10 1 2 0 0 0 0 2000 20 3 4 0 0 0 0\n"
        "eth0:1: 5 5 0 0 0 0 0 0 6 6 0 0 0 0 0 0\n"
        "  off0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    const Found found = made.look(look_at_interfaces);
    CHECK(found.at("interface eth0 bytes_received") == 1000);
    CHECK(found.at("interface eth0 bytes_sent") == 2000);
    CHECK(found.at("interface eth0 receive_errors") == 3);
    CHECK(found.at("interface eth0 send_errors") == 7);
    CHECK(found.at("interface eth0:1 bytes_sent") == 6);
    CHECK(found.size() == 12);
}

TEST_CASE("infiniband: words of four bytes, the counters of 64 bits where there are two kinds")
{
    MadeNode made;
    made.file("sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "25\n");
    made.file("sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_wait", "7\n");
    made.file("sys/class/infiniband/mlx4_0/ports/2/counters/port_rcv_data", "4294967295\n");
    made.file("sys/class/infiniband/mlx4_0/ports/2/counters_ext/port_rcv_data_64", "5000000000\n");
    made.file("sys/class/infiniband/mlx4_0/ports/2/counters/port_xmit_data", "N/A (no PMA)\n");
    const Found found = made.look(look_at_infiniband);
    CHECK(found == Found{{"interface mlx5_0:1 bytes_received", 100},
                         {"interface mlx5_0:1 send_waits", 7},
                         {"interface mlx4_0:2 bytes_received", 2e10}});
}

TEST_CASE("infiniband: a counter at its largest value stands still, and says nothing")
{
    MadeNode made;
    const std::string counters = "sys/class/infiniband/mlx4_0/ports/1/counters/";
    made.file(counters + "port_rcv_data", "4294967295\n");
    made.file(counters + "port_xmit_data", "4294967294\n");
    made.file(counters + "port_rcv_errors", "65535\n");
    made.file(counters + "port_xmit_discards", "65534\n");
    made.file(counters + "port_xmit_packets", "65535\n");
    CHECK(made.look(look_at_infiniband) == Found{{"interface mlx4_0:1 bytes_sent", 4.0 * 4294967294},
                                                 {"interface mlx4_0:1 send_errors", 65534},
                                                 {"interface mlx4_0:1 packets_sent", 65535}});
}

TEST_CASE("nfs: what went over the wire of each mount, operations by what they are")
{
    MadeNode made;
    made.file("proc/self/mountstats",
              "device proc mounted on /proc with fstype proc\n"
              "device srv:/ho\\040me mounted on /home with fstype nfs4 statvers=1.1\n"
              "\topts:\trw,vers=4.2\n"
              "\tage:\t100\n"
              "\tbytes:\t1 2 3 4 4096 8192 1 2\n"
              "\tper-op statistics\n"
              "\t        NULL: 1 1 0 44 24 0 0 0 0\n"
              "\t        READ: 10 12 0 100 200 5 6 11 0\n"
              "\t       WRITE: 20 20 0 100 200 5 6 12 0\n"
              "\t     GETATTR: 30 30 0 100 200 5 6 1000 0\n"
              "\t      LOOKUP: 4 4 0 1 1 1 1 500 0\n"
              "device srv:/b mounted on /b with fstype nfs statvers=1.1\n"
              "\tbytes:\t0 0 0 0 5 6 0 0\n");
    const Found found = made.look(look_at_nfs);
    CHECK(found.at("mount srv:/ho me /home bytes_read") == 4096);
    CHECK(found.at("mount srv:/ho me /home bytes_written") == 8192);
    CHECK(found.at("mount srv:/ho me /home reads") == 10);
    CHECK(found.at("mount srv:/ho me /home read_time") == Approx(0.011));
    CHECK(found.at("mount srv:/ho me /home writes") == 20);
    CHECK(found.at("mount srv:/ho me /home getattrs") == 30);
    CHECK(found.at("mount srv:/ho me /home lookups") == 4);
    CHECK(found.at("mount srv:/ho me /home metadata_time") == Approx(1.5));
    CHECK(found.at("mount srv:/ho me /home retransmits") == 2);
    CHECK(found.at("mount srv:/b /b bytes_written") == 6);
}

TEST_CASE("lustre: targets on servers, mounts and requests of clients")
{
    MadeNode made;
    const std::string stats =
        "snapshot_time             1517123456.789 secs.usecs\n"
        "read_bytes                10 samples [bytes] 4096 1048576 9000000\n"
        "write_bytes               20 samples [bytes] 4096 1048576 8000000 123\n"
        "getattr                   5 samples [usecs] 1 9 2000000\n"
        "mknod                     2 samples [reqs]\n"
        "create                    3 samples [reqs]\n"
        "ping                      99 samples [reqs]\n";
    made.file("proc/fs/lustre/obdfilter/scratch-OST0014/stats", stats);
    made.file("proc/fs/lustre/mdt/scratch-MDT0000/md_stats", "open 7 samples [usecs] 1 2 3\n");
    made.file("sys/kernel/debug/lustre/llite/scratch-ffff885f81a64000/stats", stats);
    made.file("sys/kernel/debug/lustre/osc/scratch-OST0014-osc-ffff885f81a64000/stats",
              "read_bytes 1 samples [bytes] 5 5 5\n");
    const Found found = made.look(look_at_lustre);
    CHECK(found.at("ost scratch OST0014 bytes_read") == 9e6);
    CHECK(found.at("ost scratch OST0014 writes") == 20);
    CHECK(found.at("ost scratch OST0014 creates") == 5);
    CHECK(found.at("ost scratch OST0014 getattrs") == 5);
    CHECK(found.at("ost scratch OST0014 metadata_time") == Approx(2));
    CHECK(found.at("mdt scratch MDT0000 opens") == 7);
    CHECK(found.at("mount scratch scratch bytes_written") == 8e6);
    CHECK(found.at("mount scratch OST0014 bytes_read") == 5);
}

TEST_CASE("gluster: bricks whose process runs, by the files of glusterd")
{
    MadeNode made;
    made.file("run/gluster/vols/vol/store-bricks-b1.pid", "77\n");
    made.file("run/gluster/vols/vol/store-bricks-b2.pid", "78\n");
    made.file("proc/77/cmdline", std::string("glusterfsd\0-s\0store\0--brick-name\0/bricks/b1\0-l\0", 48));
    made.file("proc/77/io",
              "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n");
    made.file("proc/78/cmdline", std::string("bash\0", 5));
    made.file("proc/78/io", "read_bytes: 1\nwrite_bytes: 1\n");
    CHECK(made.look(look_at_gluster) ==
          Found{{"brick vol /bricks/b1 bytes_read", 4096}, {"brick vol /bricks/b1 bytes_written", 8192}});
}

TEST_CASE("processors, memory and what waits for them")
{
    MadeNode made;
    made.file("proc/stat", "cpu  100 200 300 400 500 600 700 800 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
    made.file("proc/pressure/cpu",
              "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\nfull avg10=0.00 total=9\n");
    made.file("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n");
    made.file("proc/meminfo",
              "MemTotal:       1000 kB\nMemFree:         500 kB\nDirty:            10 kB\nOdd: 1 kB\n");
    const Found processors = made.look(look_at_processors);
    CHECK(processors.at("host cpu_user") == Approx(1));
    CHECK(processors.at("host cpu_wait") == Approx(5));
    CHECK(processors.at("host cpu_steal") == Approx(8));
    CHECK(processors.at("host cpu_pressure") == Approx(1.5));
    CHECK(processors.at("host io_pressure") == Approx(2.5));
    CHECK(made.look(look_at_memory) ==
          Found{{"host memory_total", 1024000}, {"host memory_free", 512000}, {"host memory_dirty", 10240}});
}

TEST_CASE("round: things that come and go keep their counters, and there is a most of them")
{
    Round round;
    const auto look = [&](std::vector<std::string> names) {
        round.begin();
        for (const std::string& name : names) round.total({ComponentType::device, name}, "reads", 1);
        round.end();
        std::vector<std::uint32_t> places;
        for (const fathom::series::Count& count : round.counts()) places.push_back(count.counter);
        return places;
    };
    using Places = std::vector<std::uint32_t>;
    CHECK(look({"a", "b", "c"}) == Places{0, 1, 2});
    CHECK(look({"a", "c"}) == Places{0, 2});
    CHECK(look({"c", "d", "a"}) == Places{0, 2, 3});
    CHECK(look({"b", "b"}) == Places{1});
    std::vector<std::string> many;
    for (std::size_t at = 0; at < Round::most_counters + 10; ++at) many.push_back("x" + std::to_string(at));
    CHECK(look(many).size() == Round::most_counters - 4);
    CHECK(round.left_out() == 14);
}

TEST_CASE("text: words and numbers of any bytes")
{
    std::string_view line = "  a\t12x 99999999999999999999999 -5 ";
    CHECK(take_word(line) == "a");
    CHECK(take_number(line) == 12);
    CHECK(take_number(line) == std::numeric_limits<std::uint64_t>::max());
    CHECK(take_number(line) == 0);
    CHECK(take_word(line).empty());
    CHECK(TextFile().read("/does/not/exist").empty());
}
