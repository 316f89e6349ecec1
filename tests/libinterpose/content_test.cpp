// What data look like: text, numbers, or neither.
#include "libinterpose/recording/content.h"

#include <catch2/catch.hpp>
#include <string>

using namespace fathom;

namespace {

Content after(const std::string& data)
{
    Content seen;
    content::look(seen, data.data(), data.size());
    return seen;
}
bool is_text(const std::string& data)
{
    return after(data).text_looks == 1;
}
bool is_numbers(const std::string& data)
{
    return after(data).number_looks == 1;
}

}  // namespace

TEST_CASE("content: numbers are text of which two in three letters are digits, signs and points")
{
    CHECK(is_numbers("1.0 -2.5e-3\t7,8\r\n12345"));
    CHECK(is_text("the quick brown fox"));
    CHECK_FALSE(is_numbers("the quick brown fox"));
    CHECK(is_numbers("12345678abcd"));
    CHECK_FALSE(is_numbers("1234567abcde"));
    CHECK(is_text("          "));
    CHECK_FALSE(is_numbers("          "));
    CHECK_FALSE(is_text(std::string("1.0 2.0 3.0\0", 12)));
    CHECK_FALSE(is_text("1.0 2.0 3\x80"));
}

TEST_CASE("content: 64 bytes in the middle, of 8 bytes and more")
{
    const std::string ends(100, '\1'), middle(64, '7');
    CHECK(is_numbers(ends + middle + ends));
    CHECK_FALSE(is_text(ends + middle.substr(1) + ends));
    CHECK(after("1234567").looks == 0);
    CHECK(after("12345678").looks == 1);
    Content none;
    content::look(none, nullptr, 100);
    CHECK(none.looks == 0);
}

TEST_CASE("content: a look is due where there were twice as many calls as at the last one")
{
    Content seen;
    int looks = 0;
    for (std::uint64_t calls = 1; calls <= 1000; ++calls)
        if (content::is_due(seen, calls)) content::look(seen, "12345678", 8), ++looks;
    CHECK(looks == 10);
}

TEST_CASE("content: the header of gzip says whether it is its best level, in what is written first")
{
    const auto header = [](char level) {
        return std::string("\x1f\x8b\x08\0\0\0\0\0", 8) + level + std::string("\x03 compressed", 12);
    };
    CHECK(after(header(2)).best_gzip == 1);
    CHECK(after(header(4)).best_gzip == 0);
    CHECK(after("PK\x03\x04" + header(2)).best_gzip == 0);
    Content later = after("12345678");
    const std::string second = header(2);
    content::look(later, second.data(), second.size());
    CHECK(later.best_gzip == 0);
}
