// Page faults of mapped files that wait for the disk: I/O that no call shows.
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// Loading a program takes some too.
constexpr std::uint64_t few_faults = 200, few_of_large_mapping = 50, large_mapping = 64 << 20;
// ns that a fault takes at most, as far as is taken for granted: more of the time without calls may be sleep.
constexpr double longest_fault = 200e3, slow_fault = 10e6;

// ns of CPU time that the kernel takes for a fault that waits for the disk; assumed: at least, and at most in
// a virtual machine.
constexpr double computed_fault = 10e3, most_computed_fault = 70e3;
// ns that such a fault waits at least. The kernel counts those of holes as well, and of pages behind the old
// end of a file that was made longer: they are filled with zeros, and nothing waits.
constexpr double quickest_fault = 5e3;

struct Faults {
    std::uint64_t number = 0;
    double waited = 0, cost = 0, least = 0;  // s
};

// Of one process: what was neither CPU time, nor waiting for a core, nor inside of I/O calls.
double waited_elsewhere(const Member& member)
{
    const auto known =
        static_cast<double>(member.process.cpu_time + member.process.core_wait + member.time().total());
    return std::max(static_cast<double>(member.run_time()) - known, 0.0);
}

Faults faults_of(const Scene& scene, std::uint64_t few)
{
    Faults all;
    double sum = 0, most = 0, least_sum = 0, least_most = 0;
    for (const Member& member : scene.job.ranks) {
        const Process& process = member.process;
        if (process.major_faults < few || process.cpu_time == 0) continue;
        const auto faults = static_cast<double>(process.major_faults);
        const double waited = waited_elsewhere(member);
        // With several threads, time on the CPU is no part of the time that passed.
        if (process.threads <= 1 && waited < quickest_fault * faults) continue;
        const auto cpu = static_cast<double>(process.cpu_time);
        const double lost =
                         std::min(waited, slow_fault * faults) + std::min(most_computed_fault * faults, cpu),
                     surely =
                         std::min(waited, longest_fault * faults) + std::min(computed_fault * faults, cpu);
        all.number += process.major_faults;
        all.waited += waited / 1e9;
        sum += lost / 1e9;
        most = std::max(most, lost / 1e9);
        least_sum += surely / 1e9;
        least_most = std::max(least_most, surely / 1e9);
    }
    all.cost = scene.job.mpi ? most : sum / scene.at_a_time;
    all.least = scene.job.mpi ? least_most : least_sum / scene.at_a_time;
    return all;
}

struct Mapped {
    const FileUse* file = nullptr;
    std::uint64_t bytes = 0, touched = 0, random_advices = 0;

    // So much of it was touched that to read all of it takes no longer than these faults: 32 KiB take as long
    // as one of them.
    bool is_gone_through() const { return touched >= bytes / 8; }
};

Mapped most_mapped(const Scene& scene)
{
    Mapped most;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            const std::uint64_t bytes = record[&PosixRecord::mapped_bytes];
            if (bytes > most.bytes)
                most = {file.use, bytes,
                        record[&PosixRecord::map_bytes_read] + record[&PosixRecord::map_bytes_written],
                        record[&PosixRecord::random_advices]};
        }
    return most;
}

constexpr Remedy go_through_remedies[] = {
    {Language::c,
     "Read it in requests of some MiB instead of mapping it:",
     {"pread(fd, buffer, 4 << 20, offset);"}},
    {Language::c,
     "Or have the region read ahead before it is used:",
     {"madvise(map, length, MADV_WILLNEED);"}},
    {Language::python,
     "With NumPy, read the array instead of mapping it:",
     {"array = numpy.fromfile(path, dtype)"}},
    {Language::python,
     "Or have the region read ahead before it is used:",
     {"map.madvise(mmap.MADV_WILLNEED)"}},
    {Language::script, "Read the file instead of mapping it."},
    {Language::packaged, "Look for an option of PROGRAM that has it read files instead of mapping them."},
};
constexpr Remedy here_and_there_remedies[] = {
    {Language::c,
     "It uses a little here and there: have no more read than that:",
     {"madvise(map, length, MADV_RANDOM);"}},
    {Language::c,
     "Or use it in the order in which it lies in the file; where the places are known beforehand, have each "
     "read ahead:",
     {"madvise(map + offset, length, MADV_WILLNEED);"}},
    {Language::python,
     "It uses a little here and there: have no more read than that:",
     {"map.madvise(mmap.MADV_RANDOM)"}},
    {Language::script, "Use the file in the order in which it lies, or read the part that is used."},
    {Language::packaged, "Look for an option of PROGRAM that has it read files instead of mapping them."},
};

}  // namespace

MaybeFinding mapped_faults(const Scene& scene)
{
    const Mapped most = most_mapped(scene);
    const Faults faults = faults_of(scene, most.bytes >= large_mapping ? few_of_large_mapping : few_faults);
    if (faults.number == 0 || most.file == nullptr) return {};
    // It does what there is to do.
    if (most.random_advices > 0 && !most.is_gone_through()) return {};
    Finding finding;
    finding.title =
        fmt::format("{} page faults of mapped files waited for the disk", format_count(faults.number));
    finding.cost = seconds(faults.cost);
    if (faults.least < faults.cost) finding.cost_least = faults.least;
    finding.cost_basis = fmt::format(
        "the time that the {} were neither computing, nor in I/O calls, nor waiting for a core; no more than "
        "{} a fault, as flash memory takes, or {} on a slow disk; and {} of computing for each, or {} in a "
        "virtual machine, which is assumed",
        scene.members(), format_seconds(longest_fault / 1e9), format_seconds(slow_fault / 1e9),
        format_seconds(computed_fault / 1e9), format_seconds(most_computed_fault / 1e9));
    finding.confidence = Confidence::low;
    finding.evidence = {{"major_faults", "page faults that read from the disk", count(faults.number), ""},
                        {"waited", "time outside of I/O calls and off the CPU", seconds(faults.waited),
                         "in which these faults lie"},
                        {"file", "largest mapping", path(most.file->path), ""}};
    finding.why = "Each fault brings a page or some, and the program stands still until they are there.";
    finding.doubt =
        "A program that sleeps or waits for others: then the faults took less. Memory that was swapped out, "
        "whose faults count as well.";
    finding.advice =
        advice_in(program_of(scene.job), most.is_gone_through() ? std::span<const Remedy>(go_through_remedies)
                                                                : here_and_there_remedies);
    if (most.random_advices > 0) {
        finding.title += ", after madvise(MADV_RANDOM)";
        finding.confidence = Confidence::medium;
        finding.advice.insert(finding.advice.begin(),
                              Advice{"Leave out madvise(MADV_RANDOM), which keeps the system from reading "
                                     "ahead: much of the mapping is used:",
                                     {"madvise(map, length, MADV_SEQUENTIAL);"}});
    }
    return finding;
}

}  // namespace fathom
