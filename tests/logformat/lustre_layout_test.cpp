// Layouts of Lustre files, from bytes as the kernel gives them.
#include "logformat/lustre_layout.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

using namespace fathom;

namespace {

using Attribute = std::vector<std::byte>;

template <class Number>
void put(Attribute& to, Number number)
{
    for (std::size_t at = 0; at < sizeof number; ++at)
        to.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> 8 * at & 0xff));
}

constexpr std::uint32_t v1 = 0x0BD10BD0, v3 = 0x0BD30BD0, composite = 0x0BD60BD0;
constexpr std::uint32_t raid0 = 1, initialized = 0x10, stale = 0x1;

struct Stripes {
    std::uint32_t size = 0;
    std::vector<std::uint32_t> servers{};
    std::string pool{};  // not empty: version 3
    std::uint32_t pattern = raid0;
};

Attribute plain(const Stripes& stripes)
{
    Attribute bytes;
    put(bytes, stripes.pool.empty() ? v1 : v3);
    put(bytes, stripes.pattern);
    put(bytes, std::uint64_t{0x77});
    put(bytes, std::uint64_t{0x200000401});
    put(bytes, stripes.size);
    put(bytes, static_cast<std::uint16_t>(stripes.servers.size()));
    put(bytes, std::uint16_t{3});
    if (!stripes.pool.empty())
        for (std::size_t at = 0; at < 16; ++at)
            bytes.push_back(static_cast<std::byte>(at < stripes.pool.size() ? stripes.pool[at] : '\0'));
    for (const std::uint32_t server : stripes.servers) {
        put(bytes, std::uint64_t{0x1111});
        put(bytes, std::uint64_t{0x2222});
        put(bytes, std::uint32_t{9});
        put(bytes, server);
    }
    return bytes;
}

struct Component {
    std::uint32_t flags = initialized;
    std::uint64_t from = 0, to = 0;
    Attribute layout{};
};

Attribute composed(const std::vector<Component>& components)
{
    std::size_t offset = 32 + 48 * components.size();
    Attribute bytes, blobs;
    put(bytes, composite);
    put(bytes, std::uint32_t{0});  // of the whole: nobody's concern
    put(bytes, std::uint32_t{5});
    put(bytes, std::uint16_t{0});
    put(bytes, static_cast<std::uint16_t>(components.size()));
    put(bytes, std::uint64_t{0});
    put(bytes, std::uint64_t{0});
    for (std::uint32_t id = 1; const Component& one : components) {
        put(bytes, id++);
        put(bytes, one.flags);
        put(bytes, one.from);
        put(bytes, one.to);
        put(bytes, static_cast<std::uint32_t>(offset));
        put(bytes, static_cast<std::uint32_t>(one.layout.size()));
        put(bytes, std::uint64_t{0});
        put(bytes, std::uint64_t{0});
        offset += one.layout.size();
        blobs.insert(blobs.end(), one.layout.begin(), one.layout.end());
    }
    bytes.insert(bytes.end(), blobs.begin(), blobs.end());
    return bytes;
}

std::vector<std::uint32_t> servers_of(const LustreLayout& layout)
{
    return {layout.server, layout.server + layout.servers()};
}

}  // namespace

TEST_CASE("a plain layout has stripes and servers in turn")
{
    const Attribute bytes = plain({.size = 4 << 20, .servers = {7, 2, 65535, 100000}});
    const auto layout = lustre_layout(bytes);
    REQUIRE(layout);
    CHECK(layout->stripe_size == 4 << 20);
    CHECK(layout->stripe_count == 4);
    CHECK(layout->pool.empty());
    CHECK(servers_of(*layout) == std::vector<std::uint32_t>{7, 2, 65535, 100000});
}

TEST_CASE("version 3 names a pool, which may fill its room")
{
    for (const std::string pool : {"flash", "fifteen_letters", "sixteen_letters_"}) {
        const Attribute bytes = plain({.size = 1 << 20, .servers = {1, 2}, .pool = pool});
        const auto layout = lustre_layout(bytes);
        REQUIRE(layout);
        CHECK(layout->pool == pool);
        CHECK(servers_of(*layout) == std::vector<std::uint32_t>{1, 2});
    }
}

