// A row for each counter of such calls: its name and its remedies.
#include "analyzer/findings/other_calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "analyzer/document/units.h"

namespace fathom {
namespace {

constexpr Remedy other_remedies[] = {
    {Language::c, "Make and remove fewer files and folders: put what they hold into a few large ones."},
};

constexpr Remedy length_remedies[] = {
    {Language::c,
     "Do not set the length of a file at each record: a write at its end makes it longer by itself. Where "
     "room should be kept for it, set it once, before the loop:",
     {"posix_fallocate(fd, 0, size);"}},
    {Language::python,
     "Do not set the length of a file at each record: a write at its end makes it longer by itself. Where "
     "room should be kept for it, set it once, before the loop:",
     {"os.posix_fallocate(fd, 0, size)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it set the length of its files less often."},
};
constexpr Remedy file_attribute_remedies[] = {
    {Language::c,
     "Set modes, owners and times of a file once, when it is complete; umask sets the mode of all."},
};
constexpr Remedy descriptor_remedies[] = {
    {Language::c, "Duplicate a descriptor once, before the loop, and use it in each turn."},
};
constexpr Remedy link_remedies[] = {
    {Language::c, "Make or follow each link once, and remember where it leads."},
};
constexpr Remedy advice_remedies[] = {
    {Language::c,
     "Give advice on a file (posix_fadvise, madvise) once, for all of it, rather than at each read."},
};

constexpr OtherCalls other_calls[] = {
    {&PosixCounters::truncates, "ftruncate, truncate and posix_fallocate", length_remedies},
    {&PosixCounters::unlinks, "unlink and remove", other_remedies},
    {&PosixCounters::renames, "rename", other_remedies},
    {&PosixCounters::directory_changes, "mkdir and rmdir", other_remedies},
    {&PosixCounters::links, "link, symlink and readlink", link_remedies},
    {&PosixCounters::attributes, "chmod, chown, utime, and extended attributes", file_attribute_remedies},
    {&PosixCounters::dups, "dup, dup2 and fcntl(F_DUPFD)", descriptor_remedies},
    {&PosixCounters::advices, "posix_fadvise, readahead and madvise", advice_remedies},
};

std::uint64_t calls_of(const Job& job, const OtherCalls& one)
{
    std::uint64_t calls = 0;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::posix) calls += record[one.counter];
    return calls;
}

}  // namespace

const OtherCalls* most_of_others(const Job& job, std::uint64_t others)
{
    const OtherCalls* most = nullptr;
    std::uint64_t of_most = others / 2;
    for (const OtherCalls& one : other_calls) {
        const std::uint64_t calls = calls_of(job, one);
        if (calls <= of_most) continue;
        most = &one;
        of_most = calls;
    }
    return most;
}

std::string commonest_others(const Job& job)
{
    constexpr std::size_t enough = 3;
    std::vector<std::pair<std::uint64_t, std::string_view>> all;
    for (const OtherCalls& one : other_calls)
        if (const std::uint64_t calls = calls_of(job, one); calls > 0) all.emplace_back(calls, one.name);
    std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& one) { return one.first; });
    std::string words;
    for (std::size_t at = 0; at < std::min(all.size(), enough); ++at)
        words += fmt::format("{}{} of {}", at == 0 ? "" : ", ", report::format_count(all[at].first),
                             all[at].second);
    return words;
}

std::span<const Remedy> remedies_on_others(const OtherCalls* most)
{
    if (most != nullptr) return most->remedies;
    return other_remedies;
}

}  // namespace fathom
