// A log of ours as Darshan sees a job: seconds since its start, ranks, and ids that follow from names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "logformat/log/log.h"
#include "parsers/darshan/job_ranks.h"

namespace fathom::darshan {

class LogView {
  public:
    explicit LogView(const Log& log);  // which must outlive it

    const Log& log() const { return log_; }
    std::uint64_t start() const { return start_; }  // ns of UNIX time
    std::uint64_t end() const { return end_; }
    const JobRanks& ranks() const { return ranks_; }
    std::int64_t processes() const { return ranks_.count(); }

    // 0 for never. What was at the very start, or before it, is never neither.
    double seconds_at(std::uint64_t instant) const;

    // As the rows of `name` are written; a file without a name keeps its id.
    std::uint64_t id_of(std::uint64_t file) const;
    // How Darshan calls it: standard streams are <STDIN>, <STDOUT> and <STDERR>.
    static std::string name_of(const FileName& name);

    // What Darshan would have no record of is left out: calls that opened nothing, files without a name of
    // their own, and files that no rank used.
    bool tells_file(std::uint64_t file) const
    {
        const auto found = told_.find(file);
        return found == told_.end() || found->second;
    }
    // It stands for files without names of their own.
    bool is_overflow(std::uint64_t file) const { return overflows_.contains(file); }
    // The same of files that were named by path alone, and not opened.
    bool is_by_path(std::uint64_t file) const { return by_paths_.contains(file); }
    // The rank that did it, -1 where several did; nothing where that process is no rank.
    std::optional<std::int64_t> rank_of(std::int64_t process) const
    {
        return process < 0 ? std::optional(reduced) : ranks_.of(process);
    }
    template <class Counters>
    std::optional<std::int64_t> rank_of(const Record<Counters>& record) const
    {
        const bool of_one = record.process == reduced && record.processes == 1;
        return rank_of(of_one ? record.slowest.process : record.process);
    }

  private:
    const Log& log_;
    std::uint64_t start_ = 0, end_ = 0;
    JobRanks ranks_;
    std::unordered_map<std::uint64_t, std::uint64_t> ids_;
    std::unordered_map<std::uint64_t, bool> told_;
    std::unordered_set<std::uint64_t> overflows_, by_paths_;
};

}  // namespace fathom::darshan
