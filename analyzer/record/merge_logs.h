// Logs that users name to one: of the workers of a job, of the nodes of an MPI job, of several runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/record/merge.h"

namespace fathom {

// Ranks: logs of one MPI job, which have the fact "job" in common and no rank twice, keep theirs. So do those
// of several jobs where no rank is in two of them; else the ranks of each job follow those of the jobs
// before. A fact "merged" says for each log where its processes and ranks went. All facts, mounts and layouts
// that differ are kept, and what the logs lack is lacking in the merged one: problems, columns that were not
// recorded. A log that stays alone is not changed.
class LogMerger {
  public:
    // Throws LogError where an earlier log had one of its processes: all would be counted twice.
    void add(Log&& log, const std::string& path);

    Log finish();

  private:
    // Who has a rank: pid, host.
    using Owner = std::pair<std::uint64_t, std::string>;
    struct MpiJob {
        std::string key;  // the fact "job"; empty: not known
        std::map<std::int64_t, Owner> ranks;
        std::int64_t shift = 0;
    };
    struct Source {
        std::string path, command;
        std::size_t processes = 0, job = 0;
        std::int64_t first_rank = -1, last_rank = -1;
        std::vector<std::string> merged;  // what it said of logs that it was made of
    };

    void note_processes(const Log& log, const std::string& path);
    std::size_t mpi_job_of(const Log& log);
    void shift_ranks();
    std::string sentence_on(const Source& source) const;

    Merger merger_{KeptFacts::of_all_logs};
    std::vector<Source> sources_;
    std::vector<MpiJob> jobs_;
    std::map<std::int64_t, std::size_t> job_of_;  // by process as the merger numbers them
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, std::size_t>
        seen_;  // start, pid, host -> source
};

}  // namespace fathom
