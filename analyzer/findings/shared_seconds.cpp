// Which of two findings about the same seconds stays.
#include "analyzer/findings/shared_seconds.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

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
    {"metadata_bound", "opened_together"},
    {"many_files", "opened_together"},
    {"frequent_syncs", "ill_server"},
    {"uneven_stripes", "slow_server"},
    {"stragglers", "read_modify_write"},  // who waits for its locks
    {"stragglers", "aggregators"},        // whose pieces are in each other's way
    {"stragglers", "byte_imbalance"},
    {"stragglers", "single_process"},
    {"byte_imbalance", "single_process"},
    {"byte_imbalance", "fill_values"},   // which one rank writes for all
    {"byte_imbalance", "uneven_files"},  // which says how to deal them out
    {"uneven_files", "single_process"},
    {"stragglers", "uneven_files"},
    {"small_requests", "random_access"},
    {"small_requests", "no_collectives"},
    {"small_requests", "aggregators"},
    {"small_requests", "read_modify_write"},
    {"no_collectives", "read_modify_write"},
    {"lock_waits", "read_modify_write"},  // under which data sieving holds a lock
    {"redundant_reads", "read_modify_write"},
    {"small_requests", "no_read_ahead"},  // whose time in reads it is
    {"misaligned", "no_read_ahead"},
    {"stdio_bulk", "no_read_ahead"},
    {"misaligned", "small_requests"},
    {"small_requests", "lock_waits"},  // which are taken less often where more is moved at a time
    {"read_modify_write", "lock_waits"},
    {"small_requests", "temporary_files"},  // which would all go
    {"written_again", "temporary_files"},
    {"fill_values", "temporary_files"},
    {"many_files", "temporary_files"},
    {"frequent_syncs", "temporary_files"},  // of the same files
    {"open_close_churn", "temporary_files"},
    {"read_modify_write", "temporary_files"},
    {"read_back", "temporary_files"},
    {"temporary_files", "copied_not_renamed"},  // which needs no memory
    {"small_requests", "copied_not_renamed"},
    {"read_back", "copied_not_renamed"},
    {"redundant_reads", "copied_not_renamed"},
    {"temporary_files", "files_as_messages"},  // which says what they are for
    {"many_files", "files_as_messages"},
    {"temporary_files", "merged_parts"},
    {"single_process", "merged_parts"},
    {"byte_imbalance", "merged_parts"},
    {"stragglers", "merged_parts"},
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
    {"many_attributes", "open_close_churn"},
    {"library_flushes", "open_close_churn"},
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
    {"redundant_reads", "loaded_whole"},  // which needs no memory
    {"open_close_churn", "loaded_whole"},
    {"redundant_reads", "chunks_again"},
    {"random_access", "chunks_again"},
    {"small_requests", "chunks_again"},
    {"read_modify_write", "chunks_again"},
    {"written_again", "chunks_again"},
    {"fill_values", "chunks_again"},
    {"misaligned", "chunks_again"},
    {"redundant_reads", "unseen_chunks"},
    {"random_access", "unseen_chunks"},
    {"small_requests", "unseen_chunks"},
    {"read_modify_write", "unseen_chunks"},
    {"written_again", "unseen_chunks"},
    {"misaligned", "unseen_chunks"},
    {"small_requests", "unfit_layout"},
    {"random_access", "unfit_layout"},
    {"redundant_reads", "unfit_layout"},
    {"misaligned", "unfit_layout"},
    {"small_selections", "unfit_layout"},
    {"small_requests", "unfit_chunks"},
    {"random_access", "unfit_chunks"},
    {"misaligned", "unfit_chunks"},
    {"small_selections", "unfit_chunks"},
    {"small_chunks", "unfit_chunks"},
    {"unfit_chunks", "chunks_again"},  // which needs no other file
    {"frequent_syncs", "library_flushes"},
    {"written_again", "library_flushes"},
    {"fill_values", "library_flushes"},
    {"small_requests", "library_flushes"},
    {"random_access", "library_flushes"},
    {"chunks_again", "library_flushes"},
    {"unseen_chunks", "open_close_churn"},
    {"small_requests", "many_attributes"},
    {"random_access", "many_attributes"},
    {"small_requests", "many_datasets"},
    {"random_access", "many_datasets"},
    {"redundant_reads", "many_datasets"},
    {"small_selections", "many_datasets"},
    {"redundant_reads", "moved_header"},
    {"read_modify_write", "moved_header"},
    {"written_again", "moved_header"},
    {"written_again", "preallocated"},
    {"fill_values", "moved_header"},
    {"random_access", "moved_header"},
    {"small_requests", "moved_header"},
    {"many_views", "moved_header"},
    {"converted_values", "small_chunks"},
    {"converted_values", "chunks_again"},
    {"small_selections", "small_chunks"},
    {"small_selections", "chunks_again"},
    {"small_selections", "independent_datasets"},
    {"small_selections", "library_flushes"},
    {"small_selections", "open_close_churn"},
    {"small_requests", "small_selections"},
    {"read_modify_write", "small_selections"},
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
    {"listed_again", "many_processes"},
    {"many_processes", "synced_by_tool"},
    {"frequent_syncs", "synced_by_tool"},
    {"many_processes", "rewritten_by_tool"},
    {"metadata_bound", "rewritten_by_tool"},
    {"redundant_reads", "compared_by_reading"},
    {"metadata_bound", "compared_by_reading"},
    {"small_requests", "small_statements"},
    {"metadata_bound", "small_statements"},  // whose seeks they are
    {"redundant_reads", "copied_again"},
    {"temporary_files", "copied_again"},
    {"redundant_reads", "compressed_between"},
    {"temporary_files", "compressed_between"},
    {"temporary_files", "polling"},  // of the same file: a lock, or a flag
    {"redundant_reads", "chained_steps"},
    {"temporary_files", "chained_steps"},
    {"many_processes", "chained_steps"},
    {"redundant_reads", "steps_by_files"},
    {"temporary_files", "steps_by_files"},
    {"compressed_between", "steps_by_files"},
    {"steps_by_files", "chained_steps"},
    {"steps_by_files", "many_processes"},
    {"many_processes", "slow_loading"},
    {"redundant_reads", "repeated_runs"},  // all that these do goes
    {"temporary_files", "repeated_runs"},
    {"frequent_syncs", "repeated_runs"},
    {"small_requests", "repeated_runs"},
    {"replaced_unread", "repeated_runs"},
    {"many_files", "repeated_runs"},
    {"many_files", "unpacked_in_vain"},
    {"temporary_files", "unpacked_in_vain"},
    {"unpacked_in_vain", "copied_again"},
    {"small_requests", "unpacked_in_vain"},
    {"small_requests", "compressed_in_vain"},  // whose pieces they are
    {"small_requests", "best_compression"},
    {"many_views", "many_datasets"},
    {"many_views", "small_selections"},
    {"many_views", "independent_datasets"},
    {"metadata_bound", "replaced_unread"},
    {"open_close_churn", "replaced_unread"},
    {"metadata_bound", "read_modify_write"},
    {"stdio_bulk", "open_close_churn"},
    {"small_statements", "redundant_reads"},
    {"redundant_reads", "text_data"},
    {"small_requests", "text_data"},
    {"stdio_bulk", "text_data"},
    {"read_back", "text_data"},
    {"temporary_files", "text_data"},
    {"small_requests", "fill_values"},
    {"read_modify_write", "fill_values"},
    {"redundant_reads", "fill_values"},
    {"misaligned", "fill_values"},
    {"small_requests", "written_by_all"},
    {"metadata_bound", "written_by_all"},
    {"open_close_churn", "written_by_all"},
    {"written_again", "small_requests"},  // whose time it is
    {"written_again", "random_access"},
    {"random_access", "small_requests"},    // where it does not cost half as much, above
    {"redundant_reads", "many_processes"},  // which each begin by reading the same
};

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

