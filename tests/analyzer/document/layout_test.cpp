// Widths, breaks and shortened paths.
#include "analyzer/document/drawing/layout.h"

#include <catch2/catch.hpp>

using namespace fathom::report;

TEST_CASE("long paths are shortened in the middle and keep their end")
{
    CHECK(shorten_middle("/a/b", 10) == "/a/b");
    CHECK(shorten_middle("/scratch/user/run/output.h5", 13) == "/scr…utput.h5");
    CHECK(display_width(shorten_middle("/scratch/user/run/output.h5", 13)) == 13);
    CHECK(shorten_middle("abc", 1) == "…");
    CHECK(shorten_middle("abc", 0).empty());
    for (std::size_t width = 0; width < 20; ++width)
        CHECK(display_width(shorten_middle("日本語のファイル名.txt", width)) <= width);
}

TEST_CASE("wide characters take two columns, marks none")
{
    CHECK(display_width("abc") == 3);
    CHECK(display_width("日本") == 4);
    CHECK(display_width("e\xcc\x81") == 1);
}

TEST_CASE("text wraps at spaces, and words that are too long break")
{
    CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
    CHECK(wrap("a abcdefgh", 4) == std::vector<std::string>{"a", "abcd", "efgh"});
    CHECK(wrap("", 5) == std::vector<std::string>{""});
    CHECK(wrap(std::string(1'000'000, 'x'), 10).size() ==
          100'000);  // at once: for hours if each piece measured the rest
}

TEST_CASE("what has no likeness in ASCII becomes a question mark")
{
    CHECK(to_ascii("3 µs…─é") == "3 us~-?");
    CHECK(to_ascii("日") == "??");
}
