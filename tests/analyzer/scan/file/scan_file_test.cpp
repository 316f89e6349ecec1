// Scans in files: all of it comes back, and what is hostile is refused.
#include <catch2/catch.hpp>
#include <fstream>
#include <zlib.h>

#include "analyzer/scan/file/coder.h"
#include "analyzer/scan/file/scan.h"
#include "tests/analyzer/temporary.h"

using namespace fathom;
using namespace fathom::scan;
using fathom::testing::Temporary;

namespace {

Scan sample_scan()
{
    Scan scan;
    scan.asked = {
        {"/a", "/b\nc"}, true, {{ProjectRule::Of::path, "/a/*", "p"}, {ProjectRule::Of::user, "u*", "q"}}};
    scan.began = -5;
    scan.ended = 1'800'000'000;
    scan.walked = 12345;
    scan.sittings = 3;
    scan.host = "node1";
    scan.program = "0.1.0";
    scan.users = {{0, "root"}, {4294967295u, "nobody"}};
    scan.groups = {{7, "g"}};
    Entry entry;
    entry.mode = S_IFREG;
    entry.size = 1 << 20;
    entry.allocated = 512;
    entry.accessed = -1;
    scan.counts.tallies[0]["all"].add(entry, 100);
    scan.counts.tallies[2]["0"].add(entry, 100);
    scan.counts.troubles.unreadable = {{"/a/\xff", 13}};
    scan.counts.troubles.unreadable_folders = 1;
    scan.counts.troubles.touched_folders = 2;
    scan.pending = {{0, 0, "x/y", 0, 9}, {0, 1, "z", -4, 9}, {1, 0, "", 77, 10}};
    LinkedFile file;
    file.entry = entry;
    file.unseen = 2;
    file.depth = 4;
    file.path_hash = ~std::uint64_t{0};
    file.keys[3] = "12";
    scan.links = {file};
    return scan;
}

void write(const Temporary& folder, const std::string& content)
{
    std::ofstream(folder.path("x.scan"), std::ios::binary) << content;
}

}  // namespace

TEST_CASE("scan: a file gives back what was written")
{
    const Temporary folder;
    const Scan before = sample_scan();
    write(folder, packed(before));
    const Scan scan = read_scan(folder.path("x.scan"));
    CHECK(scan.asked.roots == before.asked.roots);
    CHECK(scan.asked.other_mounts);
    REQUIRE(scan.asked.projects.size() == 2);
    CHECK(scan.asked.projects[1].of == ProjectRule::Of::user);
    CHECK(scan.asked.projects[1].project == "q");
    CHECK(!scan.has_ended);
    CHECK(scan.began == -5);
    CHECK(scan.ended == 1'800'000'000);
    CHECK(scan.walked == 12345);
    CHECK(scan.sittings == 3);
    CHECK(scan.host == "node1");
    CHECK(scan.users == before.users);
    CHECK(scan.groups == before.groups);
    for (std::size_t at = 0; at < breakdown_count; ++at)
        CHECK(scan.counts.tallies[at].size() == before.counts.tallies[at].size());
    CHECK(scan.counts.all().sums.bytes == 1 << 20);
    CHECK(scan.counts.all().sums.sparse_allocated == 512);
    CHECK(scan.counts.all().by(Axis::size).cells().front() == Histogram::Cell{21, 1, 1 << 20});
    CHECK(scan.counts.troubles.unreadable == before.counts.troubles.unreadable);
    CHECK(scan.counts.troubles.touched_folders == 2);
    REQUIRE(scan.pending.size() == 3);
    CHECK(scan.pending[1].begin == -4);
    CHECK(scan.pending[1].shared == 1);
    CHECK(scan.pending[0].rest == "x/y");
    CHECK(scan.pending[2].root == 1);
    REQUIRE(scan.links.size() == 1);
    CHECK(scan.links[0].entry.accessed == -1);
    CHECK(scan.links[0].unseen == 2);
    CHECK(scan.links[0].keys[3] == "12");
    CHECK(scan.links[0].path_hash == ~std::uint64_t{0});
}

TEST_CASE("scan: each damaged byte and each end that is missing is noticed")
{
    const Temporary folder;
    const std::string good = packed(sample_scan());
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        write(folder, bad);
        CHECK_THROWS_AS(read_scan(folder.path("x.scan")), ScanError);
        write(folder, good.substr(0, at));
        CHECK_THROWS_AS(read_scan(folder.path("x.scan")), ScanError);
    }
    CHECK_THROWS_AS(read_scan(folder.path("none")), ScanError);
}

TEST_CASE("scan: numbers and texts that are longer than what follows are refused")
{
    CHECK_THROWS_AS(Decoder(std::string(11, '\xff')).number(), std::out_of_range);
    CHECK_THROWS_AS(Decoder("\x05"
                            "abc")
                        .text(),
                    std::out_of_range);
    CHECK_THROWS_AS(Decoder("\x7f").count(), std::out_of_range);
    fathom::scan::Encoder encoder;
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, ~std::uint64_t{0}})
        encoder.number(value);
    Decoder decoder(encoder.bytes());
    CHECK(decoder.number() == 0);
    CHECK(decoder.number() == 127);
    CHECK(decoder.number() == 128);
    CHECK(decoder.number() == ~std::uint64_t{0});
    CHECK(decoder.is_at_end());
}