// Each rank lost as much of this time as it moved of all bytes: then it is no reason for one to take longer.
bool is_in_proportion(const Found& one, const std::vector<RankWork>& work)
{
    constexpr double nearly = 0.1;
    if (!one.lost) return false;
    double bytes = 0, lost = 0;
    for (const RankWork& rank : work) {
        bytes += rank.bytes;
        lost += one.lost->of(rank.rank);
    }
    return bytes > 0 && lost > 0 && std::all_of(work.begin(), work.end(), [&](const RankWork& rank) {
               return std::abs(rank.bytes / bytes - one.lost->of(rank.rank) / lost) < nearly;
           });
}

auto of_rule(std::vector<Found>& found, std::string_view id)
{
    return std::find_if(found.begin(), found.end(), [id](const Found& one) { return one.id == id; });
}

// Two findings of one fault become one: its seconds are those of both.
void absorb(std::vector<Found>& found, std::vector<Found>::iterator one, std::vector<Found>::iterator other,
            double run, std::string_view words)
{
    if (one->cost_least || other->cost_least)
        one->cost_least = std::min(
            one->cost_least.value_or(cost_of(*one)) + other->cost_least.value_or(cost_of(*other)), run);
    one->cost = report::seconds(std::min(cost_of(*one) + cost_of(*other), run));
    one->cost_basis += words;
    found.erase(other);
}

