// Rates of servers that are known, found again from files that lie on several of them.
#include "analyzer/methods/server_rates.h"

#include <catch2/catch.hpp>
#include <random>

using namespace fathom;

TEST_CASE("servers: where each file lies on one, a rate is the time over the bytes")
{
    const std::vector<FileOnServers> files = {
        {10, {{0, 5}}}, {30, {{0, 5}}}, {8, {{1, 4}}}, {0, {{1, 4}}}, {7, {}}};
    const auto rates = server_rates(files, 3);
    REQUIRE(rates.size() == 3);
    CHECK(rates[0].ns_per_byte == Approx(4).epsilon(1e-4));
    CHECK(rates[1].ns_per_byte == Approx(1).epsilon(1e-4));
    CHECK(rates[0].files == 2);
    CHECK(rates[0].bytes == 10);
    CHECK(rates[0].low <= 4);
    CHECK(rates[0].high >= 4);
    CHECK(rates[2].ns_per_byte == 0);
    CHECK(server_rates({}, 0).empty());
}

TEST_CASE("servers: the rates of twelve are found from files on three each, the slow one surely")
{
    std::mt19937 bits(7);
    std::uniform_real_distribution<double> part(0.5, 1.5), noise(0.9, 1.1);
    std::vector<double> truth(12, 2);
    truth[5] = 40;
    std::vector<FileOnServers> files;
    for (int file = 0; file < 400; ++file) {
        FileOnServers one;
        const std::size_t first = bits() % 12;
        for (std::size_t at = 0; at < 3; ++at) {
            const std::size_t server = (first + 4 * at + bits() % 4) % 12;
            one.parts.push_back({server, 1e6 * part(bits)});
            one.time += one.parts.back().bytes * truth[server] * noise(bits);
        }
        files.push_back(one);
    }
    const auto rates = server_rates(files, 12);
    for (std::size_t at = 0; at < 12; ++at) {
        INFO("server " << at);
        CHECK(rates[at].ns_per_byte == Approx(truth[at]).epsilon(at == 5 ? 0.05 : 0.4));
        CHECK(rates[at].low <= rates[at].ns_per_byte);
        CHECK(rates[at].high >= rates[at].ns_per_byte);
    }
    CHECK(rates[5].low > 3 * 2);
}

TEST_CASE("servers: no rate is below nothing, and files that cost nothing have none")
{
    const std::vector<FileOnServers> files = {{0, {{0, 10}, {1, 10}}}, {20, {{0, 10}}}, {1, {{1, 10}}}};
    for (const ServerRate& rate : server_rates(files, 2)) CHECK(rate.ns_per_byte >= 0);
}
