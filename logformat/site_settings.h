// What a site holds all recordings to (/etc/fathom.conf). Users may be stricter and loosen nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <sys/stat.h>

#include "logformat/file_mode.h"
#include "logformat/options.h"
#include "logformat/trace/patterns.h"

namespace fathom {

inline constexpr const char* site_settings_path = "/etc/fathom.conf";

struct SiteSettings {
    static constexpr std::size_t most_bytes = 16 << 10;  // of the file

    std::uint64_t memory_kib = options::most_kib, trace_kib = options::most_kib;  // at most
    unsigned mode = 0777;  // the bits that the mode of a log may have
    bool no_arguments = false, no_timings = false, no_traces = false;
    Patterns exclude;  // files that are not recorded, whoever includes them

    // Of a file that all may write it is not known whose words are in it.
    static bool is_of_site(const struct stat& about)
    {
        return S_ISREG(about.st_mode) && (about.st_mode & S_IWOTH) == 0 &&
               about.st_size <= static_cast<off_t>(most_bytes);
    }
    static constexpr std::string_view not_of_site =
        "it is no regular file, all may write to it, or it is longer than 16 KiB";
    static constexpr std::string_view allows_no_trace = "allows no trace";

    // Takes the text of the file. What cannot be obeyed goes to trouble(line, why), and the rest is taken; of
    // what is said twice the stricter, of patterns the first.
    template <class Trouble>
    void take(std::string_view text, Trouble trouble);

  private:
    std::string_view take_line(std::string_view name, std::string_view value);
};

// The mode of the logs of a user who asked for one as text, or for none. A text that is no mode leaves the
// log to its user alone.
FileMode log_mode(std::string_view asked_for, const SiteSettings& site);

template <class Trouble>
void SiteSettings::take(std::string_view text, Trouble trouble)
{
    constexpr std::string_view blanks = " \t\r";
    const auto trimmed = [&](std::string_view part) {
        const std::size_t from = part.find_first_not_of(blanks);
        return from == part.npos ? std::string_view()
                                 : part.substr(from, part.find_last_not_of(blanks) + 1 - from);
    };
    while (!text.empty()) {
        const std::string_view line = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(text.find('\n') < text.size() ? text.find('\n') + 1 : text.size());
        if (line.empty() || line.front() == '#') continue;
        const std::size_t sign = line.find('=');
        const std::string_view why =
            sign == line.npos ? "not NAME = VALUE"
                              : take_line(trimmed(line.substr(0, sign)), trimmed(line.substr(sign + 1)));
        if (!why.empty()) trouble(line, why);
    }
}

}  // namespace fathom
