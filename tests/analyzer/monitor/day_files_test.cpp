// Files of a monitor, written and read: days, ends of power, boots, clocks that are set, limits, damage.
#include "analyzer/monitor/day_files.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parsers/series/source.h"
#include "tests/analyzer/temporary.h"

using namespace fathom::monitor;
using namespace fathom::series;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr Nanoseconds s = one_second, day = 86'400 * s, noon = 20'780 * day + day / 2;  // 2026-11-23T12:00

const std::vector<Counter> two_counters = {{ComponentType::device, "sda", "", "bytes_read", true, 64, 512},
                                           {ComponentType::host, "", "", "memory_free", false, 64, 1024}};

struct Folder {
    fathom::testing::Temporary temporary;
    std::string path = temporary.path("series");

    Folder() { fs::create_directories(path); }

    DayFiles files(const std::string& boot = "boot 1", Limits limits = {}) const
    {
        return {path, {"node7", boot, "1.0", 10 * s}, limits};
    }
    static bool write(DayFiles& files, Nanoseconds time, std::uint64_t sectors, Nanoseconds set_by = 0)
    {
        const std::vector<Count> counts = {{0, sectors}, {1, 100}};
        std::string trouble;
        return files.write(time, time - set_by, two_counters, counts, trouble);
    }
    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(path))
            if (entry.path().extension() == ".monitor") all.push_back(entry.path().filename());
        std::sort(all.begin(), all.end());
        return all;
    }
    // All files, as `fathom devices` reads them.
    Table read() const
    {
        Table table;
        Builder builder(table);
        for (const std::string& name : names()) {
            std::ostringstream text;
            text << std::ifstream(path + "/" + name, std::ios::binary).rdbuf();
            builder.begin_file(name);
            Reading reading;
            reading.path = name;
            const std::string kept = text.str();
            reading.text = kept;
            const Source* const source = source_of(name, reading.text);
            REQUIRE(source != nullptr);
            REQUIRE(source->name == "fathom monitor");
            source->read(reading, builder);
        }
        builder.finish();
        return table;
    }
    std::vector<Sample> samples(const std::string& quantity = "bytes_read") const
    {
        for (const Series& one : read().series)
            if (one.quantity == quantity) return one.samples;
        return {};
    }
    std::string file() const { return path + "/node7-2026-11-23.monitor"; }
};

}  // namespace

TEST_CASE("day files: what was counted comes back, with whose it is")
{
    const Folder folder;
    {
        DayFiles files = folder.files();
        REQUIRE(files.taken().empty());
        CHECK(Folder::write(files, noon, 1000));
        CHECK(Folder::write(files, noon + 10 * s, 1003));
        CHECK(Folder::write(files, noon + 20 * s, 1003));
    }
    const Table table = folder.read();
    CHECK(table.problems.empty());
    REQUIRE(table.series.size() == 2);
    const Component& disk = table.components[table.series[0].component];
    CHECK(disk == Component{"", "node7", ComponentType::device, "sda", ""});
    CHECK(table.components[table.series[1].component] ==
          Component{"", "node7", ComponentType::host, "node7", ""});
    CHECK(table.series[0].samples ==
          std::vector<Sample>{{noon, noon + 10 * s, 1536}, {noon + 10 * s, noon + 20 * s, 0}});
    CHECK(table.series[1].samples.size() == 3);
    CHECK(table.series[1].samples[0] == Sample{noon, noon, 102400});
}

TEST_CASE("day files: nothing is missing between two days, and a later monitor goes on in the file")
{
    const Folder folder;
    const Nanoseconds midnight = noon + day / 2;
    {
        DayFiles files = folder.files();
        Folder::write(files, midnight - 10 * s, 10);
        Folder::write(files, midnight, 12);
        Folder::write(files, midnight + 10 * s, 13);
    }
    {
        DayFiles files = folder.files();
        Folder::write(files, midnight + 60 * s, 20);
        Folder::write(files, midnight + 70 * s, 21);
    }
    CHECK(folder.names() == std::vector<std::string>{"node7-2026-11-23.monitor", "node7-2026-11-24.monitor"});
    CHECK(folder.samples() == std::vector<Sample>{{midnight - 10 * s, midnight, 2 * 512},
                                                  {midnight, midnight + 10 * s, 512},
                                                  {midnight + 10 * s, midnight + 60 * s, 7 * 512},
                                                  {midnight + 60 * s, midnight + 70 * s, 512}});
    CHECK(folder.read().problems.empty());
}

TEST_CASE("day files: whatever part of the last frame an end of power leaves, what came before stays")
{
    const Folder folder;
    {
        DayFiles files = folder.files();
        for (int at = 0; at < 3; ++at)
            Folder::write(files, noon + at * 10 * s, 100u + static_cast<unsigned>(at));
    }
    const auto whole = fs::file_size(folder.file());
    {
        DayFiles files = folder.files();
        Folder::write(files, noon + 30 * s, 103);
    }
    const auto more = fs::file_size(folder.file());
    REQUIRE(more > whole);
    std::string bytes(more, '\0');
    std::ifstream(folder.file(), std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(more));
    for (auto cut = whole; cut < more; ++cut)
        for (const bool zeros : {false, true}) {
            std::string left = bytes.substr(0, cut);
            if (zeros) left.resize(more, '\0');
            std::ofstream(folder.file(), std::ios::binary) << left;
            INFO(cut << " of " << more << (zeros ? ", zeros behind" : ""));
            CHECK(folder.samples().size() == 2);
            DayFiles files = folder.files();
            CHECK(Folder::write(files, noon + 40 * s, 110));
            CHECK(Folder::write(files, noon + 50 * s, 111));
            CHECK(folder.samples() == std::vector<Sample>{{noon, noon + 10 * s, 512},
                                                          {noon + 10 * s, noon + 20 * s, 512},
                                                          {noon + 20 * s, noon + 40 * s, 8 * 512},
                                                          {noon + 40 * s, noon + 50 * s, 512}});
            CHECK(folder.read().problems.empty());
        }
}

