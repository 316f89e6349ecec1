// The table of sections, and the report that they make up.
#include "analyzer/book/book.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/findings/section.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/slices.h"
#include "analyzer/sections/overview/cover_line.h"
#include "analyzer/timing/models/sections.h"

namespace fathom {
namespace {

bool always(const Job&, const BookChoice&)
{
    return true;
}
bool has_ranks(const Job& job, const BookChoice&)
{
    return !job.ranks.empty();
}
bool has_files(const Job& job, const BookChoice&)
{
    return !job.files.empty();
}
bool has_time_bins(const Job& job, const BookChoice&)
{
    return has_slices(job);
}
bool has_two_levels(const Job& job, const BookChoice&)
{
    return levels_differ(job);
}
bool has_hints(const Job& job, const BookChoice&)
{
    return !job.log.rows<Hints>().empty();
}
bool has_durations(const Job& job, const BookChoice&)
{
    return !job.log.rows<OperationTimes>().empty();
}
bool has_model(const Job&, const BookChoice& choice)
{
    return choice.model != nullptr;
}
bool has_processes(const Job& job, const BookChoice&)
{
    return !job.mpi && job.ranks.size() > 1;
}
bool has_several(const Job& job, const BookChoice&)
{
    return job.ranks.size() > 1;
}
bool has_libraries(const Job& job, const BookChoice&)
{
    return !job.log.rows<LibraryCounter>().empty();
}
bool has_helpers(const Job& job, const BookChoice&)
{
    return !job.helpers.empty();
}

// A section that needs no more than the job.
template <Blocks (*section)(const Job&, const SectionChoice&)>
Blocks of(const Job& job, const BookChoice& choice)
{
    return section(job, choice.sections);
}
Blocks findings(const Job& job, const BookChoice&)
{
    return findings_section(job);
}
Blocks served(const Job& job, const BookChoice& choice)
{
    return served_section(job.log, *choice.model, choice.model_name);
}

constexpr BookRow rows[] = {
    {"summary", "In brief", has_ranks, of<summary>},
    {"findings", "What made it slow", has_ranks, findings},
    {"job", "The job", always, of<job_facts>},
    {"rate", "I/O rate", has_ranks, of<rates>},
    {"modes", "I/O modes", has_files, of<io_modes>},
    {"time", "Where the time went", has_ranks, of<time_use>},
    {"ranks", "How evenly the I/O was shared", has_several, of<ranks>},
    {"timeline", "I/O over time", has_time_bins, of<timeline>},
    {"phases", "I/O phases", has_time_bins, of<phases>},
    {"layers", "What each layer did", has_ranks, of<layer_tables>},
    {"libraries", "What libraries were asked for", has_libraries, of<libraries>},
    {"durations", "How long operations took", has_durations, of<durations>},
    {"operation_clusters", "Quick and slow operations", has_durations, of<operation_clusters>},
    {"served_from", "Where operations were served from", has_model, served},
    {"calls", "Other calls than reads and writes", has_files, of<further_calls>},
    {"sizes", "Access sizes", has_files, of<access_sizes>},
    {"pattern", "Access pattern", has_files, of<access_pattern>},
    {"mpiio_to_posix", "How MPI-IO's accesses became POSIX's", has_two_levels, of<mpiio_to_posix>},
    {"mpi_hints", "Hints to MPI-IO", has_hints, of<mpi_hints>},
    {"files", "Files", has_files, of<file_tables>},
    {"file_systems", "File systems", has_files, of<file_systems>},
    {"processes", "Processes", has_processes, of<processes>},
    {"others", "Other processes", has_helpers, of<other_processes>},
    {"invariants", "Does the log hold together", always, of<invariants>},
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

std::span<const BookRow> book_rows()
{
    return rows;
}

report::Document make_report(const Job& job, const BookChoice& choice)
{
    report::Document document;
    document.title = "The I/O of " + program_of(job);
    document.subtitle = cover_line(job);
    for (const BookRow& row : rows) {
        if (!row.applies(job, choice)) continue;
        Blocks blocks = row.write(job, choice);
        if (!blocks.empty())
            document.sections.push_back({std::string(row.id), std::string(row.title), std::move(blocks)});
    }
    return document;
}

}  // namespace fathom
