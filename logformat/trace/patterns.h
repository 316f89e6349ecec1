// A list of patterns that name files, in memory of fixed size: "/scratch/tmp:/home/*/.cache:*.pyc".
//
//   /folder/file   begins with a slash: this path and all that lies below it, by whole components
//   *.pyc          has no slash: every file of this name, wherever it lies
//
// `*` stands for any letters of one component, `?` for one of them; colons separate patterns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

// What is wrong with a list; `why` is empty where nothing is.
struct PatternTrouble {
    std::string_view pattern, why;
};

class Patterns {
  public:
    static constexpr std::size_t most = 128, most_letters = 4096;

    // Takes the list in place of what it was before. One that something is wrong with is taken as empty.
    PatternTrouble take(std::string_view list);

    bool empty() const { return count_ == 0; }
    // The list, without what means nothing: a slash at the end, empty patterns.
    std::string_view text() const { return {text_.data(), size_}; }

    bool match(std::string_view absolute) const { return count_ != 0 && match_any(absolute); }
    // Of a path that is not known in full: only the patterns without a slash decide anything.
    bool match_name(std::string_view path) const;

    // A bit for each letter (bit_of_letter) that may follow the first slash of a path that matches.
    std::uint32_t first_letters() const { return letters_; }

  private:
    struct Pattern {
        std::uint16_t from = 0, size = 0;  // in the text
        std::uint16_t plain = 0;           // how many letters are before the first that stands for others
        bool by_name = false;
    };

    PatternTrouble add(std::string_view pattern);
    bool match_any(std::string_view absolute) const;
    std::string_view text_of(const Pattern& pattern) const
    {
        return {text_.data() + pattern.from, pattern.size};
    }
    bool match_path(const Pattern& pattern, std::string_view path) const;
    bool match_name(const Pattern& pattern, std::string_view name) const;

    std::size_t size_ = 0, count_ = 0;
    std::uint32_t letters_ = 0;
    bool any_by_name_ = false;
    std::array<char, most_letters> text_{};
    std::array<Pattern, most> patterns_{};
};

}  // namespace fathom