// A file that is opened and read again in each turn: what was read, if kept, spares both. Where it is little
// that is read, or an index, the opens are the fault.
void drop_reads_at_opens(std::vector<Found>& found, double run)
{
    const auto reads = of_rule(found, "redundant_reads"), opens = of_rule(found, "open_close_churn");
    if (reads == found.end() || opens == found.end() || reads->file == nullptr) return;
    if (std::find(opens->kept_open.begin(), opens->kept_open.end(), reads->file) != opens->kept_open.end()) {
        found.erase(reads);
        return;
    }
    const bool of_same =
        reads->file == opens->file ||
        std::find(opens->read_whole.begin(), opens->read_whole.end(), reads->file) != opens->read_whole.end();
    if (!of_same) return;
    if (cost_of(*reads) <= cost_of(*opens) / 2) {
        absorb(found, opens, reads, run, "; and in the reads between them");
        return;
    }
    if (reads->cost_least) *reads->cost_least += opens->metadata;
    reads->cost = report::seconds(std::min(cost_of(*reads) + opens->metadata, run));
    reads->cost_basis += "; and the opens and closes around them";
    found.erase(opens);
}

// What is read again in small requests is one fault: kept, or read in large ones, they all go. What is kept
// is not looked for here and there any more.
void drop_reads_of_one_file(std::vector<Found>& found)
{
    constexpr double half_again = 1.5;
    for (const std::string_view id : {"small_requests", "stdio_bulk", "random_access"}) {
        const auto again = of_rule(found, "redundant_reads"), other = of_rule(found, id);
        if (again == found.end() || again->file == nullptr) return;
        if (other == found.end() || again->file != other->file) continue;
        const bool random = id == "random_access";
        if (cost_of(*again) >= cost_of(*other) * (random ? half_again : 1))
            found.erase(other);
        else if (!random)
            found.erase(again);
    }
}

// What is kept is not looked for, either, as Fortran does before each read of a record.
void add_seeks_to_reads(std::vector<Found>& found, double run)
{
    const auto seeks = of_rule(found, "metadata_bound"), reads = of_rule(found, "redundant_reads");
    if (seeks == found.end() || reads == found.end() || seeks->file == nullptr || seeks->file != reads->file)
        return;
    absorb(found, reads, seeks, run, "; and in the calls around them that move no data");
}

