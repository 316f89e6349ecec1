// Room for records, and reading a part in whatever state its process left it.
#include "libinterpose/recording/arena.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

using namespace fathom;

namespace {

NameChunk* add_name(Arena& arena, std::string_view path, std::uint64_t id)
{
    auto* const name = arena.allocate<NameChunk>(ChunkKind::name, {}, path.size());
    if (name == nullptr) return nullptr;
    name->id = id;
    name->length = static_cast<std::uint32_t>(path.size());
    std::memcpy(name->path, path.data(), path.size());
    Arena::publish(name->header);
    return name;
}

template <class Counters>
CountersOf<Counters>* add_counters(Arena& arena, const NameChunk& name, Layer layer)
{
    auto* const chunk = arena.allocate<CountersOf<Counters>>(ChunkKind::counters, layer);
    if (chunk == nullptr) return nullptr;
    chunk->name = arena.offset_of(&name);
    Arena::publish(chunk->header);
    return chunk;
}

// A part with a file that two threads wrote to and MPI-IO was used on.
void fill(Arena& arena)
{
    arena.header().start_ticks = 1000;
    arena.header().start_ns = 5000;
    arena.publish();
    const NameChunk& name = *add_name(arena, "/data/file", 42);
    for (const std::uint64_t bytes : {10, 20}) {
        auto& counters = add_counters<PosixCounters>(arena, name, Layer::posix)->counters;
        counters.writes = 1;
        counters.bytes_written = bytes;
        counters.write_time = bytes;
        counters.first_write = 1000 + bytes;
    }
    add_counters<MpiioCounters>(arena, name, Layer::mpiio)->counters.bytes_written = 30;
}

constexpr ClockMap two_ns_a_tick{1000, 5000, 2.0};

}  // namespace

TEST_CASE("the threads of a file become one record, in nanoseconds of UNIX time")
{
    Arena arena;
    REQUIRE(arena.create(nullptr, 1 << 20, 0, 1));
    fill(arena);
    PartRows rows;
    read_part(arena.bytes(), two_ns_a_tick, 7, rows);
    const auto posix = rows.posix.as<PosixRecord>();
    REQUIRE(posix.size() == 1);
    CHECK(posix[0].file == 42);
    CHECK(posix[0].process == 7);
    CHECK(posix[0].writes == 2);
    CHECK(posix[0].bytes_written == 30);
    CHECK(posix[0].write_time == 60);
    CHECK(posix[0].first_write == 5020);
    CHECK(posix[0].writers == 1);
    CHECK(rows.names.as<FileName>().size() == 1);
}

TEST_CASE("POSIX calls on a file that is open through MPI-IO are totalled beneath it")
{
    Arena arena;
    REQUIRE(arena.create(nullptr, 1 << 20, 0, 1));
    fill(arena);
    PartRows rows;
    read_part(arena.bytes(), two_ns_a_tick, 0, rows);
    const auto totals = rows.totals.as<Totals>();
    REQUIRE(totals.size() == 2);
    CHECK(totals[0].layer == static_cast<std::uint64_t>(Layer::posix));
    CHECK(totals[0].scope == static_cast<std::uint64_t>(Scope::beneath_mpiio));
    CHECK(totals[0].bytes_written == 30);
    CHECK(totals[1].layer == static_cast<std::uint64_t>(Layer::mpiio));
    CHECK(totals[1].scope == static_cast<std::uint64_t>(Scope::direct));
}

TEST_CASE("a full arena refuses, and keeps back what the overflow record needs")
{
    Arena arena;
    REQUIRE(arena.create(nullptr, 256 << 10, 0, 1));
    std::size_t names = 0;
    while (add_name(arena, "/some/file", names) != nullptr) ++names;
    CHECK(names > 500);
    CHECK(arena.allocate<ThreadChunk>(ChunkKind::thread, {}, 0, Arena::Room::reserve) != nullptr);
    PartRows rows;
    read_part(arena.bytes(), two_ns_a_tick, 0, rows);
    CHECK(rows.good());
}

TEST_CASE("a chunk that was never finished is passed over")
{
    Arena arena;
    REQUIRE(arena.create(nullptr, 1 << 20, 0, 1));
    arena.allocate<NameChunk>(ChunkKind::name, {}, 1000);  // never published
    fill(arena);
    PartRows rows;
    read_part(arena.bytes(), two_ns_a_tick, 0, rows);
    CHECK(rows.posix.as<PosixRecord>().size() == 1);
}

