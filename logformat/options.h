// What a user can say about a recording, a row each: as an option of `fathom record`, as a variable of the
// environment, or as either. The variable counts where the option is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

enum class Takes {
    nothing,
    kib,
    path,
    patterns,
    ranks,
    mode
};  // of a variable that takes nothing, 1 is yes and 0 is no

// What a site's settings file can do about an option (logformat/site_settings.h).
enum class Site { nothing, may_demand, may_forbid, may_bound, may_add, may_mask };

struct Option {
    const char* flags = "";  // as `fathom record` takes them; none: for those who preload the library
    const char* environment = "";
    Takes takes = Takes::nothing;
    const char* argument = "";  // what stands for it in the help
    const char* standard = "";  // what holds where it is absent; empty: nothing
    const char* meaning = "";
    Site site = Site::nothing;
};

namespace options {

inline constexpr Option output{
    .flags = "-o,--output",
    .environment = "FATHOM_OUTPUT",
    .takes = Takes::path,
    .argument = "FILE",
    .standard = "PROGRAM-DATE-TIME.fathom",
    .meaning = "the log, or a folder for it",
};
inline constexpr Option quiet{
    .flags = "-q,--quiet",
    .environment = "FATHOM_QUIET",
    .meaning = "no summary line at the end",
};
inline constexpr Option memory{
    .flags = "--memory",
    .environment = "FATHOM_MEMORY",
    .takes = Takes::kib,
    .argument = "KIB",
    .standard = "16384",
    .meaning = "room for records in each process, in KiB; what is not used is not taken",
    .site = Site::may_bound,
};
inline constexpr Option exclude{
    .flags = "--exclude",
    .environment = "FATHOM_EXCLUDE",
    .takes = Takes::patterns,
    .argument = "PATTERNS",
    .meaning = "files to leave out besides the system's own",
    .site = Site::may_add,
};
inline constexpr Option include{
    .flags = "--include",
    .environment = "FATHOM_INCLUDE",
    .takes = Takes::patterns,
    .argument = "PATTERNS",
    .meaning = "files to record even so",
};
inline constexpr Option trace{
    .flags = "--trace",
    .environment = "FATHOM_TRACE",
    .meaning = "record every operation by itself, for `fathom dump --trace`",
    .site = Site::may_forbid,
};
inline constexpr Option trace_files{
    .flags = "--trace-files",
    .environment = "FATHOM_TRACE_FILES",
    .takes = Takes::patterns,
    .argument = "PATTERNS",
    .meaning = "the same, but only for these files",
};
inline constexpr Option trace_ranks{
    .flags = "--trace-ranks",
    .environment = "FATHOM_TRACE_RANKS",
    .takes = Takes::ranks,
    .argument = "LIST",
    .meaning = "the same, but only in these MPI ranks (0,4-7), from MPI_Init on",
};
inline constexpr Option trace_memory{
    .flags = "--trace-memory",
    .environment = "FATHOM_TRACE_MEMORY",
    .takes = Takes::kib,
    .argument = "KIB",
    .standard = "16384",
    .meaning = "room for the trace in each process, in KiB; what does not fit is counted",
    .site = Site::may_bound,
};
inline constexpr Option no_arguments{
    .flags = "--no-arguments",
    .environment = "FATHOM_NO_ARGUMENTS",
    .meaning = "of command lines record the program's name alone (else what looks like a secret is masked)",
    .site = Site::may_demand,
};
inline constexpr Option no_timings{
    .flags = "--no-timings",
    .environment = "FATHOM_NO_TIMINGS",
    .meaning = "counters alone: no histograms of durations, no time bins",
    .site = Site::may_demand,
};
inline constexpr Option mode{
    .flags = "--mode",
    .environment = "FATHOM_MODE",
    .takes = Takes::mode,
    .argument = "OCTAL",
    .standard = "0666 less the umask",
    .meaning = "permissions of the log, like 0640",
    .site = Site::may_mask,
};
inline constexpr Option library{
    .flags = "--library",
    .environment = "FATHOM_LIBRARY",
    .takes = Takes::path,
    .argument = "FILE",
    .standard = "Fathom's own",
    .meaning = "the preload library",
};
inline constexpr Option log_folder{
    .environment = "FATHOM_LOGDIR",
    .takes = Takes::path,
    .argument = "FOLDER",
    .meaning = "each process that exits leaves a log there, and each MPI job",
};
inline constexpr Option spool{
    .environment = "FATHOM_SPOOL",
    .takes = Takes::path,
    .argument = "FOLDER",
    .meaning = "all processes keep their records there, for `fathom recover`",
};
inline constexpr Option every_rank{
    .environment = "FATHOM_EVERY_RANK",
    .meaning = "promises that every rank of an MPI job is recorded",
};

inline constexpr const Option* all[] = {
    &output,       &quiet,      &memory,       &exclude, &include, &trace,      &trace_files, &trace_ranks,
    &trace_memory, &no_timings, &no_arguments, &mode,    &library, &log_folder, &spool,       &every_rank};

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
// The user of a log can always read it and add to it.
constexpr std::optional<unsigned> mode_bits(std::string_view value)
{
    constexpr unsigned own = 0600, every = 0777;
    unsigned bits = 0;
    if (value.size() < 3 || value.size() > 4) return std::nullopt;
    for (const char digit : value) {
        if (digit < '0' || digit > '7') return std::nullopt;
        bits = bits * 8 + static_cast<unsigned>(digit - '0');
    }
    if (bits > every || (bits & own) != own) return std::nullopt;
    return bits;
}
inline constexpr std::uint64_t standard_kib = *kib(memory.standard);
inline constexpr std::uint64_t standard_trace_kib = *kib(trace_memory.standard);

// For messages about values that say nothing.
inline constexpr std::string_view not_yes_or_no = "neither 1 nor 0";
inline constexpr std::string_view not_ranks = "no list of ranks like 0,4-7";
inline constexpr std::string_view not_mode =
    "no mode in octal digits that lets you read and write it, like 0640";
inline constexpr std::string_view not_kib = "no number of KiB from 256 to 2097152";
static_assert(least_kib == 256 && most_kib == 2097152);

}  // namespace options
}  // namespace fathom
