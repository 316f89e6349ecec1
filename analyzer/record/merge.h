// One log of many logs of a job, in time that grows with what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "analyzer/record/merge_timings.h"
#include "logformat/log.h"

namespace fathom {

class Merger {
  public:
    // Takes over the rows of a log. Its facts and mounts are passed over where there are such already. A rank
    // that went on after MPI_Finalize, and so comes twice, stays one process.
    void add(Log&& other);

    // True if this very process was added already.
    bool has(const Process& process) const;

    // The log, in which parents' accounts of how their children ended have been put in place, and processes
    // are numbered: ranks first and in order, then the others by their start.
    Log finish();

    // The same with the parents' accounts left as they are, for another Merger to go on with.
    Log pause();

  private:
    using Numbers = std::map<std::int64_t, std::int64_t>;  // a process's number there -> here

    Numbers take_processes(Log& other);
    void take_totals(Log& other);
    void take_names(Log& other);
    void take_layouts(Log& other);

    Log log_;
    TimingMerger timings_;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::string_view>> processes_;  // start, pid, host
    // Where in their tables the rows are that others may be merged into.
    std::map<std::tuple<std::int64_t, std::uint64_t, std::string_view>, std::size_t>
        ranks_;  // rank, pid, host
    std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>, std::size_t>
        totals_;                                  // process, layer, scope
    std::map<std::uint64_t, std::size_t> names_;  // file
    std::set<std::uint64_t> layouts_;             // files
};

}  // namespace fathom