TEST_CASE("a part in the spool is a file of its own")
{
    const auto folder = std::filesystem::temp_directory_path() / "fathom-arena-test";
    std::filesystem::create_directories(folder);
    {
        Arena arena;
        REQUIRE(arena.create(folder.c_str(), 1 << 20, 0, 0xabc));
        CHECK(arena.in_spool());
        CHECK(std::filesystem::file_size(arena.path()) == 1 << 20);
        std::size_t names = 0;
        while (add_name(arena, "/some/file", names) != nullptr) ++names;
        CHECK(names > 3000);
    }
    {
        Arena arena;  // no such spool: memory of its own
        REQUIRE(arena.create("/no/such/folder", 1 << 20, 0, 1));
        CHECK_FALSE(arena.in_spool());
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("a part with random damage is read without harm")
{
    Arena arena;
    REQUIRE(arena.create(nullptr, 256 << 10, 0, 1));
    fill(arena);
    const auto whole = arena.bytes();
    const std::size_t used = static_cast<std::size_t>(arena.header().used.load());
    std::mt19937 random(17);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::uint64_t> copy(whole.size() / 8);
        std::memcpy(copy.data(), whole.data(), used);
        auto* const bytes = reinterpret_cast<unsigned char*>(copy.data());
        for (int change = 0; change < 4; ++change)
            bytes[random() % used] = static_cast<unsigned char>(random());
        const auto part = std::as_bytes(std::span(copy));
        if (!is_part(part)) continue;
        PartRows rows;
        read_part(part, two_ns_a_tick, 0, rows);
        CHECK(rows.good());
    }
}

TEST_CASE("layouts of files are rows of a part, unless their texts do not fit in their chunk")
{
    Arena arena;
    REQUIRE(arena.create("", 1 << 20, 0, 1));
    fill(arena);
    const NameChunk& name = *add_name(arena, "/lustre/file", 77);
    constexpr std::string_view pool = "flash", servers = "12,13";
    auto* const chunk = arena.allocate<LayoutChunk>(ChunkKind::layout, {}, pool.size() + servers.size());
    REQUIRE(chunk != nullptr);
    chunk->name = arena.offset_of(&name);
    chunk->stripe_size = 65536;
    chunk->stripe_count = 2;
    chunk->first_server = 12;
    chunk->pool = pool.size();
    chunk->servers = servers.size();
    std::memcpy(chunk->text, "flash12,13", pool.size() + servers.size());
    Arena::publish(chunk->header);
    const auto layouts = [&] {
        PartRows rows;
        read_part(arena.bytes(), ClockMap{}, 0, rows);
        REQUIRE(rows.good());
        std::vector<Layout> all;
        for (const Layout& layout : rows.layouts.as<Layout>()) all.push_back(layout);
        return all;
    };
    REQUIRE(layouts().size() == 1);
    CHECK(layouts()[0].file == 77);
    CHECK(layouts()[0].stripe_count == 2);
    CHECK(layouts()[0].pool == pool);
    CHECK(layouts()[0].servers == servers);
    chunk->servers = 60000;
    CHECK(layouts().empty());
    chunk->servers = servers.size();
    chunk->name += 64;  // no name there
    CHECK(layouts().empty());
}

TEST_CASE("hints are those of the set that a file's name refers to, if that is one")
{
    Arena arena;
    REQUIRE(arena.create("", 1 << 20, 0, 1));
    fill(arena);
    constexpr std::string_view asked = "cb_nodes=2", used = "cb_nodes=1;b=c";
    auto* const set = arena.allocate<HintsChunk>(ChunkKind::hints, {}, asked.size() + used.size());
    REQUIRE(set != nullptr);
    set->asked = asked.size();
    set->used = used.size();
    set->left_out = 3;
    std::memcpy(set->text, "cb_nodes=2cb_nodes=1;b=c", asked.size() + used.size());
    Arena::publish(set->header);
    NameChunk& name = *add_name(arena, "/scratch/file", 77);
    add_name(arena, "/scratch/other", 78);
    const auto hints = [&] {
        PartRows rows;
        read_part(arena.bytes(), ClockMap{}, 0, rows);
        REQUIRE(rows.good());
        std::vector<Hints> all;
        for (const Hints& one : rows.hints.as<Hints>()) all.push_back(one);
        return all;
    };
    CHECK(hints().empty());
    name.hints = arena.offset_of(set);
    REQUIRE(hints().size() == 1);
    CHECK(hints()[0].file == 77);
    CHECK(hints()[0].asked == asked);
    CHECK(hints()[0].used == used);
    CHECK(hints()[0].left_out == 3);
    name.hints = HintsChunk::no_room;
    REQUIRE(hints().size() == 1);
    CHECK(hints()[0].left_out == 1);
    CHECK(hints()[0].asked.empty());
    for (const std::uint32_t elsewhere :
         {arena.offset_of(&name), arena.offset_of(set) + 64, 0xffffffc0U, 7U}) {
        name.hints = elsewhere;
        CHECK(hints().empty());
    }
    name.hints = arena.offset_of(set);
    set->used = 60000;
    CHECK(hints().empty() == (arena.bytes().size() - arena.offset_of(set) < 60000));
    set->asked = set->used = 0;
    set->left_out = 0;  // of a file that has none
    CHECK(hints().empty());
}
