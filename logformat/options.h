// What a user can say about a recording, a row each: as an option of `fathom record`, as a variable of the
// environment, or as either. The variable counts where the option is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

enum class Takes { nothing, kib, path, patterns };  // of a variable that takes nothing, 1 is yes and 0 is no

struct Option {
    const char*
        flags;  // as `fathom record` takes them; empty: for those who preload the library by themselves
    const char* environment;
    Takes takes;
    const char* argument;  // what stands for it in the help
    const char* standard;  // what holds where it is absent; empty: nothing
    const char* meaning;
};

namespace options {

inline constexpr Option output{"-o,--output",
                               "FATHOM_OUTPUT",
                               Takes::path,
                               "FILE",
                               "PROGRAM-DATE-TIME.fathom here",
                               "the log to write, or a folder for it"};
inline constexpr Option quiet{
    "-q,--quiet", "FATHOM_QUIET", Takes::nothing, "", "", "no summary line at the end"};
inline constexpr Option memory{"--memory", "FATHOM_MEMORY", Takes::kib,
                               "KIB",      "2048",          "room for records in each process, in KiB"};
inline constexpr Option exclude{"--exclude",
                                "FATHOM_EXCLUDE",
                                Takes::patterns,
                                "PATTERNS",
                                "",
                                "files to leave out besides the system's own, see below"};
inline constexpr Option include{"--include",
                                "FATHOM_INCLUDE",
                                Takes::patterns,
                                "PATTERNS",
                                "",
                                "files to record even so: these win over all that are left out"};
inline constexpr Option library{"--library", "FATHOM_LIBRARY", Takes::path,
                                "FILE",      "Fathom's own",   "the preload library"};
inline constexpr Option log_folder{
    "",          "FATHOM_LOGDIR",
    Takes::path, "FOLDER",
    "",          "each process leaves a log there when it exits, an MPI job one at MPI_Finalize"};
inline constexpr Option every_rank{"",
                                   "FATHOM_EVERY_RANK",
                                   Takes::nothing,
                                   "",
                                   "",
                                   "promises that all ranks of MPI jobs are recorded, which those logs need"};

inline constexpr const Option* all[] = {&output,  &quiet,   &memory,     &exclude,
                                        &include, &library, &log_folder, &every_rank};

// What a value says; nothing where it is none of that kind.
constexpr std::optional<bool> yes_or_no(std::string_view value)
{
    return value == "1" ? std::optional(true) : value == "0" ? std::optional(false) : std::nullopt;
}

// A part's offsets are 32 bits wide; below the smallest size nothing useful fits.
inline constexpr std::uint64_t least_kib = 256, most_kib = 2 << 20;
constexpr std::optional<std::uint64_t> kib(std::string_view value)
{
    std::uint64_t number = 0;
    for (const char digit : value) {
        if (digit < '0' || digit > '9' || number > most_kib) return std::nullopt;
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    if (number < least_kib || number > most_kib) return std::nullopt;
    return number;
}
inline constexpr std::uint64_t standard_kib = *kib(memory.standard);

// For messages about values that say nothing.
inline constexpr std::string_view not_yes_or_no = "neither 1 nor 0";
inline constexpr std::string_view not_kib = "no number of KiB from 256 to 2097152";
static_assert(least_kib == 256 && most_kib == 2097152);

}  // namespace options
}  // namespace fathom
