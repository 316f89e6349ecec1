// One log of many logs of a job, in time that grows with what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "analyzer/record/merge_failed_paths.h"
#include "analyzer/record/merge_records.h"
#include "analyzer/record/merge_timings.h"
#include "logformat/log/log.h"

namespace fathom {

// What becomes of facts and mounts of further logs.
enum class KeptFacts {
    of_first_log,  // parts of one job: passed over where there are facts of that name, or mounts, already
    of_all_logs,   // logs of several: all that differ are kept
};

class Merger {
  public:
    using Numbers = std::map<std::int64_t, std::int64_t>;  // a process's number there -> here

    explicit Merger(KeptFacts kept = KeptFacts::of_first_log) : kept_(kept) {}

    // Takes over the rows of a log and returns where its processes are now in the table of processes(). A
    // rank that went on after MPI_Finalize, and so comes twice, stays one process.
    Numbers add(Log&& other);

    // True if this very process was added already.
    bool has(const Process& process) const;

    // The log, in which parents' accounts of how their children ended have been put in place, and processes
    // are numbered: ranks first and in order, then the others by their start.
    Log finish();

    // All processes so far, before they get their final numbers.
    std::span<Process> processes() { return log_.rows<Process>(); }

    // The same with the parents' accounts left as they are, for another Merger to go on with.
    Log pause();

  private:
    Numbers take_processes(Log& other);
    void take_totals(Log& other);
    void leave_known_names(Log& other);
    void settle_identity(Log& other);
    void leave_known_surroundings(Log& other);
    void leave_known_layouts(Log& other);

    KeptFacts kept_;
    Log log_;
    RecordMerger records_;
    TimingMerger timings_;
    FailedPathMerger failed_paths_;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::string_view>> processes_;  // start, pid, host
    // Where in their tables the rows are that others may be merged into.
    std::map<std::tuple<std::int64_t, std::uint64_t, std::string_view>, std::size_t>
        ranks_;  // rank, pid, host
    std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>, std::size_t>
        totals_;                                            // process, layer, scope
    std::unordered_map<std::uint64_t, std::size_t> names_;  // file
    std::set<std::uint64_t> layouts_, hints_;               // files
};

}  // namespace fathom
