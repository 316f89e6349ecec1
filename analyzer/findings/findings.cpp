// The table of rules, and what of their findings is worth reporting.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/shared_seconds.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

bool times_syncs(const Job& job)
{
    return tells(job.log, Layer::posix, &Transfers::sync_time);
}
bool knows_faults(const Job& job)
{
    return job.log.recorded(&Process::major_faults);
}
bool knows_advice(const Job& job)
{
    return tells(job.log, &PosixCounters::random_advices);
}
bool knows_creates(const Job& job)
{
    return tells(job.log, &PosixCounters::creates);
}
bool knows_polls(const Job& job)
{
    return job.log.recorded(&Process::polls);
}
bool times_locks(const Job& job)
{
    return tells(job.log, &PosixCounters::lock_time);
}
bool times_writes_in_slices(const Job& job)
{
    return !job.log.rows<Slice>().empty() && job.log.recorded(&Slice::write_time);
}
bool knows_mpiio(const Job& job)
{
    return tells(job.log, Layer::mpiio, &Transfers::opens);
}
bool knows_views(const Job& job)
{
    return tells(job.log, &MpiioCounters::views);
}
bool knows_nodes(const Job& job)
{
    return job.nodes() > 0;
}
bool knows_datasets(const Job& job)
{
    return job.log.recorded(table_name<DatasetRecord>(), counter_name(&DatasetCounters::read_time_beneath));
}
bool knows_servers(const Job& job)
{
    return !job.log.rows<Layout>().empty();
}

