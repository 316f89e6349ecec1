// A list of ranks as users write it: "0,4-7", in memory of fixed size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

class RankList {
  public:
    static constexpr std::size_t most = 64;

    // Takes the list in place of what it was before. False, and none, where it is no such list.
    constexpr bool take(std::string_view list)
    {
        count_ = 0;
        while (true) {
            const std::size_t end = list.find(',') < list.size() ? list.find(',') : list.size();
            if (count_ == most || !take_one(list.substr(0, end))) {
                count_ = 0;
                return false;
            }
            if (end == list.size()) return true;
            list.remove_prefix(end + 1);
        }
    }

    constexpr bool empty() const { return count_ == 0; }
    constexpr bool has(std::int64_t rank) const
    {
        for (std::size_t at = 0; at < count_; ++at)
            if (rank >= ranges_[at].first && rank <= ranges_[at].last) return true;
        return false;
    }

  private:
    struct Range {
        std::int64_t first = 0, last = 0;
    };

    constexpr bool take_one(std::string_view text)
    {
        Range& range = ranges_[count_];
        if (!take_number(text, range.first)) return false;
        range.last = range.first;
        if (!text.empty() && text.front() == '-') {
            text.remove_prefix(1);
            if (!take_number(text, range.last) || range.last < range.first) return false;
        }
        ++count_;
        return text.empty();
    }

    static constexpr bool take_number(std::string_view& text, std::int64_t& number)
    {
        constexpr std::size_t most_digits = 9;
        std::size_t digits = 0;
        number = 0;
        for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
            if (digits == most_digits) return false;
            number = number * 10 + (text[digits] - '0');
        }
        text.remove_prefix(digits);
        return digits > 0;
    }

    std::array<Range, most> ranges_{};
    std::size_t count_ = 0;
};

}  // namespace fathom