// Of a file that is opened for each collective call, its first one sets up what others use again.
void drop_exchange_at_opens(std::vector<Found>& found)
{
    const auto opens = of_rule(found, "open_close_churn"), exchange = of_rule(found, "collective_exchange");
    if (opens != found.end() && exchange != found.end() && exchange->file != nullptr &&
        opens->container == exchange->file->path && cost_of(*opens) > cost_of(*exchange))
        found.erase(exchange);
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

// What is moved under each lock is moved less often as well where the lock is taken less often.
void add_requests_to_locks(std::vector<Found>& found, double run)
{
    const auto small = of_rule(found, "small_requests"), locks = of_rule(found, "lock_waits");
    if (small == found.end() || locks == found.end() || locks->file == nullptr ||
        small->file != locks->file || cost_of(*locks) <= cost_of(*small) / 2)
        return;
    absorb(found, locks, small, run, "; and in what is moved under them");
}

// SQLite locks its files and syncs them for each transaction: fewer of these spare both.
void add_locks_to_syncs(std::vector<Found>& found, double run)
{
    const auto syncs = of_rule(found, "frequent_syncs"), locks = of_rule(found, "lock_waits");
    if (syncs == found.end() || locks == found.end() || syncs->file == nullptr || locks->file == nullptr ||
        !is_sqlite(locks->file->path) || !is_sqlite(syncs->file->path))
        return;
    absorb(found, syncs, locks, run, "; and SQLite's calls on locks");
}

// It also looks for a journal in each: that is the same fault.
void add_journal_looks_to_locks(std::vector<Found>& found, double run)
{
    const auto looks = of_rule(found, "metadata_bound"), locks = of_rule(found, "lock_waits");
    if (looks == found.end() || locks == found.end() || looks->file == nullptr ||
        looks->file != locks->file || !is_sqlite(looks->file->path))
        return;
    absorb(found, locks, looks, run, "; and its looks for a journal");
}

// At each close HDF5 writes what it notes about the file, here and there: that goes with the opens.
void add_places_to_closes(std::vector<Found>& found, double run)
{
    constexpr std::uint64_t several_opens = 10;
    const auto places = of_rule(found, "random_access"), opens = of_rule(found, "open_close_churn");
    if (places == found.end() || opens == found.end() || places->file == nullptr ||
        !is_named_as_hdf5(places->file->path) || places->file->system.opens < several_opens)
        return;
    absorb(found, opens, places, run, "; and what HDF5 writes here and there at each close");
}

// PnetCDF sets a view for each small collective call: where these become one, both go.
void add_exchange_to_views(std::vector<Found>& found, double run)
{
    const auto views = of_rule(found, "many_views"), exchange = of_rule(found, "collective_exchange");
    if (views == found.end() || exchange == found.end() || views->file != exchange->file ||
        views->container.empty())
        return;
    absorb(found, views, exchange, run,
           "; and in the collective calls themselves, beyond the file system's part");
}

// Where each dataset has attributes of its own, one dataset in place of many has them once.
void add_attributes_to_datasets(std::vector<Found>& found, double run)
{
    const auto attributes = of_rule(found, "many_attributes"), datasets = of_rule(found, "many_datasets");
    if (attributes == found.end() || datasets == found.end() || attributes->container != datasets->container)
        return;
    absorb(found, datasets, attributes, run, "; and in those on their attributes");
}

// HDF5 locks its files when they are opened: those that stay open are locked once.
void add_locks_to_opens(std::vector<Found>& found, double run)
{
    const auto locks = of_rule(found, "lock_waits"), opens = of_rule(found, "open_close_churn");
    if (locks == found.end() || opens == found.end() || locks->container.empty() ||
        cost_of(*opens) <= cost_of(*locks))
        return;
    absorb(found, opens, locks, run, "; and HDF5's calls on locks");
}

// Opened, locked and closed for each record: where many records are written under one lock, both go.
void add_opens_to_locks(std::vector<Found>& found, double run)
{
    const auto locks = of_rule(found, "lock_waits"), opens = of_rule(found, "open_close_churn");
    if (locks == found.end() || opens == found.end() || locks->file == nullptr ||
        locks->file->path != opens->container || cost_of(*locks) < cost_of(*opens) / 2)
        return;
    absorb(found, locks, opens, run, "; and in the opens and closes around them");
}

// Ranks that sleep until a message is there sleep no longer where it is none.
void add_sleeps_to_messages(std::vector<Found>& found, double run)
{
    const auto sleeps = of_rule(found, "polling"), messages = of_rule(found, "files_as_messages");
    if (sleeps == found.end() || messages == found.end() || sleeps->container.empty() ||
        folder_of(sleeps->container) != folder_of(messages->container))
        return;
    absorb(found, messages, sleeps, run, "; and the sleeps until they are there");
}

// What PnetCDF moves when a header grows, one rank moves.
void drop_mover_of_data(std::vector<Found>& found)
{
    const auto header = of_rule(found, "moved_header"), alone = of_rule(found, "single_process");
    if (header != found.end() && alone != found.end()) found.erase(alone);
}

// Where the storage is slow, that is more than could be computed meanwhile.
void drop_waits_for_slow_storage(std::vector<Found>& found)
{
    const auto slow = of_rule(found, "slow_storage"), waits = of_rule(found, "bursts");
    if (slow != found.end() && waits != found.end() && cost_of(*slow) >= cost_of(*waits)) found.erase(waits);
}

}  // namespace

