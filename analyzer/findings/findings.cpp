// The table of rules, and what of their findings is worth reporting.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
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
    {.id = "ranks_by_turns",
     .looks_for = "ranks that do their I/O one after the other",
     .look = ranks_by_turns,
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
    {.id = "lock_waits",
     .looks_for = "time spent waiting for locks on files",
     .look = lock_waits,
     .needs = {"waiting for locks", times_locks}},
    {.id = "polling",
     .looks_for = "sleeping until a file is there, or gone, that another process makes or removes",
     .look = polling,
     .rests_on_slowest = false,
     .needs = {"sleeping between two looks for a file", knows_polls}},
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
    {.id = "metadata_by_all",
     .looks_for = "ranks that each read what describes the objects of a shared file of HDF5",
     .look = metadata_by_all,
     .needs = {"what lies beneath datasets of HDF5 and PnetCDF", knows_datasets}},
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

// Findings that cost more than all I/O together are in part about the same seconds: one that is not the
// costliest may be what follows from another one.
void add_doubts_on_shared(std::vector<Found>& found, const Scene& scene)
{
    double told = 0;
    for (Found& one : found) {
        if (!one.lost || one.id == "slow_storage") continue;  // time of another kind
        const double before = told;
        told += cost_of(one);
        if (before <= 0 || told <= scene.io) continue;
        if (one.confidence == report::Confidence::high)
            one.confidence = report::Confidence::medium;
        else
            one.confidence = report::Confidence::low;
        one.doubt +=
            " Some of its seconds are also those of a costlier finding: it may follow from that one.";
    }
}

// A finding about seconds that another one is about too, and says more of.
struct Weaker {
    std::string_view id;
    std::string_view than;  // empty: than any
};
constexpr Weaker weaker_findings[] = {
    {"slow_storage", ""},                    // requests are slow for a reason of their own
    {"bursts", ""},                          // and so are writes
    {"ranks_by_turns", ""},                  // whose turns are long for a reason of their own
    {"collective_exchange", "aggregators"},  // which says what makes the exchange slow
    {"collective_exchange", "read_modify_write"},
    {"stragglers", "slow_server"},  // whose files lie there
    {"stragglers", "ill_server"},
    {"slow_server", "ill_server"},     // which rests on more than this job
    {"metadata_bound", "ill_server"},  // whose calls wait there, too
    {"frequent_syncs", "ill_server"},
    {"uneven_stripes", "slow_server"},
    {"stragglers", "byte_imbalance"},
    {"stragglers", "single_process"},
    {"byte_imbalance", "single_process"},
    {"small_requests", "random_access"},
    {"small_requests", "no_collectives"},
    {"small_requests", "aggregators"},
    {"small_requests", "read_modify_write"},
    {"no_collectives", "read_modify_write"},
    {"lock_waits", "read_modify_write"},  // under which data sieving holds a lock
    {"redundant_reads", "read_modify_write"},
    {"small_requests", "no_read_ahead"},  // whose time in reads it is
    {"misaligned", "no_read_ahead"},
    {"misaligned", "small_requests"},
    {"small_requests", "lock_waits"},  // which are taken less often where more is moved at a time
    {"read_modify_write", "lock_waits"},
    {"small_requests", "temporary_files"},  // which would all go
    {"written_again", "temporary_files"},
    {"fill_values", "temporary_files"},
    {"many_files", "temporary_files"},
    {"open_close_churn", "temporary_files"},
    {"read_modify_write", "temporary_files"},
    {"read_back", "temporary_files"},
    {"temporary_files", "files_as_messages"},  // which says what they are for
    {"many_files", "files_as_messages"},
    {"small_requests", "read_back"},
    {"random_access", "read_back"},
    {"random_access", "updates_in_place"},
    {"misaligned", "updates_in_place"},
    {"read_modify_write", "small_requests"},  // whose writes take the time
    {"random_access", "misaligned"},          // which says where to begin; one that costs less goes, below
    {"misaligned", "random_access"},
    {"misaligned", "no_collectives"},
    {"many_files", "open_close_churn"},
    {"replaced_unread", "open_close_churn"},
    {"small_chunks", "open_close_churn"},  // which makes HDF5 read what describes them again
    // What libraries do to a file has its reason in their calls.
    {"no_collectives", "independent_datasets"},
    {"small_requests", "independent_datasets"},
    {"misaligned", "independent_datasets"},
    {"random_access", "independent_datasets"},
    {"small_requests", "small_chunks"},
    {"random_access", "small_chunks"},
    {"misaligned", "small_chunks"},
    {"no_collectives", "small_chunks"},
    {"independent_datasets", "small_chunks"},
    {"redundant_reads", "chunks_again"},
    {"random_access", "chunks_again"},
    {"small_requests", "chunks_again"},
    {"read_modify_write", "chunks_again"},
    {"written_again", "chunks_again"},
    {"fill_values", "chunks_again"},
    {"misaligned", "chunks_again"},
    {"frequent_syncs", "library_flushes"},
    {"written_again", "library_flushes"},
    {"fill_values", "library_flushes"},
    {"small_requests", "library_flushes"},
    {"random_access", "library_flushes"},
    {"chunks_again", "library_flushes"},
    {"small_requests", "many_attributes"},
    {"random_access", "many_attributes"},
    {"small_requests", "many_datasets"},
    {"random_access", "many_datasets"},
    {"redundant_reads", "many_datasets"},
    {"small_selections", "many_datasets"},
    {"redundant_reads", "moved_header"},
    {"read_modify_write", "moved_header"},
    {"written_again", "moved_header"},
    {"fill_values", "moved_header"},
    {"random_access", "moved_header"},
    {"small_requests", "moved_header"},
    {"converted_values", "small_chunks"},
    {"converted_values", "chunks_again"},
    {"small_selections", "small_chunks"},
    {"small_selections", "chunks_again"},
    {"small_selections", "independent_datasets"},
    {"small_selections", "library_flushes"},
    {"small_selections", "open_close_churn"},
    {"small_requests", "small_selections"},
    {"random_access", "small_selections"},
    {"misaligned", "small_selections"},
    {"no_collectives", "metadata_by_all"},
    {"small_requests", "metadata_by_all"},
    {"random_access", "metadata_by_all"},
    {"misaligned", "metadata_by_all"},
    {"redundant_reads", "metadata_by_all"},
    {"many_datasets", "metadata_by_all"},
    {"metadata_bound", "polling"},         // whose calls they are
    {"metadata_bound", "many_processes"},  // which look for their libraries
    {"redundant_reads", "rewritten_by_tool"},
    {"metadata_bound", "rewritten_by_tool"},
    {"redundant_reads", "compared_by_reading"},
    {"metadata_bound", "compared_by_reading"},
    {"small_requests", "small_statements"},
    {"redundant_reads", "copied_again"},
    {"temporary_files", "copied_again"},
    {"redundant_reads", "compressed_between"},
    {"temporary_files", "compressed_between"},
    {"many_views", "many_datasets"},
    {"many_views", "small_selections"},
    {"many_views", "independent_datasets"},
    {"metadata_bound", "replaced_unread"},
    {"redundant_reads", "text_data"},
    {"small_requests", "text_data"},
    {"stdio_bulk", "text_data"},
    {"read_back", "text_data"},
    {"temporary_files", "text_data"},
    {"small_requests", "fill_values"},
    {"read_modify_write", "fill_values"},
    {"redundant_reads", "fill_values"},
    {"misaligned", "fill_values"},
    {"written_again", "small_requests"},  // whose time it is
    {"written_again", "random_access"},
    {"random_access", "small_requests"},    // where it does not cost half as much, above
    {"redundant_reads", "many_processes"},  // which each begin by reading the same
};

// s: cheaper ones are not worth anybody's time.
double least_worthy(const Scene& scene)
{
    return std::max(worthy_seconds, worthy_share * scene.run);
}

// A rank is slow, or has all to do, for a reason that another finding names: most of the time that it is
// about is that rank's.
bool is_of_rank(const Found& one, std::size_t rank, std::size_t ranks)
{
    constexpr double most = 0.6;
    if (!one.lost || one.rank) return false;
    double all = 0;
    for (std::size_t at = 0; at < ranks; ++at) all += one.lost->of(at);
    return all > 0 && one.lost->of(rank) >= most * all;
}

auto of_rule(std::vector<Found>& found, std::string_view id)
{
    return std::find_if(found.begin(), found.end(), [id](const Found& one) { return one.id == id; });
}

// A file that is opened and read again in each turn: what was read, if kept, spares the opens as well. Where
// it is little that is read, or an index, the opens are the fault.
void drop_reads_at_opens(std::vector<Found>& found, double run)
{
    const auto reads = of_rule(found, "redundant_reads"), opens = of_rule(found, "open_close_churn");
    if (reads == found.end() || opens == found.end() || reads->file == nullptr) return;
    if (std::find(opens->kept_open.begin(), opens->kept_open.end(), reads->file) != opens->kept_open.end()) {
        found.erase(reads);
        return;
    }
    if (reads->file != opens->file) return;
    if (cost_of(*reads) <= cost_of(*opens) / 2) {
        found.erase(reads);
        return;
    }
    if (reads->cost_least) *reads->cost_least += opens->metadata;
    reads->cost = report::seconds(std::min(cost_of(*reads) + opens->metadata, run));
    reads->cost_basis += "; and the opens and closes around them";
    found.erase(opens);
}

// What is read again in small requests is one fault: kept, or read in large ones, they all go.
void drop_reads_of_one_file(std::vector<Found>& found)
{
    for (const std::string_view id : {"small_requests", "stdio_bulk"}) {
        const auto again = of_rule(found, "redundant_reads"), small = of_rule(found, id);
        if (again == found.end() || again->file == nullptr) return;
        if (small == found.end() || again->file != small->file) continue;
        found.erase(cost_of(*again) >= cost_of(*small) ? small : again);
    }
}

// Small writes that wait for their blocks to be read: the reading remains, in large requests, which
// small_requests does not know.
void drop_small_updates(std::vector<Found>& found)
{
    const auto updates = of_rule(found, "updates_in_place"), small = of_rule(found, "small_requests");
    if (updates != found.end() && small != found.end() && updates->file == small->file) found.erase(small);
}

// Small chunks of one dataset that pass several times: a larger cache, which needs no other file, spares what
// is not the first time; larger chunks spare the first time as well.
void drop_chunks_of_one_dataset(std::vector<Found>& found)
{
    constexpr double nearly_all = 0.75;
    const auto small = of_rule(found, "small_chunks"), again = of_rule(found, "chunks_again");
    if (small == found.end() || again == found.end() || small->dataset != again->dataset) return;
    found.erase(cost_of(*again) >= nearly_all * cost_of(*small) ? small : again);
}

// A file's independent calls should not become what its collective ones should no longer be.
void drop_contradiction(std::vector<Found>& found)
{
    const auto independent = of_rule(found, "no_collectives"),
               together = of_rule(found, "collective_exchange");
    if (independent == found.end() || together == found.end() || independent->file != together->file) return;
    found.erase(cost_of(*independent) > cost_of(*together) ? together : independent);
}

// Where the storage is slow, that is more than could be computed meanwhile.
void drop_waits_for_slow_storage(std::vector<Found>& found)
{
    const auto slow = of_rule(found, "slow_storage"), waits = of_rule(found, "bursts");
    if (slow != found.end() && waits != found.end() && cost_of(*slow) >= cost_of(*waits)) found.erase(waits);
}

void drop_explained(std::vector<Found>& found, std::size_t ranks, double run)
{
    drop_waits_for_slow_storage(found);
    // That the storage is slow explains nothing of how it is used.
    const auto explains = [](const Found& other, const Found& one) {
        return other.id != one.id && other.id != "slow_storage" && cost_of(other) > cost_of(one) / 2;
    };
    for (const Weaker& weaker : weaker_findings)
        std::erase_if(found, [&](const Found& one) {
            return one.id == weaker.id && std::any_of(found.begin(), found.end(), [&](const Found& other) {
                       return (weaker.than.empty() || other.id == weaker.than) && explains(other, one);
                   });
        });
    std::erase_if(found, [&](const Found& one) {
        return one.rank && std::any_of(found.begin(), found.end(), [&](const Found& other) {
                   return explains(other, one) && is_of_rank(other, *one.rank, ranks);
               });
    });
    // Calls that move no data, which others report already; a journal's opens and closes are the syncs'.
    const auto drop_metadata = [&](std::string_view id, std::string_view of) {
        double told = 0;
        for (const Found& one : found)
            if (of.empty() || one.id == of) told += one.metadata;
        std::erase_if(found, [&](const Found& one) { return one.id == id && told > cost_of(one) / 2; });
    };
    drop_metadata("open_close_churn", "frequent_syncs");
    drop_metadata("metadata_bound", "");
    drop_reads_at_opens(found, run);
    drop_reads_of_one_file(found);
    drop_small_updates(found);
    drop_chunks_of_one_dataset(found);
    drop_contradiction(found);
}

}  // namespace

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
    std::optional<report::Finding> costliest;
    for (const FindingRule& rule : rules) {
        const auto finding = rule.look(scene);
        if (!finding || !(cost_of(*finding) > 0) || cost_of(*finding) >= least_worthy(scene)) continue;
        if (!costliest || cost_of(*finding) > cost_of(*costliest)) costliest = *finding;
    }
    return costliest;
}

std::vector<report::Finding> findings_of(const Scene& scene)
{
    std::vector<Found> found;
    const double least = least_worthy(scene);
    for (const FindingRule& rule : rules) {
        auto finding = rule.look(scene);
        if (!finding || !finding->cost.known() || cost_of(*finding) < least) continue;
        finding->id = rule.id;
        finding->share = report::share_of(cost_of(*finding), scene.run);
        if (finding->cost_least) finding->cost_least = std::min(*finding->cost_least, cost_of(*finding));
        add_doubts(scene, rule, *finding);
        found.push_back(std::move(*finding));
    }
    drop_explained(found, scene.job.ranks.size(), scene.run);
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return cost_of(a) > cost_of(b); });
    add_doubts_on_shared(found, scene);
    std::vector<report::Finding> findings;
    for (Found& one : found) findings.push_back(std::move(one));
    return findings;
}

}  // namespace fathom
