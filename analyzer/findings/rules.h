// One function a rule, in a file of its name: looks at a job and says what it found, if anything. The cost
// decides whether it is reported (findings.cpp), so that a rule need not ask whether a fault is large.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/findings/lost_time.h"

namespace fathom {

struct DatasetUse;
struct FileUse;
struct Scene;

// A finding, and what shows whether another one is about the same seconds.
struct Found : report::Finding {
    Found(report::Finding finding) : Finding(std::move(finding)) {}
    Found(report::Finding finding, LostTime on_ranks) : Finding(std::move(finding)), lost(std::move(on_ranks))
    {}

    std::optional<LostTime> lost;     // whose they are, where that is known
    std::optional<std::size_t> rank;  // the one that it is about (index)
    double metadata = 0;              // s of its cost in calls that move no data
    bool explains_others = true;      // false: they stay, though it costs more
    bool of_removed = false;          // most of it is on files that are removed again
    const FileUse* file = nullptr;    // the one with most of it, where another finding may be about it, too
    const DatasetUse* dataset = nullptr;  // the same of datasets
    std::string_view container{};  // of libraries, and of one file that is opened again and again: its path
    std::vector<const FileUse*> kept_open{};  // to keep them open spares the reads of them as well
    // All files that it is about, if each is read whole at each open: to keep what they have spares the
    // opens.
    std::vector<const FileUse*> read_whole{};
};
using MaybeFinding = std::optional<Found>;

inline Found about_rank(report::Finding finding, std::size_t rank)
{
    Found found(std::move(finding));
    found.rank = rank;
    return found;
}

MaybeFinding small_requests(const Scene& scene);
MaybeFinding small_messages(const Scene& scene);
MaybeFinding misaligned(const Scene& scene);
MaybeFinding random_access(const Scene& scene);
MaybeFinding no_read_ahead(const Scene& scene);
MaybeFinding redundant_reads(const Scene& scene);
MaybeFinding metadata_bound(const Scene& scene);
MaybeFinding many_files(const Scene& scene);
MaybeFinding listed_again(const Scene& scene);
MaybeFinding synced_by_tool(const Scene& scene);
MaybeFinding many_processes(const Scene& scene);
MaybeFinding rewritten_by_tool(const Scene& scene);
MaybeFinding compared_by_reading(const Scene& scene);
MaybeFinding compressed_between(const Scene& scene);
MaybeFinding chained_steps(const Scene& scene);
MaybeFinding steps_by_files(const Scene& scene);
MaybeFinding unpacked_in_vain(const Scene& scene);
MaybeFinding repeated_runs(const Scene& scene);
MaybeFinding started_by_ranks(const Scene& scene);
MaybeFinding many_launches(const Scene& scene);
MaybeFinding slow_loading(const Scene& scene);
MaybeFinding best_compression(const Scene& scene);
MaybeFinding compressed_in_vain(const Scene& scene);
MaybeFinding fancy_selection(const Scene& scene);
MaybeFinding copied_again(const Scene& scene);
MaybeFinding small_statements(const Scene& scene);
MaybeFinding open_close_churn(const Scene& scene);
MaybeFinding stragglers(const Scene& scene);
MaybeFinding byte_imbalance(const Scene& scene);
MaybeFinding uneven_files(const Scene& scene);
MaybeFinding threads_by_turns(const Scene& scene);
MaybeFinding ranks_by_turns(const Scene& scene);
MaybeFinding single_process(const Scene& scene);
MaybeFinding no_collectives(const Scene& scene);
MaybeFinding aggregators(const Scene& scene);
MaybeFinding many_views(const Scene& scene);
MaybeFinding collective_exchange(const Scene& scene);
MaybeFinding slow_server(const Scene& scene);
MaybeFinding stdio_bulk(const Scene& scene);
MaybeFinding frequent_syncs(const Scene& scene);
MaybeFinding lock_waits(const Scene& scene);
MaybeFinding polling(const Scene& scene);
MaybeFinding polled_by_shell(const Scene& scene);
MaybeFinding locked_by_shell(const Scene& scene);
MaybeFinding uneven_stripes(const Scene& scene);
MaybeFinding read_modify_write(const Scene& scene);
MaybeFinding bursts(const Scene& scene);
MaybeFinding updates_in_place(const Scene& scene);
MaybeFinding written_again(const Scene& scene);
MaybeFinding written_by_all(const Scene& scene);
MaybeFinding text_data(const Scene& scene);
MaybeFinding preallocated(const Scene& scene);
MaybeFinding fill_values(const Scene& scene);
MaybeFinding replaced_unread(const Scene& scene);
MaybeFinding temporary_files(const Scene& scene);
MaybeFinding copied_not_renamed(const Scene& scene);
MaybeFinding merged_parts(const Scene& scene);
MaybeFinding files_as_messages(const Scene& scene);
MaybeFinding read_back(const Scene& scene);
MaybeFinding mapped_faults(const Scene& scene);
MaybeFinding slow_storage(const Scene& scene);
MaybeFinding ill_server(const Scene& scene);
MaybeFinding busy_servers(const Scene& scene);
MaybeFinding small_chunks(const Scene& scene);
MaybeFinding small_selections(const Scene& scene);
MaybeFinding chunks_again(const Scene& scene);
MaybeFinding unseen_chunks(const Scene& scene);
MaybeFinding unfit_chunks(const Scene& scene);
MaybeFinding unfit_layout(const Scene& scene);
MaybeFinding loaded_whole(const Scene& scene);
MaybeFinding opened_together(const Scene& scene);
MaybeFinding library_flushes(const Scene& scene);
MaybeFinding many_attributes(const Scene& scene);
MaybeFinding many_datasets(const Scene& scene);
MaybeFinding costly_filters(const Scene& scene);
MaybeFinding deflate_level(const Scene& scene);
MaybeFinding converted_values(const Scene& scene);
MaybeFinding independent_datasets(const Scene& scene);
MaybeFinding moved_header(const Scene& scene);
MaybeFinding netcdf_buffer(const Scene& scene);
MaybeFinding metadata_by_all(const Scene& scene);

}  // namespace fathom