constexpr FindingRule rules[] = {
    {.id = "small_requests",
     .looks_for = "many reads or writes of less than 100 KiB",
     .look = small_requests,
     .rests_on_writes = true},
    {.id = "small_messages",
     .looks_for = "small messages through pipes, FIFOs and terminals",
     .look = small_messages,
     .rests_on_slowest = false},
    {.id = "misaligned",
     .looks_for = "requests that cross block boundaries out of step",
     .look = misaligned,
     .rests_on_writes = true},
    {.id = "random_access",
     .looks_for = "reads or writes here and there",
     .look = random_access,
     .rests_on_writes = true},
    {.id = "no_read_ahead",
     .looks_for = "reads in order of a file of which the program said that it reads here and there",
     .look = no_read_ahead,
     .needs = {"advice against reading ahead", knows_advice}},
    {.id = "redundant_reads", .looks_for = "the same data read several times", .look = redundant_reads},
    {.id = "metadata_bound",
     .looks_for = "most of the I/O time in opens, stats and the like",
     .look = metadata_bound},
    {.id = "many_files", .looks_for = "many files that hold little each", .look = many_files},
    {.id = "listed_again", .looks_for = "a folder listed again and again", .look = listed_again},
    {.id = "many_processes",
     .looks_for = "a short-lived program started again and again",
     .look = many_processes,
     .rests_on_slowest = false},
    {.id = "rewritten_by_tool",
     .looks_for = "a tool started for each change of a file, which it writes anew",
     .look = rewritten_by_tool,
     .rests_on_slowest = false},
    {.id = "compared_by_reading",
     .looks_for = "files that are read whole only to compare them",
     .look = compared_by_reading,
     .rests_on_slowest = false},
    {.id = "copied_again",
     .looks_for = "one file copied for each task of a script",
     .look = copied_again,
     .rests_on_slowest = false},
    {.id = "small_statements",
     .looks_for = "an element or a short record in each read and write of Fortran",
     .look = small_statements,
     .rests_on_slowest = false},
    {.id = "compressed_between",
     .looks_for = "files compressed by one step of a script, and decompressed by another",
     .look = compressed_between,
     .rests_on_slowest = false},
    {.id = "chained_steps",
     .looks_for = "files that one step of a script hands on to the next, by a tool that can do both at once",
     .look = chained_steps,
     .rests_on_slowest = false},
    {.id = "steps_by_files",
     .looks_for = "files that one step of a script writes and the next one reads, which pipes could join",
     .look = steps_by_files,
     .rests_on_slowest = false},
    {.id = "unpacked_in_vain",
     .looks_for = "archives that are unpacked whole, and copies, that are used in part",
     .look = unpacked_in_vain,
     .rests_on_slowest = false},
    {.id = "repeated_runs",
     .looks_for = "a tool run again on the same files, with the same result",
     .look = repeated_runs,
     .rests_on_slowest = false},
    {.id = "started_by_ranks",
     .looks_for = "packaged programs that ranks start and wait for",
     .look = started_by_ranks,
     .rests_on_slowest = false},
    {.id = "many_launches",
     .looks_for = "one MPI program started again and again",
     .look = many_launches,
     .rests_on_slowest = false},
    {.id = "slow_loading",
     .looks_for = "programs that take long to load their libraries",
     .look = slow_loading,
     .rests_on_slowest = false},
    {.id = "best_compression",
     .looks_for = "files compressed by gzip's best level",
     .look = best_compression,
     .rests_on_slowest = false},
    {.id = "compressed_in_vain",
     .looks_for = "files that are as large compressed as they were",
     .look = compressed_in_vain,
     .rests_on_slowest = false},
    {.id = "open_close_churn",
     .looks_for = "the same files opened again and again",
     .look = open_close_churn},
    {.id = "stragglers",
     .looks_for = "one rank much slower than the others",
     .look = stragglers,
     .rests_on_slowest = false},
    {.id = "byte_imbalance",
     .looks_for = "one rank that moves much more than the others",
     .look = byte_imbalance,
     .rests_on_slowest = false},
    {.id = "uneven_files",
     .looks_for = "many files of which one rank has most to open",
     .look = uneven_files,
     .rests_on_slowest = false},
    {.id = "ranks_by_turns",
     .looks_for = "ranks that do their I/O one after the other",
     .look = ranks_by_turns,
     .rests_on_slowest = false},
    {.id = "threads_by_turns",
     .looks_for = "threads that read one after the other",
     .look = threads_by_turns,
     .rests_on_slowest = false},
    {.id = "single_process",
     .looks_for = "one rank that does the I/O of all",
     .look = single_process,
     .rests_on_slowest = false},
    {.id = "no_collectives",
     .looks_for = "small independent MPI-IO on shared files",
     .look = no_collectives,
     .rests_on_writes = true,
     .needs = {"how MPI-IO was used", knows_mpiio}},
    {.id = "stdio_bulk",
     .looks_for = "much data in small pieces through stdio",
     .look = stdio_bulk,
     .rests_on_writes = true},
    {.id = "frequent_syncs",
     .looks_for = "fsync, fdatasync or fflush after every few bytes",
     .look = frequent_syncs,
     .needs = {"frequent syncs", times_syncs}},
    {.id = "synced_by_tool",
     .looks_for = "sync run again and again by a script",
     .look = synced_by_tool,
     .rests_on_slowest = false},
    {.id = "lock_waits",
     .looks_for = "time spent waiting for locks on files",
     .look = lock_waits,
     .needs = {"waiting for locks", times_locks}},
    {.id = "polling",
     .looks_for = "sleeping until a file is there, or gone, that another process makes or removes",
     .look = polling,
     .rests_on_slowest = false,
     .needs = {"sleeping between two looks for a file", knows_polls}},
    {.id = "polled_by_shell",
     .looks_for = "a shell that sleeps until a file is there",
     .look = polled_by_shell,
     .rests_on_slowest = false},
    {.id = "locked_by_shell",
     .looks_for = "shells that sleep until a lock is free",
     .look = locked_by_shell,
     .rests_on_slowest = false},
    {.id = "bursts",
     .looks_for = "all ranks waiting for their writes at the same moments",
     .look = bursts,
     .rests_on_writes = true,
     .rests_on_slowest = false,
     .needs = {"bursts of writes", times_writes_in_slices}},
    {.id = "aggregators",
     .looks_for = "collective MPI-IO that too few ranks do, or that is not put together",
     .look = aggregators,
     .rests_on_writes = true,
     .needs = {"too few aggregators for the nodes", knows_nodes}},
    {.id = "many_views",
     .looks_for = "views of MPI-IO set again and again",
     .look = many_views,
     .needs = {"views of MPI-IO", knows_views}},
    {.id = "collective_exchange",
     .looks_for = "collective MPI-IO that spends its time between ranks, not in the file system",
     .look = collective_exchange,
     .needs = {"what passed between ranks in collective MPI-IO", knows_mpiio}},
    {.id = "slow_server",
     .looks_for = "one server of Lustre's much slower than the others",
     .look = slow_server,
     .rests_on_slowest = false,
     .needs = {"slow servers", knows_servers}},
    {.id = "uneven_stripes",
     .looks_for = "files on fewer servers than would help, or servers with unequal shares",
     .look = uneven_stripes,
     .rests_on_writes = true,
     .needs = {"unequal servers", knows_servers}},
    {.id = "read_modify_write",
     .looks_for = "data read only in order to write it again",
     .look = read_modify_write},
    {.id = "updates_in_place",
     .looks_for = "small writes here and there into a file whose blocks have to be read first",
     .look = updates_in_place,
     .rests_on_writes = true,
     .needs = {"writes into blocks that have to be read first", knows_creates}},
    {.id = "written_again",
     .looks_for = "the same place of a file written several times, one after the other",
     .look = written_again,
     .rests_on_writes = true},
    {.id = "written_by_all",
     .looks_for = "a file that each rank writes whole",
     .look = written_by_all,
     .rests_on_writes = true},
    {.id = "text_data", .looks_for = "numbers that go through a file as text", .look = text_data},
    {.id = "preallocated",
     .looks_for = "files that MPI_File_preallocate writes before the program does",
     .look = preallocated,
     .needs = {"how MPI-IO was used", knows_mpiio}},
    {.id = "fill_values",
     .looks_for = "fill values of HDF5 and NetCDF that the program writes over",
     .look = fill_values,
     .rests_on_writes = true},
    {.id = "replaced_unread",
     .looks_for = "a file written whole again and again, which nobody reads",
     .look = replaced_unread,
     .needs = {"states written again and again", knows_creates}},
    {.id = "temporary_files",
     .looks_for = "data that go through a file and are gone",
     .look = temporary_files},
    {.id = "copied_not_renamed",
     .looks_for = "files copied where they could be renamed",
     .look = copied_not_renamed,
     .needs = {"files copied rather than renamed", knows_creates}},
    {.id = "merged_parts",
     .looks_for = "files that ranks write, and one of them reads and writes again into another",
     .look = merged_parts,
     .rests_on_writes = true},
    {.id = "files_as_messages",
     .looks_for = "small files that ranks use as messages",
     .look = files_as_messages,
     .rests_on_slowest = false},
    {.id = "read_back", .looks_for = "what a process wrote, read back by itself", .look = read_back},
    {.id = "mapped_faults",
     .looks_for = "page faults of mapped files that wait for the disk",
     .look = mapped_faults,
     .rests_on_slowest = false,
     .needs = {"page faults of mapped files", knows_faults}},
    {.id = "ill_server",
     .looks_for = "one server, brick or device much slower than the others, by the site's series (--system)",
     .look = ill_server,
     .rests_on_slowest = false},
    {.id = "busy_servers",
     .looks_for = "servers at their limit, most of it for others, by the site's series (--system)",
     .look = busy_servers,
     .rests_on_slowest = false},
    {.id = "small_chunks",
     .looks_for = "datasets of HDF5 in chunks so small that each access becomes many",
     .look = small_chunks,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "small_selections",
     .looks_for = "datasets of HDF5 and variables of PnetCDF read or written a few values at a time",
     .look = small_selections,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "chunks_again",
     .looks_for = "chunks of HDF5 that are read and decompressed, or compressed and written, several times",
     .look = chunks_again,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "unseen_chunks",
     .looks_for = "chunks of HDF5, linked statically, that are read and written several times",
     .look = unseen_chunks,
     .rests_on_writes = true},
    {.id = "unfit_chunks",
     .looks_for = "chunks of HDF5 that are read whole for a small part of what they hold",
     .look = unfit_chunks,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "unfit_layout",
     .looks_for = "datasets of HDF5 that are read across the order in which they lie",
     .look = unfit_layout,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "loaded_whole",
     .looks_for = "files of HDF5 that each open reads whole into memory",
     .look = loaded_whole,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "library_flushes",
     .looks_for = "HDF5 and PnetCDF flushing a file after every few writes",
     .look = library_flushes,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "many_datasets",
     .looks_for = "datasets of HDF5 by the hundred, with little in each",
     .look = many_datasets,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "many_attributes",
     .looks_for = "attributes of HDF5 by the thousand",
     .look = many_attributes,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "costly_filters",
     .looks_for = "filters of HDF5 that take time and make data no smaller",
     .look = costly_filters,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "deflate_level",
     .looks_for = "datasets of HDF5 that are compressed with deflate's slow levels",
     .look = deflate_level,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "fancy_selection",
     .looks_for = "selections of HDF5 that are joined of a list of places",
     .look = fancy_selection,
     .rests_on_slowest = false,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "converted_values",
     .looks_for = "datasets of HDF5 whose values it converts one by one",
     .look = converted_values,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "independent_datasets",
     .looks_for = "small independent reads or writes of datasets that ranks share",
     .look = independent_datasets,
     .rests_on_writes = true,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "moved_header",
     .looks_for = "PnetCDF or NetCDF moving all data because a file's header grew",
     .look = moved_header,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "netcdf_buffer",
     .looks_for = "variables of classic NetCDF that netCDF's buffer moves in small blocks",
     .look = netcdf_buffer,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "metadata_by_all",
     .looks_for = "ranks that each read what describes the objects of a shared file of HDF5",
     .look = metadata_by_all,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
    {.id = "opened_together",
     .looks_for = "files of one rank that all ranks open together",
     .look = opened_together},
    {.id = "slow_storage",
     .looks_for = "large requests, and a device that is slow all the same",
     .look = slow_storage,
     .rests_on_writes = true},
};

bool far_apart(const SlowestTime& slowest)
{
    return static_cast<double>(slowest.most()) > 1.1 * static_cast<double>(slowest.least);
}

// What is wrong with the log, and what it cannot show, makes every finding from it less sure.
void add_doubts(const Scene& scene, const FindingRule& rule, report::Finding& finding)
{
    const Job& job = scene.job;
    std::string reasons;
    if (!job.log.problems.empty()) reasons += " The log is damaged: what is missing from it may change this.";
    if (job.calls_missed() > 0) reasons += " Some calls could not be counted: they may change this.";
    if (scene.use.impossible)
        reasons +=
            source_of(job.log).times_may_be_wrong
                ? " The time in I/O is longer than the run: unless threads did I/O side by side, times "
                  "in the log are wrong."
                : " Times in the log are wrong: a process was longer in I/O than its threads existed, "
                  "or ended before it started.";
    else if (scene.use.overlapping)
        reasons +=
            " Threads did I/O at the same time: the time in which any of them did is shared out among "
            "their calls.";
    if (scene.use.slowest && far_apart(*scene.use.slowest) && rule.rests_on_slowest)
        reasons += fmt::format(
            " The log does not have each rank's time: the slowest is taken to have spent {} in I/O, which it "
            "did at least; it may be up to {}.",
            report::format_seconds(static_cast<double>(scene.use.slowest->least) / 1e9),
            report::format_seconds(static_cast<double>(scene.use.slowest->most()) / 1e9));
    if (scene.syncs_in_writes && rule.rests_on_writes)
        reasons += " The time in writes includes that of syncs, which the log does not separate.";
    if (reasons.empty()) return;
    if (scene.use.impossible) finding.confidence = report::Confidence::low;
    if (finding.confidence != report::Confidence::low)
        finding.confidence = static_cast<report::Confidence>(static_cast<int>(finding.confidence) - 1);
    finding.doubt += reasons;
}

// Of short runs: what somebody feels, and less where it is this part of the run.
constexpr double felt_seconds = 0.12, felt_share = 0.1;

}  // namespace