TEST_CASE("day files: totals of another boot are not compared with those before")
{
    const Folder folder;
    for (const char* const boot : {"boot 1", "boot 2"}) {
        DayFiles files = folder.files(boot);
        const bool second = boot[5] == '2';
        const Nanoseconds begin = noon + (second ? 100 * s : 0);
        Folder::write(files, begin, second ? 5000 : 1000);  // more than before: no fall would show it
        Folder::write(files, begin + 10 * s, second ? 5002 : 1001);
    }
    CHECK(folder.samples() ==
          std::vector<Sample>{{noon, noon + 10 * s, 512}, {noon + 100 * s, noon + 110 * s, 2 * 512}});
}

TEST_CASE("day files: where the clock was set there is a gap, and a problem says so")
{
    for (const Nanoseconds jump : {3600 * s, -3600 * s}) {
        const Folder folder;
        DayFiles files = folder.files();
        Folder::write(files, noon, 100);
        Folder::write(files, noon + 10 * s, 101);
        Folder::write(files, noon + 20 * s + jump, 102, jump);
        Folder::write(files, noon + 30 * s + jump, 104, jump);
        const Table table = folder.read();
        REQUIRE(table.problems.size() >= 1);
        CHECK_THAT(table.problems[0],
                   Contains(jump > 0 ? "set forward by 3600.0 s" : "set back by 3600.0 s"));
        const std::vector<Sample> samples = folder.samples();
        double sum = 0;
        for (const Sample& sample : samples) {
            CHECK(sample.end - sample.begin == 10 * s);
            sum += sample.value;
        }
        CHECK(sum == (jump > 0 ? 3 : 1) * 512);
    }
}

TEST_CASE("day files: old ones are removed by age and by size, nobody else's")
{
    const Folder folder;
    for (const char* const name :
         {"node7-2026-10-01.monitor", "node7-2026-11-21.monitor", "node7-2026-11-22.monitor",
          "node70-2026-10-01.monitor", "node7-2026-10-01.monitor.bak", "other"})
        std::ofstream(folder.path + "/" + name) << std::string(1000, 'x');
    {
        DayFiles files = folder.files("boot 1", {30, 1 << 20});
        CHECK(Folder::write(files, noon, 1));
    }
    CHECK_FALSE(fs::exists(folder.path + "/node7-2026-10-01.monitor"));
    for (const char* const name :
         {"node7-2026-11-21.monitor", "node70-2026-10-01.monitor", "node7-2026-10-01.monitor.bak", "other"})
        CHECK(fs::exists(folder.path + "/" + name));
    {
        DayFiles files = folder.files("boot 1", {30, 1500});
        CHECK(Folder::write(files, noon + day, 1));
    }
    CHECK_FALSE(fs::exists(folder.path + "/node7-2026-11-21.monitor"));
    CHECK(fs::exists(folder.path + "/node7-2026-11-22.monitor"));
}

TEST_CASE("day files: a file that is full or somebody else's is left alone, and said")
{
    const Folder folder;
    std::string trouble;
    const std::vector<Count> counts = {{0, 1}, {1, 1}};
    {
        DayFiles files = folder.files("boot 1", {30, 100});
        bool written = true;
        for (int at = 0; at < 20 && written; ++at)
            written = files.write(noon + at * s, noon + at * s, two_counters, counts, trouble);
        CHECK_FALSE(written);
        CHECK_THAT(trouble, Contains("has all the bytes that the monitor may have"));
        CHECK(fs::file_size(folder.file()) < 400);
    }
    std::ofstream(folder.file()) << "a text of somebody else's that is long enough";
    DayFiles files = folder.files();
    CHECK_FALSE(files.write(noon, noon, two_counters, counts, trouble));
    CHECK_THAT(trouble, Contains("this is no file of a monitor; move it away"));
    CHECK(fs::file_size(folder.file()) == 45);
}

TEST_CASE("day files: one monitor of a host writes into a folder at a time")
{
    const Folder folder;
    DayFiles first = folder.files(), second = folder.files();
    CHECK(first.taken().empty());
    CHECK_THAT(second.taken(), Contains("another monitor of this host writes here"));
}

TEST_CASE("monitor files: damage in the middle costs its session, and is said")
{
    const Folder folder;
    std::vector<std::uintmax_t> ends;
    for (int part = 0; part < 3; ++part) {
        DayFiles files = folder.files();
        for (int at = 0; at < 3; ++at)
            Folder::write(files, noon + (part * 100 + at * 10) * s, static_cast<unsigned>(part * 100 + at));
        ends.push_back(fs::file_size(folder.file()));
    }
    std::string bytes(ends[2], '\0');
    std::ifstream(folder.file(), std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::size_t all = folder.samples().size();
    CHECK(all == 8);
    for (std::size_t at = monitor_magic.size(); at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        std::ofstream(folder.file(), std::ios::binary) << damaged;
        const Table table = folder.read();
        INFO("byte " << at);
        std::size_t kept = 0;
        for (const Series& one : table.series)
            if (one.quantity == "bytes_read") kept = one.samples.size();
        CHECK(kept < all);
        CHECK(kept >= (at < ends[0] ? 5u : at < ends[1] ? 4u : 5u));
        CHECK((at >= ends[1] || !table.problems.empty()));
    }
}