void drop_explained(std::vector<Found>& found, const Scene& scene)
{
    drop_waits_for_slow_storage(found);
    add_requests_to_locks(found, scene.run);
    // That the storage is slow explains nothing of how it is used.
    const auto explains = [](const Found& other, const Found& one) {
        return other.id != one.id && other.id != "slow_storage" && other.explains_others &&
               cost_of(other) > cost_of(one) / 2;
    };
    for (const Weaker& weaker : weaker_findings)
        std::erase_if(found, [&](const Found& one) {
            return one.id == weaker.id && std::any_of(found.begin(), found.end(), [&](const Found& other) {
                       // Text that ranks make by turns takes them longer, and that is no reason for turns.
                       if (one.id == "ranks_by_turns" && other.id == "text_data") return false;
                       if (one.id == "frequent_syncs" && other.id == "temporary_files" && !one.of_removed)
                           return false;
                       return (weaker.than.empty() || other.id == weaker.than) && explains(other, one);
                   });
        });
    // That a rank has more to do is a fault of its own, unless another one costs more.
    constexpr std::string_view uneven = "byte_imbalance";
    const std::vector<RankWork> work = movers_of(scene.job);
    std::erase_if(found, [&](const Found& one) {
        return one.rank && std::any_of(found.begin(), found.end(), [&](const Found& other) {
                   // One that makes text for all can leave it to them, or make none.
                   const bool both = one.id == "single_process" && other.id == "text_data";
                   return explains(other, one) && !both &&
                          (one.id != uneven ||
                           (cost_of(other) >= cost_of(one) && !is_in_proportion(other, work))) &&
                          is_of_rank(other, *one.rank, scene.job.ranks.size());
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
    add_places_to_closes(found, scene.run);
    drop_reads_at_opens(found, scene.run);
    drop_reads_of_one_file(found);
    drop_small_updates(found);
    drop_chunks_of_one_dataset(found);
    drop_contradiction(found);
    add_sleeps_to_messages(found, scene.run);
    drop_exchange_at_opens(found);
    add_seeks_to_reads(found, scene.run);
    drop_mover_of_data(found);
    add_locks_to_opens(found, scene.run);
    add_opens_to_locks(found, scene.run);
    add_exchange_to_views(found, scene.run);
    add_attributes_to_datasets(found, scene.run);
    add_journal_looks_to_locks(found, scene.run);
    add_locks_to_syncs(found, scene.run);
}

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

}  // namespace fathom
