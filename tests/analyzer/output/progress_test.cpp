// A bar that comes late, tells the truth and goes.
#include "analyzer/output/progress.h"

#include <catch2/catch.hpp>
#include <string>

using namespace fathom;
using Catch::Contains;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

struct Made {
    std::uint64_t now = 500 * second;
    std::size_t width = 80;
    std::string written;

    ProgressScreen screen()
    {
        return {[this] { return width; }, [this](std::string_view text) { written += text; },
                [this] { return now; }};
    }
};

}  // namespace

TEST_CASE("a bar shows how much is done and how long the rest will take")
{
    const std::string line = progress_line("reading", work_in_bytes, 1 << 20, 4 << 20, 2 * second, 80);
    CHECK_THAT(line, Catch::StartsWith("reading [###") && Contains(" 25 %  1 MiB of 4 MiB  about 6 s left"));
    CHECK(line.size() == 79);
    CHECK_THAT(progress_line("merging", {false, "logs"}, 250, 1000, 100 * second, 100),
               Contains("250 of 1,000 logs  about 5 min left"));
}

TEST_CASE("a bar fits any width and never says more than all")
{
    for (std::size_t width = 1; width < 120; ++width)
        CHECK(progress_line("reading x", work_in_bytes, 7, 9, second, width).size() <
              std::max<std::size_t>(width, 2));
    CHECK_THAT(progress_line("reading", work_in_bytes, 30, 20, second, 80), Contains("100 %"));
    CHECK(progress_line("scanning", {false, "inodes", true}, 30'000, 0, 2 * second, 80) ==
          "scanning  30,000 inodes  15,000 a second");
    CHECK(progress_line("scanning", {false, "inodes", true}, 30'000, 0, 0, 10) == "scanning ");
    CHECK_THAT(progress_line("reading", work_in_bytes, 0, 20, second, 80), !Contains("left"));
}

TEST_CASE("quick work shows no bar")
{
    Made made;
    {
        Progress progress(made.screen());
        const Tick tick = progress.stage("reading", work_in_bytes);
        made.now += second - 1;
        tick(1, 2);
    }
    CHECK(made.written.empty());
}

TEST_CASE("slow work shows a bar, a few times a second, and takes it away")
{
    Made made;
    {
        Progress progress(made.screen());
        const Tick tick = progress.stage("reading", work_in_bytes);
        made.now += second;
        tick(1, 4);
        CHECK_THAT(made.written, Contains(" 25 %"));
        const std::size_t once = made.written.size();
        made.now += second / 20;
        tick(2, 4);
        CHECK(made.written.size() == once);
        made.now += second / 10;
        tick(3, 4);
        CHECK_THAT(made.written, Contains(" 75 %"));
        CHECK_THAT(made.written, !Catch::EndsWith("\x1b[K"));
    }
    CHECK_THAT(made.written, Catch::EndsWith("\r\x1b[K"));
    CHECK_THAT(made.written, !Contains("\n"));
}

TEST_CASE("the stages of a command share the second that a bar waits")
{
    Made made;
    Progress progress(made.screen());
    progress.stage("reading", work_in_bytes);
    made.now += 2 * second;
    const Tick tick = progress.stage("reporting", {false, "steps"});
    made.now += second / 4;
    tick(1, 2);
    CHECK_THAT(made.written, Contains("reporting [") && Contains("1 of 2 steps  about 0 s left"));
}

TEST_CASE("there is no bar where there is no terminal, and trouble with it is nobody's")
{
    Made made;
    made.width = 0;
    Progress progress(made.screen());
    made.now += 2 * second;
    progress.stage("reading", work_in_bytes)(1, 2);
    progress.clear();
    CHECK(made.written.empty());

    ProgressScreen broken = made.screen();
    broken.width = []() -> std::size_t { throw 1; };
    Progress other(broken);
    const Tick tick = other.stage("reading", work_in_bytes);
    made.now += 2 * second;
    CHECK_NOTHROW(tick(1, 2));
}