double least_worthy(double run)
{
    return std::max({worthy_seconds, worthy_share * run, std::min(felt_seconds, felt_share * run)});
}

std::string least_worthy_in_words(double run)
{
    const double least = least_worthy(run);
    for (const double share : {worthy_share, felt_share})
        if (least <= share * run) return report::format_share(share) + " of the run";
    return report::format_seconds(least);
}

std::span<const FindingRule> finding_rules()
{
    return rules;
}

std::vector<report::Finding> findings_of(const Job& job)
{
    return findings_of(Scene(job));
}

std::optional<report::Finding> costliest_below(const Scene& scene)
{
    constexpr double worth_a_word = 1e-3;  // s
    std::optional<report::Finding> costliest;
    for (const FindingRule& rule : rules) {
        const auto finding = rule.look(scene);
        if (!finding || !(cost_of(*finding) > worth_a_word) || cost_of(*finding) >= least_worthy(scene.run))
            continue;
        if (!costliest || cost_of(*finding) > cost_of(*costliest)) costliest = *finding;
    }
    return costliest;
}

std::vector<report::Finding> findings_of(const Scene& scene)
{
    std::vector<Found> found;
    const double least = least_worthy(scene.run);
    for (const FindingRule& rule : rules) {
        auto finding = rule.look(scene);
        if (!finding || !finding->cost.known() || cost_of(*finding) < least) continue;
        finding->id = rule.id;
        if (cost_of(*finding) > scene.run) finding->cost = report::seconds(scene.run);
        if (finding->cost_least) finding->cost_least = std::min(*finding->cost_least, cost_of(*finding));
        // What may be nothing has to be more than what nobody could feel.
        if (expected_cost_of(*finding) < worthy_seconds) continue;
        add_doubts(scene, rule, *finding);
        for (report::Advice& advice : finding->advice)
            for (std::string& line : advice.lines) line = started_as_here(scene.job, std::move(line));
        found.push_back(std::move(*finding));
    }
    drop_explained(found, scene);
    for (Found& one : found) one.share = report::share_of(cost_of(one), scene.run);
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return expected_cost_of(a) > expected_cost_of(b);
    });
    add_doubts_on_shared(found, scene);
    std::vector<report::Finding> findings;
    for (Found& one : found) findings.push_back(std::move(one));
    return findings;
}

}  // namespace fathom
