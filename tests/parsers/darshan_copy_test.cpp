// A log that is written anew tells what it told before.
#include <algorithm>
#include <catch2/catch.hpp>

#include "parsers/darshan/copy.h"
#include "parsers/darshan/job_text.h"
#include "parsers/darshan/record_id.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/darshan_text.h"

using namespace fathom;
using namespace fathom::testing;

TEST_CASE("ids of Darshan's names follow from the names")
{
    CHECK(darshan::record_id("heatmap:POSIX") == 16592106915301738621U);
    CHECK(darshan::record_id("heatmap:MPIIO") == 3668870418325792824U);
    CHECK(darshan::record_id("heatmap:STDIO") == 3989511027826779520U);
}

TEMPLATE_TEST_CASE("ids of names in logs follow from them, whatever their lengths", "", MadeLogs, RealLogs)
{
    std::size_t checked = 0, lengths = 0;
    std::vector<bool> seen(24);
    // Logs in which somebody replaced the names and left the ids, and one of DFS, whose ids are made
    // otherwise.
    constexpr std::string_view others[] = {"imbalanced-io", "noposix", "skew-autobench-ior",
                                           "snyder_ior-DFS"};
    const auto is_other = [&](std::string_view path) {
        return std::any_of(std::begin(others), std::end(others), [&](std::string_view other) {
            return path.find(other) != std::string_view::npos;
        });
    };
    for (const std::string& path : darshan_logs<TestType>())
        for (const darshan::File file(path); const auto& [id, name] : file.names()) {
            // Names of objects have suffixes that their ids may not be made of.
            if (is_other(path) || !name.starts_with('/') || name.find(':') != std::string_view::npos)
                continue;
            INFO(path << ": " << name);
            CHECK(darshan::record_id(name) == id);
            lengths += seen[name.size() % 24] ? 0 : 1;
            seen[name.size() % 24] = true;
            ++checked;
        }
    if (checked > 0) CHECK(lengths == 24);
}

TEMPLATE_TEST_CASE("a Darshan log that is copied says the same, whatever its format", "", MadeLogs, RealLogs)
{
    const TemporaryFolder folder;
    for (const std::string& path : darshan_logs<TestType>()) {
        INFO(path);
        const darshan::File from(path);
        const std::string to = folder.path / "copy.darshan";
        const auto told = darshan::copy_log(from, to);
        const darshan::File copy(to);
        CHECK(copy.version() == "3.41");
        CHECK(copy.problems().empty());
        CHECK(difference(lines_of_job(copy), lines_of_job(from)) == "");
        std::size_t expected_told = 0;
        // The numbers of the job take 16 bytes more than before 3.41: where its region was full, they are
        // taken from the command line.
        if (command_and_mounts(from).size() < darshan::JobText::command_bytes) {
            CHECK(command_and_mounts(copy) == command_and_mounts(from));
        } else {
            CHECK(command_and_mounts(copy).size() == darshan::JobText::command_bytes - 1);
            CHECK(copy.job().mounts.size() == from.job().mounts.size());
            CHECK(from.job().command.starts_with(copy.job().command));
            ++expected_told;
        }
        for (const darshan::ModuleRegion& region : from.modules()) {
            const auto expected = lines_of_module(from, region.module);
            if (expected.empty()) ++expected_told;
            CHECK(difference(lines_of_module(copy, region.module), expected) == "");
            const darshan::ModuleRegion* const there = copy.find(region.module);
            if (there != nullptr) CHECK(there->partial == region.partial);
        }
        CHECK(told.size() == expected_told);
    }
}
