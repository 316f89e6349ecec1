// The table of sections, and the report that they make up with the first page before them.
#include "analyzer/book/book.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/book/first_page.h"
#include "analyzer/findings/section.h"
#include "analyzer/job/datasets.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/slices.h"
#include "analyzer/job/who.h"
#include "analyzer/sections/overview/circumstances.h"
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
    return has_datasets(job.log);
}
bool has_system(const Job& job, const BookChoice&)
{
    return job.system != nullptr;
}
bool has_kind(const Job& job, const BookChoice&)
{
    return job.slowdown != nullptr;
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

constexpr bool on_first_page = true;

constexpr BookRow rows[] = {
    {"summary", "Summary", has_ranks, of<summary>, on_first_page},
    {"findings", "What to change", has_ranks, findings, on_first_page},
    {"slowdown", "Beside runs of its kind", has_kind, of<beside_kind>},
    {"time", "Where the time went", has_ranks, of<time_use>},
    {"rate", "I/O rate", has_ranks, of<rates>},
    {"ranks", "How evenly the I/O was shared", has_several, of<ranks>},
    {"timeline", "I/O over time", has_time_bins, of<timeline>, on_first_page},
    {"phases", "I/O phases", has_time_bins, of<phases>},
    {"modes", "I/O modes", has_files, of<io_modes>},
    {"files", "Files", has_files, of<file_tables>},
    {"file_systems", "File systems", has_files, of<file_systems>},
    {"system", "Servers and devices", has_system, of<system_load>},
    {"layers", "Counters by layer", has_ranks, of<layer_tables>},
    {"sizes", "Request sizes", has_files, of<access_sizes>, on_first_page},
    {"pattern", "Access pattern", has_files, of<access_pattern>},
    {"calls", "Metadata operations", has_files, of<further_calls>},
    {"durations", "How long operations took", has_durations, of<durations>},
    {"operation_clusters", "Quick and slow operations", has_durations, of<operation_clusters>},
    {"served_from", "Where operations were served from", has_model, served},
    {"mpiio_to_posix", "From MPI-IO to POSIX", has_two_levels, of<mpiio_to_posix>},
    {"mpi_hints", "MPI-IO hints", has_hints, of<mpi_hints>},
    {"libraries", "I/O libraries", has_libraries, of<libraries>},
    {"processes", "Processes", has_processes, of<processes>},
    {"others", "Other processes", has_helpers, of<other_processes>},
    {"job", "Job metadata", always, of<job_facts>},
    {"invariants", "Consistency checks", always, of<invariants>},
};

std::string title_of(const Job& job)
{
    const auto& facts = job.log.rows<Fact>();
    const auto merged =
        std::count_if(facts.begin(), facts.end(), [](const Fact& fact) { return fact.name == "merged"; });
    if (merged > 1) return fmt::format("{} logs together", merged);
    const std::string command = command_of(job);
    return command.empty() ? "an unknown program" : command;
}

}  // namespace

std::span<const BookRow> book_rows()
{
    return rows;
}

report::Document make_report(const Job& job, const BookChoice& choice)
{
    report::Document document;
    document.title = title_of(job);
    document.subtitle = fmt::format("{}", fmt::join(circumstances_of(job), ", "));
    for (const BookRow& row : rows) {
        if (!row.applies(job, choice) || (choice.brief && !row.on_first_page)) continue;
        Blocks blocks = row.write(job, choice);
        if (!blocks.empty())
            document.sections.push_back({std::string(row.id), std::string(row.title), std::move(blocks)});
    }
    document.first = std::make_shared<report::FirstPage>(first_page_of(job, document.sections));
    if (choice.brief)
        std::erase_if(document.sections, [](const report::Section& one) { return is_shown(one); });
    return document;
}

}  // namespace fathom
