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
     "Give advice on a file (posix_fadvise, madvise) once, for all of it, rather than at each read; and "
     "leave out advice to drop from memory (POSIX_FADV_DONTNEED) what is read again."},
};

constexpr Remedy list_remedies[] = {
    {Language::c,
     "List each folder once, before the loop, and remember what was found; spread files over several "
     "folders."},
    {Language::python,
     "List each folder once, before the loop, and pick from its names:",
     {"names = os.listdir(folder)    # before the loop, rather than glob in each turn",
      "wanted = fnmatch.filter(names, pattern)"}},
    {Language::shell,
     "List each folder once, before the loop:",
     {"names=(FOLDER/*)    # in bash, before the loop"}},
    {Language::packaged,
     "Have one run of PROGRAM look for all that is wanted, and remember what it found; or give it the names "
     "that it needs, rather than a folder with many:",
     {"find FOLDER -name A -o -name B > LIST"}},
};
constexpr Remedy map_remedies[] = {
    {Language::c,
     "Map the file once, before the loop, or in pieces of 64 MiB, and keep the mapping; where the file "
     "grows, set its length as rarely. Or move each piece without a mapping:",
     {"char* map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);", "pread(fd, buffer, size, offset);"}},
    {Language::python,
     "Map the file once, before the loop, and take slices of the mapping; or read each piece without one:",
     {"map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)",
      "piece = os.pread(file.fileno(), length, offset)"}},
    {Language::python,
     "With NumPy, map the whole array once:",
     {"array = numpy.memmap(path, dtype, \"r\", shape=shape)    # before the loop"}},
    {Language::script,
     "Map the file once and take slices of the mapping (in Java: channel.map(mode, 0, channel.size()), then "
     "slice(offset, length)), or read each piece at its place (channel.read(buffer, offset))."},
    {Language::packaged, "Look for an option of PROGRAM that has it read files instead of mapping them."},
};

constexpr OtherCalls other_calls[] = {
    {&PosixCounters::maps, "mmap and munmap", map_remedies},
    {&PosixCounters::truncates, "ftruncate, truncate and posix_fallocate", length_remedies},
    {&PosixCounters::unlinks, "unlink and remove", other_remedies},
    {&PosixCounters::renames, "rename", other_remedies},
    {&PosixCounters::directory_changes, "mkdir and rmdir", other_remedies},
    {&PosixCounters::directory_reads, "readdir", list_remedies},
    {&PosixCounters::links, "link, symlink and readlink", link_remedies},
    {&PosixCounters::attributes, "chmod, chown, utime, and extended attributes", file_attribute_remedies},
    {&PosixCounters::dups, "dup, dup2 and fcntl(F_DUPFD)", descriptor_remedies},
    {&PosixCounters::advices, "posix_fadvise, readahead and madvise", advice_remedies},
};

struct OtherMpiCalls {
    std::uint64_t MpiioCounters::*counter;
    std::string_view name;
};
constexpr OtherMpiCalls other_mpi_calls[] = {
    {&MpiioCounters::truncates, "MPI_File_preallocate and MPI_File_set_size"},
    {&MpiioCounters::views, "MPI_File_set_view"},
    {&MpiioCounters::unlinks, "MPI_File_delete"},
};

std::uint64_t calls_of(const Job& job, const OtherMpiCalls& one)
{
    std::uint64_t calls = 0;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::mpiio) calls += record[one.counter];
    return calls;
}

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
    std::uint64_t of_most = others / 2, counted = 0;
    for (const OtherCalls& one : other_calls) counted += calls_of(job, one);
    for (const OtherCalls& one : other_calls) {
        std::uint64_t calls = calls_of(job, one);
        if (are_mappings(&one)) calls += std::min(calls, others - std::min(others, counted));
        if (calls <= of_most) continue;
        most = &one;
        of_most = calls;
    }
    return most;
}

Mappings mappings_of(const Job& job)
{
    Mappings all;
    for (const RecordView& record : job.records) {
        if (record.layer != Layer::posix) continue;
        all.maps += record[&PosixRecord::maps];
        all.bytes += record[&PosixRecord::mapped_bytes];
    }
    return all;
}

std::string commonest_others(const Job& job, Layer layer)
{
    constexpr std::size_t enough = 3;
    std::vector<std::pair<std::uint64_t, std::string_view>> all;
    const auto add = [&](const auto& one) {
        if (const std::uint64_t calls = calls_of(job, one); calls > 0) all.emplace_back(calls, one.name);
    };
    if (layer == Layer::posix)
        for (const OtherCalls& one : other_calls) add(one);
    if (layer == Layer::mpiio)
        for (const OtherMpiCalls& one : other_mpi_calls) add(one);
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

std::span<const Remedy> remedies_on_lists()
{
    return list_remedies;
}

}  // namespace fathom