TEST_CASE("of many servers the first ones are reported, and how many there are")
{
    std::vector<std::uint32_t> servers(200);
    for (std::uint32_t at = 0; at < servers.size(); ++at) servers[at] = 1000 + at;
    const auto layout = lustre_layout(plain({.size = 65536, .servers = servers}));
    REQUIRE(layout);
    CHECK(layout->stripe_count == 200);
    CHECK(layout->servers() == LustreLayout::most_servers);
    CHECK(servers_of(*layout).back() == 1063);
}

TEST_CASE("of a composite it is the last component with objects that counts")
{
    const Attribute first = plain({.size = 1 << 20, .servers = {1}}),
                    second = plain({.size = 4 << 20, .servers = {2, 3, 4, 5}, .pool = "disk"});
    const auto stripes_of = [](const Attribute& bytes) {
        const auto layout = lustre_layout(bytes);
        return layout ? layout->stripe_count : 0;
    };
    CHECK(stripes_of(composed({{.to = 1 << 20, .layout = first},
                               {.from = 1 << 20, .to = UINT64_MAX, .layout = second}})) == 4);
    // not begun yet; stale; on the metadata server; with nothing in it
    CHECK(stripes_of(composed({{.to = 1 << 20, .layout = first},
                               {.flags = 0, .from = 1 << 20, .to = UINT64_MAX, .layout = second}})) == 1);
    CHECK(stripes_of(composed(
              {{.to = 1 << 20, .layout = first},
               {.flags = initialized | stale, .from = 1 << 20, .to = UINT64_MAX, .layout = second}})) == 1);
    const Attribute on_metadata_server = plain({.size = 1 << 20, .servers = {}, .pattern = 0x100});
    CHECK(stripes_of(composed({{.to = 65536, .layout = on_metadata_server}})) == 0);
    CHECK(stripes_of(composed(
              {{.to = 1 << 20, .layout = first}, {.from = 1 << 20, .to = 1 << 20, .layout = second}})) == 1);
    CHECK(stripes_of(composed({})) == 0);
}

TEST_CASE("a composite within a composite is no layout")
{
    const Attribute inner = composed({{.to = 10, .layout = plain({.size = 65536, .servers = {1}})}});
    CHECK_FALSE(lustre_layout(composed({{.to = 10, .layout = inner}})));
}

TEST_CASE("bytes that are something else are no layout")
{
    CHECK_FALSE(lustre_layout({}));
    CHECK_FALSE(lustre_layout(Attribute(4096)));
    Attribute other = plain({.size = 65536, .servers = {1}});
    other[0] = std::byte{0xd1};
    CHECK_FALSE(lustre_layout(other));
    CHECK_FALSE(lustre_layout(plain({.size = 0, .servers = {1}})));
    CHECK_FALSE(lustre_layout(plain({.size = 65536, .servers = {}})));
    CHECK_FALSE(lustre_layout(plain({.size = 65536, .servers = {1}, .pattern = 0x80000001})));  // archived
}

TEST_CASE("a layout that is cut off anywhere is none, or an earlier component's")
{
    const Attribute whole = plain({.size = 65536, .servers = {1, 2, 3}, .pool = "flash"});
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(lustre_layout(std::span(whole).first(length)));
    const Attribute two = composed({{.to = 10, .layout = plain({.size = 65536, .servers = {1}})},
                                    {.from = 10, .to = 20, .layout = whole}});
    for (std::size_t length = 0; length < two.size(); ++length)
        if (const auto layout = lustre_layout(std::span(two).first(length))) CHECK(layout->stripe_count == 1);
    REQUIRE(lustre_layout(two));
    CHECK(lustre_layout(two)->stripe_count == 3);
}

TEST_CASE("whatever bytes a layout has, none are read beyond its end")
{
    std::mt19937_64 random(20261121);
    const Attribute good =
        composed({{.to = 10, .layout = plain({.size = 65536, .servers = {1, 2}})},
                  {.from = 10, .to = 20, .layout = plain({.size = 4096, .servers = {5}})}});
    std::size_t still_good = 0;
    for (int round = 0; round < 20000; ++round) {
        Attribute bytes = good;
        for (int changes = 0; changes < 3; ++changes)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        bytes.resize(random() % (bytes.size() + 1));
        bytes.shrink_to_fit();
        if (const auto layout = lustre_layout(bytes)) {
            ++still_good;
            CHECK(layout->stripe_count > 0);
            CHECK(layout->servers() <= LustreLayout::most_servers);
        }
    }
    CHECK(still_good > 0);
}
