// Text of unknown origin becomes safe to show.
#include "analyzer/document/printable.h"

#include <catch2/catch.hpp>

using namespace fathom::report;

TEST_CASE("bytes that are no UTF-8 become hexadecimal")
{
    CHECK(valid_utf8("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(valid_utf8("a\xff"
                     "b") == "a\\xffb");
    CHECK(valid_utf8("\xc3") == "\\xc3");
    CHECK(valid_utf8("\xc0\xaf") == "\\xc0\\xaf");                    // an overlong '/'
    CHECK(valid_utf8("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
    CHECK(valid_utf8("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
    CHECK(valid_utf8("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("nothing that steers a terminal or turns the direction of writing is left")
{
    CHECK(printable("a\x1b[31mb") == "a\\x1b[31mb");
    CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
    CHECK(printable("\x7f") == "\\x7f");
    CHECK(printable("\xc2\x9b") == "\\u{9b}");
    CHECK(printable("\xe2\x80\xae") == "\\u{202e}");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
    CHECK(printable("a\\b") == "a\\b");
}

TEST_CASE("escaping can be undone")
{
    CHECK(escaped("a\\n\n") == "a\\\\n\\n");
}
