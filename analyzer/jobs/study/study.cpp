// The table of sections, and what each of them needs of the database.
#include "analyzer/jobs/study/study.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/sections.h"

namespace fathom::jobs {
namespace {

using namespace report;

enum class Need : std::uint8_t { nothing, files, layers, sharing, modes, large_jobs, findings, costs };

// What a section cannot do without: rows of this, and what is said where there are none.
struct NeedWords {
    Need need;
    std::string (*rows)(const Site& site);
    std::string_view sentence;
};

std::string parts_of_runs(const Site& site, std::string_view table)
{
    return fmt::format("select 1 from {0} join @jobs on jobs.id = {0}.job where {1}", table, site.runs());
}

const NeedWords needs[] = {
    {Need::files,
     [](const Site& site) { return "select 1 from @jobs where jobs.files is not null and " + site.runs(); },
     "No log here says how many files there were."},
    {Need::layers, [](const Site& site) { return parts_of_runs(site, "job_layers"); },
     "No run here did I/O on files."},
    {Need::sharing, [](const Site& site) { return parts_of_runs(site, "job_sharing"); },
     "No run here moved data of files."},
    {Need::modes, [](const Site& site) { return parts_of_runs(site, "job_modes"); },
     "No run here moved data of files."},
    {Need::large_jobs, [](const Site& site) { return "select 1 from @jobs where " + site.large_runs(); },
     "No run here is that large; --large-processes and --large-bytes set from where on one is."},
    {Need::findings, [](const Site& site) { return parts_of_runs(site, "job_findings"); },
     "Nothing was found that made a run slow."},
    {Need::costs,
     [](const Site& site) {
         return "select 1 from @jobs where jobs.finding_cost_ns > 0 and jobs.processes > 0 and " +
                site.runs();
     },
     "No finding of these runs has a known cost."},
};

struct StudySection {
    std::string_view id, title;
    Need need;
    Blocks (*make)(Study& study);
    // What the numbers are, and where they come from.
    std::string_view definition, paper, place;
};

constexpr std::string_view carns = "Carns et al. 2011, ", yang = "Yang et al. 2019 (Beacon), ",
                           ours = "Fathom's own";

constexpr StudySection study_sections[] = {
    {"coverage", "Coverage", Need::nothing, study_coverage,
     "A job is an allocation of the batch system; it has a log if any of its runs has one. Core-hours are "
     "its cores times its duration. A run is one start of a program that has a log; APIs are those that "
     "runs called: P POSIX, S stdio streams, M MPI-IO, H HDF5, N PnetCDF.",
     carns, "table II"},
    {"interfaces", "Interfaces by job size", Need::layers, study_interfaces,
     "Of the runs of each size, in processes: how many used the interface, and what part of all files and "
     "bytes went through it, as the program called it: POSIX beneath MPI-IO counts as MPI-IO. Shares of "
     "runs add up to more than 100 %: a run may use several. HDF5 and PnetCDF have the files and bytes of "
     "the runs that used them, which the other interfaces have too.",
     carns, "figure 3a"},
    {"sharing", "Access modes by job size", Need::sharing, study_sharing,
     "A file is unique where one process moved its data, shared where all of the run did, partly shared "
     "in between. A file that was both read and written counts in both directions.",
     carns, "figure 3b"},
    {"volumes", "Bytes read and written", Need::nothing, study_volumes,
     "Bytes as the programs asked for them.", carns, "figure 4"},
    {"file_counts", "Files by job size", Need::files, study_file_counts,
     "A point a run: distinct regular files that it used, and its processes. Runs whose points lie on "
     "each other give one.",
     carns, "figure 5"},
    {"access_sizes", "Access sizes", Need::layers, study_access_sizes,
     "Reads and writes of POSIX and stdio, by size. One dominates a size where it made half or more of "
     "these accesses and they are a tenth or more of all reads, or of all writes.",
     carns, "figure 10"},
    {"created_files", "Files that were made or emptied", Need::nothing, study_created_files,
     "Of the files to which a run wrote data, those that it created or that it emptied when it opened them.",
     carns, "section 4.3"},
    {"rates", "Performance of large runs", Need::large_jobs, study_rates,
     "MiB/s/CN: bytes over the time in I/O of the slowest rank, by compute node. Quartiles lie between "
     "the two nearest runs in proportion (type 7 of Hyndman and Fan, as in R).",
     carns, "section 2.4, figure 11"},
    {"large_jobs", "I/O of large runs", Need::large_jobs, study_large_jobs,
     "Each number is a mean over runs, each of which counts the same. Metadata is its part of the time in "
     "reads, writes and metadata calls of all processes; creates are files written that the run made or "
     "emptied; of POSIX accesses sequential ones begin no earlier than the one before ended; aligned ones "
     "begin at a "
     "multiple of the file's block size.",
     carns, "table VI"},
    {"large_sizes", "Access sizes of large runs", Need::large_jobs, study_large_sizes,
     "Parts of the reads, and of the writes, of all large runs of each, by POSIX and stdio.", carns,
     "figure 12"},
    {"by_performance", "Runs by performance", Need::large_jobs, study_by_performance,
     "Large runs from the fastest to the slowest, at even distances in that order. The key access size is "
     "the commonest one of POSIX and stdio; r, w or r+w says where accesses of its size class were.",
     carns, "table VII"},
    {"by_job_size", "Performance by job size", Need::large_jobs, study_by_job_size,
     "Means of MiB/s/CN over the large runs of the program on so many nodes.", carns, "table VIII"},
    {"core_hours", "Volume by core-hours", Need::nothing, study_core_hours,
     "Means over jobs that moved more than 200 MB. All runs of an allocation are one job, of the "
     "allocation's cores times its duration; a run without an allocation is one of its processes times "
     "its run time. 1 GB is 10^9 bytes.",
     yang, "table 3"},
    {"io_modes", "I/O modes", Need::modes, study_io_modes,
     "N-N: files of one process each, of all processes; N-M: of some, or shared by some; N-1: files that "
     "all share; 1-1: one process alone moves data. Runs that moved more than 200 MB; one with several "
     "modes counts in each. Means are over the runs of the mode, and 1 GB is 10^9 bytes.",
     yang, "table 4 and figure 9"},
    {"findings", "Hours lost to findings", Need::findings, study_findings,
     "Core-hours lost are the run time that a finding costs, times the processes, which wait for it "
     "together; node-hours, times the nodes. Causes overlap: the rows do not add up. `fathom report LOG` "
     "has the reasons.",
     ours, ""},
    {"repairs", "What would give back most", Need::costs, study_repairs,
     "By the costliest finding of each run: its cost times the processes of the run, added up over the "
     "runs of a program. Costs are estimates.",
     ours, ""},
};

bool has(Site& site, Need need, std::string_view& sentence)
{
    for (const NeedWords& words : needs)
        if (words.need == need && !site.any(words.rows(site))) {
            sentence = words.sentence;
            return false;
        }
    return true;
}

Section section_of(Study& study, const StudySection& row)
{
    Section section{std::string(row.id), std::string(row.title), {}};
    std::string_view why_not;
    if (has(study.site, row.need, why_not))
        section.blocks = row.make(study);
    else
        section.blocks.push_back(Paragraph{std::string(why_not)});
    section.blocks.push_back(
        Paragraph{fmt::format("Definition: {} Source: {}{}.", row.definition, row.paper, row.place)});
    return section;
}

// "from 2010-01-23 to 2010-03-26"
std::string days_of(Site& site, std::uint64_t& runs)
{
    std::string words;
    site.each("nnn",
              "select count(*), min(case when jobs.start_ns > 0 then jobs.start_ns end), max(jobs.start_ns) "
              "from @jobs where " +
                  site.runs(),
              [&](const AskedRow& row) {
                  runs = row.count(0);
                  if (row.number(2) <= 0) return;
                  constexpr std::size_t date = 10;
                  const std::string first = format_instant(row.count(1)).substr(0, date),
                                    last = format_instant(row.count(2)).substr(0, date);
                  words = first == last ? " on " + first : fmt::format(" from {} to {}", first, last);
              });
    return words;
}

}  // namespace

report::Document make_study(Database& database, const StudyChoice& choice, const Tick& tick)
{
    Study study(database, choice);
    std::uint64_t runs = 0, done = 0;
    const std::string days = days_of(study.site, runs);
    study.site.groups();  // so that no name is looked up in the midst of an answer
    Document document;
    document.title = "The I/O of a site";
    document.subtitle = counted(runs, "run", "runs") + " with a log" + days;
    for (const StudySection& row : study_sections) {
        tell_progress(tick, done++, std::size(study_sections));
        // Without runs there is nothing but what accounting has.
        if (runs > 0 || row.make == study_coverage) document.sections.push_back(section_of(study, row));
    }
    return document;
}

}  // namespace fathom::jobs
