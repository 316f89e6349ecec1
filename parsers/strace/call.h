// A finished call as strace prints it: read(3</tmp/x>, "abc"..., 4096) = 3 <0.000012>
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom::strace {

struct Call {
    static constexpr std::size_t most_arguments = 16;

    std::string_view name;
    std::array<std::string_view, most_arguments> argument{};
    std::size_t arguments = 0;
    bool has_result = false;  // false: "?", it was interrupted and begins anew, or never returned
    std::int64_t result = 0;
    std::string_view error;                 // "ENOENT"
    std::string_view shown;                 // what strace shows of a descriptor that is the result: "/tmp/x"
    bool shows = false;                     // it shows something
    std::optional<std::uint64_t> duration;  // ns

    std::string_view at(std::size_t place) const { return place < arguments ? argument[place] : ""; }
    bool failed() const { return has_result && result < 0; }
};

// False where the text is no whole call. The call holds views of the text.
bool parse_call(std::string_view text, Call& call);

// A descriptor argument: "3</tmp/x>", "3", "AT_FDCWD</home>".
struct DescriptorArgument {
    std::int64_t number = -1;  // -1: none
    bool working_folder = false;
    bool shows = false;
    std::string_view shown;  // as strace escapes it
};
DescriptorArgument descriptor_of(std::string_view argument);

// The path that strace shows of a descriptor, unescaped; empty where it is a pipe, a socket or the like.
std::string path_shown(std::string_view shown);

// A text argument without quotes and escapes; nothing where it is none (NULL, a pointer) or was cut off.
std::optional<std::string> text_of(std::string_view argument);
// The texts of ["ls", "-l"], a space between; behind those that were cut off, "...".
std::string texts_of(std::string_view argument);

// A whole number, or the first one of a list: 4096, [4096], [0] => [10].
std::optional<std::int64_t> number_of(std::string_view argument);

}  // namespace fathom::strace
