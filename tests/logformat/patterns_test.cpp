// Patterns that name files.
#include "logformat/trace/patterns.h"

#include <catch2/catch.hpp>
#include <string>

#include "logformat/excluded.h"

using namespace fathom;

namespace {

bool matches(std::string_view list, std::string_view path)
{
    Patterns patterns;
    const PatternTrouble trouble = patterns.take(list);
    INFO(trouble.pattern << ": " << trouble.why);
    REQUIRE(trouble.why.empty());
    return patterns.match(path);
}

std::string trouble_with(std::string_view list)
{
    Patterns patterns;
    const PatternTrouble trouble = patterns.take(list);
    if (!trouble.why.empty()) CHECK(patterns.empty());
    return std::string(trouble.pattern);
}

}  // namespace

TEST_CASE("a pattern with a slash is a path and what lies below it, by whole components")
{
    CHECK(matches("/home/a", "/home/a"));
    CHECK(matches("/home/a", "/home/a/b/c"));
    CHECK_FALSE(matches("/home/a", "/home/ab"));
    CHECK_FALSE(matches("/home/a", "/home"));
    CHECK_FALSE(matches("/home/a", "/mnt/home/a"));
    CHECK(matches("/home/a/", "/home/a/b"));
    CHECK(matches("/", "/anything/at/all"));
}

TEST_CASE("a pattern without a slash is a name in any folder")
{
    CHECK(matches("core", "/home/a/core"));
    CHECK_FALSE(matches("core", "/home/core/a"));
    CHECK_FALSE(matches("core", "/home/score"));
    CHECK(matches("*.pyc", "/a/b.pyc"));
    CHECK_FALSE(matches("*.pyc", "/a/b.py"));
    CHECK_FALSE(matches("*.pyc", "/a.pyc/b"));
    CHECK(matches("*.pyc", "/.pyc"));
    CHECK(matches("a*b*c", "/aXbYbZc"));
    CHECK_FALSE(matches("a*b*c", "/aXbYbZ"));
    CHECK(matches("a*?", "/ab"));
    CHECK_FALSE(matches("a*?", "/a"));
}

TEST_CASE("stars and question marks stay within a component")
{
    CHECK(matches("/home/*/cache", "/home/a/cache/x"));
    CHECK_FALSE(matches("/home/*/cache", "/home/a/b/cache"));
    CHECK_FALSE(matches("/home/*/cache", "/home/a"));
    CHECK(matches("/data/run?", "/data/run1/x"));
    CHECK_FALSE(matches("/data/run?", "/data/run"));
    CHECK_FALSE(matches("/data/run?", "/data/run12"));
    CHECK(matches("/*/x*z", "/a/xyz/b"));
    CHECK_FALSE(matches("/a*", "/"));
}

TEST_CASE("a question mark stands for a letter of UTF-8")
{
    CHECK(matches("r?sum?", "/home/résumé"));
    CHECK_FALSE(matches("r?sum", "/home/résumé"));
    CHECK(matches("x??", "/x\xff\xff"));
}

TEST_CASE("a list has several patterns, and nothing between two colons is none")
{
    CHECK(matches("/a::*.o:", "/b/c.o"));
    CHECK(matches("/a::*.o:", "/a/c"));
    CHECK_FALSE(matches("/a::*.o:", "/b/c"));
    CHECK_FALSE(matches("", "/b/c"));
    Patterns patterns;
    patterns.take(":/a/::*.o:");
    CHECK(patterns.text() == "/a:*.o");
    patterns.take("");
    CHECK(patterns.empty());
    CHECK(patterns.text().empty());
    CHECK_FALSE(patterns.match("/a"));
}

TEST_CASE("what cannot be meant is refused, and named")
{
    CHECK(trouble_with("/a:b/c") == "b/c");
    CHECK(trouble_with("./a") == "./a");
    CHECK(trouble_with("/a/../b") == "/a/../b");
    CHECK(trouble_with("/a/./b") == "/a/./b");
    CHECK(trouble_with("/a//b") == "/a//b");
    CHECK(trouble_with("/a:/b.c:..x").empty());
}

TEST_CASE("there is room for so many patterns, and a list that is longer is refused")
{
    std::string many;
    for (std::size_t n = 0; n < Patterns::most; ++n) many += ":/folder" + std::to_string(n);
    CHECK(matches(many, "/folder127/x"));
    CHECK(trouble_with(many + ":/last") == "/last");
    const std::string longest = "/" + std::string(Patterns::most_letters - 2, 'a');
    CHECK(matches(longest, longest + "/x"));
    CHECK_FALSE(trouble_with(longest + "aa").empty());
    CHECK(trouble_with(longest + ":/b") == "/b");
}

TEST_CASE("the first letters of a list are those of all paths that match")
{
    const auto letters = [](std::string_view list) {
        Patterns patterns;
        patterns.take(list);
        return patterns.first_letters();
    };
    CHECK(letters("/scratch:/tmp/x*") == (bit_of_letter('s') | bit_of_letter('t')));
    CHECK(letters("") == 0);
    for (const char* const any : {"*.o", "x", "/", "/*a", "/?"}) CHECK(letters(any) == ~std::uint32_t{0});
}
