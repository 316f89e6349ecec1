// The paths of failed calls against a direct count.
#include "logformat/failed_paths.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <random>
#include <string>

using namespace fathom;

namespace {

struct Told {
    std::uint64_t calls = 0, error = 0;
    std::uint32_t cause = 0;
};

std::map<std::string, Told> told_by(const CommonFailures& common)
{
    std::map<std::string, Told> told;
    common.each([&](std::string_view path, std::uint64_t calls, std::uint64_t error, std::uint32_t cause,
                    std::uint64_t /*slept*/) {
        told[std::string(path)] = {calls, error, cause};
    });
    return told;
}

}  // namespace

TEST_CASE("failed paths are exact while there are no more of them than slots")
{
    std::mt19937 random(1);
    for (std::size_t kinds = 1; kinds <= CommonFailures::slots; ++kinds) {
        const auto common = std::make_unique<CommonFailures>();
        std::map<std::string, std::uint64_t> expected;
        for (int call = 0; call < 1000; ++call) {
            const std::string path = fmt::format("/lib/{}", random() % kinds);
            ++expected[path];
            common->count(path, 2);
        }
        INFO(kinds << " paths");
        const auto told = told_by(*common);
        CHECK(told.size() == expected.size());
        for (const auto& [path, one] : told) {
            CHECK(one.calls == expected[path]);
            CHECK(one.error == 0);
        }
    }
}

TEST_CASE("with more failed paths than slots a count is too high by at most its error")
{
    std::mt19937 random(2);
    const auto common = std::make_unique<CommonFailures>();
    std::map<std::string, std::uint64_t> truth;
    constexpr std::uint64_t calls = 20'000;
    for (std::uint64_t call = 0; call < calls; ++call) {
        const std::string path = call % 4 == 0 ? "/often" : fmt::format("/rare/{}", random() % 3000);
        ++truth[path];
        common->count(path, 2);
    }
    const auto told = told_by(*common);
    std::uint64_t total = 0;
    for (const auto& [path, one] : told) {
        total += one.calls;
        INFO(path);
        CHECK(one.calls >= truth[path]);
        CHECK(one.calls - one.error <= truth[path]);
        CHECK(one.error <= calls / CommonFailures::slots);
    }
    CHECK(total == calls);
    CHECK(told.count("/often") == 1);
}

TEST_CASE("of a failed path the last cause is kept, and of a long one the end")
{
    const auto common = std::make_unique<CommonFailures>();
    common->count("/a", 2);
    common->count("/a", 13);
    const std::string end(FailedPathText::most_bytes, 'x');
    common->count("/one/" + end, 2);
    common->count("/other/" + end, 2);
    common->count(std::string(FailedPathText::most_bytes, '/'), 2);
    auto told = told_by(*common);
    CHECK(told.size() == 3);
    CHECK(told["/a"].calls == 2);
    CHECK(told["/a"].cause == 13);
    CHECK(told[end].calls == 2);
}

TEST_CASE("a slot that was being changed is not reported")
{
    const auto common = std::make_unique<CommonFailures>();
    common->count("/whole", 2);
    common->count("/changed", 2);
    common->text[1].text[3] = '?';
    CHECK(told_by(*common).size() == 1);
    common->text[1].text[3] = 'a';
    common->text[1].length = 0xffffffff;
    CHECK(told_by(*common).size() == 1);
    common->id[0] = 0;
    CHECK(told_by(*common).empty());
}

TEST_CASE("sums of failed paths keep those that are certain to have most calls")
{
    const auto sums = std::make_unique<FailedPathSums>();
    for (std::uint64_t path = 0; path < most_failed_paths; ++path)
        sums->add(fmt::format("/{:02}", path), 100 + path, 0, 2);
    sums->add("/00", 7, 1, 13);           // 106 for certain
    sums->add("/doubtful", 900, 800, 2);  // 100 for certain: fewer than the rarest has
    sums->add("/new", 300, 100, 2);       // in the place of /01
    sums->sort();
    REQUIRE(sums->size == most_failed_paths);
    CHECK(sums->sum[0].text.path() == "/new");
    CHECK(sums->sum[1].text.path() == "/63");
    std::string paths;
    for (const auto& one : sums->sum) paths += std::string(one.text.path()) + " ";
    CHECK(paths.find("/doubtful") == std::string::npos);
    CHECK(paths.find("/01 ") == std::string::npos);
    CHECK(paths.find("/00 /06 /05 ") != std::string::npos);  // 106 calls each: by path
    for (const auto& one : sums->sum)
        if (one.text.path() == "/00") CHECK(one.text.cause == 2);  // of the count with most calls
}

TEST_CASE("a failed path that a thread slept for stays, however rare, as long as others can go")
{
    const auto common = std::make_unique<CommonFailures>();
    const std::uint64_t id = common->count("/wanted", 2);
    common->sleep(id, 5);
    common->sleep(id, 2);
    common->sleep(12345, 9);  // of none
    for (int call = 0; call < 1000; ++call) common->count(fmt::format("/rare/{}", call), 2);
    std::uint64_t slept = 0, others = 0;
    common->each([&](std::string_view path, std::uint64_t, std::uint64_t, std::uint32_t,
                     std::uint64_t ticks) { (path == "/wanted" ? slept : others) += ticks; });
    CHECK(slept == 7);
    CHECK(others == 0);
}
