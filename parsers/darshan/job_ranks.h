// Which processes of a log of ours are the ranks of a job of Darshan: those of MPI, without whoever started
// them; where there is no MPI, those that did I/O on files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "logformat/log/log.h"

namespace fathom::darshan {

class JobRanks {
  public:
    explicit JobRanks(const Log& log);  // which must outlive it

    bool mpi() const { return mpi_; }
    std::int64_t count() const { return count_; }
    // Nothing for a process that is no rank.
    std::optional<std::int64_t> of(std::int64_t process) const
    {
        const auto found = ranks_.find(process);
        return found == ranks_.end() ? std::nullopt : std::optional(found->second);
    }
    // Rows of rank after rank. Without MPI one rank may have several: each program that it became by exec.
    const std::vector<const Process*>& rows() const { return rows_; }

    // What is left out with the other processes: nothing, or a sentence.
    std::vector<std::string> losses() const;

  private:
    void take_mpi_ranks();
    void take_workers();

    const Log& log_;
    bool mpi_ = false;
    std::int64_t count_ = 0;
    std::vector<const Process*> rows_;
    std::unordered_map<std::int64_t, std::int64_t> ranks_;  // by process
};

}  // namespace fathom::darshan
