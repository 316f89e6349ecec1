// The table of studies, and the report that they make up.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/studies/cover_line.h"
#include "analyzer/studies/figures.h"
#include "analyzer/studies/slices.h"
#include "analyzer/studies/study.h"

namespace fathom {
namespace {

bool always(const Job&)
{
    return true;
}
bool has_ranks(const Job& job)
{
    return !job.ranks.empty();
}
bool has_files(const Job& job)
{
    return !job.files.empty();
}
bool has_durations(const Job& job)
{
    return !job.log.rows<OperationTimes>().empty();
}
bool has_processes(const Job& job)
{
    return !job.mpi && job.ranks.size() > 1;
}
bool has_several(const Job& job)
{
    return job.ranks.size() > 1;
}
bool has_libraries(const Job& job)
{
    return !job.log.rows<LibraryCounter>().empty();
}
bool has_helpers(const Job& job)
{
    return !job.helpers.empty();
}

constexpr Study table[] = {
    {"summary", "In brief", has_ranks, summary},
    {"findings", "What made it slow", has_ranks, findings},
    {"job", "The job", always, job_facts},
    {"rate", "I/O rate", has_ranks, rates},
    {"modes", "I/O modes", has_files, io_modes},
    {"time", "Where the time went", has_ranks, time_use},
    {"ranks", "How evenly the I/O was shared", has_several, ranks},
    {"timeline", "I/O over time", has_slices, timeline},
    {"phases", "I/O phases", has_slices, phases},
    {"layers", "What each layer did", has_ranks, layer_tables},
    {"libraries", "What libraries were asked for", has_libraries, libraries},
    {"durations", "How long operations took", has_durations, durations},
    {"operation_clusters", "Quick and slow operations", has_durations, operation_clusters},
    {"calls", "Other calls than reads and writes", has_files, further_calls},
    {"sizes", "Access sizes", has_files, access_sizes},
    {"pattern", "Access pattern", has_files, access_pattern},
    {"mpiio_to_posix", "How MPI-IO's accesses became POSIX's", levels_differ, mpiio_to_posix},
    {"files", "Files", has_files, file_tables},
    {"file_systems", "File systems", has_files, file_systems},
    {"processes", "Processes", has_processes, processes},
    {"others", "Other processes", has_helpers, other_processes},
    {"invariants", "Does the log hold together", always, invariants},
};

std::string program_of(const Job& job)
{
    const auto& facts = job.log.rows<Fact>();
    const auto merged =
        std::count_if(facts.begin(), facts.end(), [](const Fact& fact) { return fact.name == "merged"; });
    if (merged > 1) return fmt::format("{} logs together", merged);
    if (const auto command = job.log.fact("command")) return std::string(*command);
    for (const Member& member : job.ranks)
        if (!member.process.program.empty()) return std::string(member.process.program);
    return "an unknown program";
}

}  // namespace

std::span<const Study> studies()
{
    return table;
}

report::Document make_report(const Job& job, const StudyChoice& choice)
{
    report::Document document;
    document.title = "The I/O of " + program_of(job);
    document.subtitle = cover_line(job);
    for (const Study& study : table) {
        if (!study.applies(job)) continue;
        Blocks blocks = study.run(job, choice);
        if (!blocks.empty())
            document.sections.push_back({std::string(study.id), std::string(study.title), std::move(blocks)});
    }
    return document;
}

}  // namespace fathom
