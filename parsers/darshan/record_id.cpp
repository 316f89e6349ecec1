// Three sums, 24 bytes at a time, each of which is mixed into the others by subtracting and shifting.
#include "parsers/darshan/record_id.h"

namespace fathom::darshan {
namespace {

struct Sums {
    std::uint64_t a = 0, b = 0;
    std::uint64_t c = 0x9e3779b97f4a7c13;  // the golden ratio

    // Each round takes the other two sums from one and folds one of them in, shifted right for a and c, left
    // for b.
    void mix()
    {
        constexpr struct {
            unsigned a, b, c;
        } shifts[] = {{43, 9, 8}, {38, 23, 5}, {35, 49, 11}, {12, 18, 22}};
        for (const auto& by : shifts) {
            a = (a - b - c) ^ (c >> by.a);
            b = (b - c - a) ^ (a << by.b);
            c = (c - a - b) ^ (b >> by.c);
        }
    }
};

// Up to eight bytes as a number, the first one lowest.
std::uint64_t word_of(std::string_view bytes)
{
    std::uint64_t word = 0;
    for (std::size_t at = bytes.size(); at-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at]);
    return word;
}

}  // namespace

std::uint64_t record_id(std::string_view path)
{
    constexpr std::size_t word = 8, block = 3 * word;
    Sums sums;
    std::string_view rest = path;
    for (; rest.size() >= block; rest.remove_prefix(block)) {
        sums.a += word_of(rest.substr(0, word));
        sums.b += word_of(rest.substr(word, word));
        sums.c += word_of(rest.substr(2 * word, word));
        sums.mix();
    }
    // The lowest byte of the last sum is for the length.
    sums.c += path.size();
    sums.a += word_of(rest.substr(0, word));
    if (rest.size() > word) sums.b += word_of(rest.substr(word, word));
    if (rest.size() > 2 * word) sums.c += word_of(rest.substr(2 * word)) << 8;
    sums.mix();
    return sums.c;
}

}  // namespace fathom::darshan
