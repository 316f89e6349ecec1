// A log of ours as Darshan sees a job: seconds since its start, ranks, and ids that follow from names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "logformat/log/log.h"

namespace fathom::darshan {

class LogView {
  public:
    explicit LogView(const Log& log);  // which must outlive it

    const Log& log() const { return log_; }
    std::uint64_t start() const { return start_; }  // ns of UNIX time
    std::uint64_t end() const { return end_; }
    std::int64_t processes() const { return processes_; }

    // 0 for never. What was at the very start, or before it, is never neither.
    double seconds_at(std::uint64_t instant) const;

    // As the rows of `name` are written; a file without a name keeps its id.
    std::uint64_t id_of(std::uint64_t file) const;
    // How Darshan calls it: standard streams are <STDIN>, <STDOUT> and <STDERR>.
    static std::string name_of(const FileName& name);

    // The process that a record is of; -1 where it is of several.
    static std::int64_t rank_of(std::int64_t process, const Sharing& sharing)
    {
        const bool of_one = process == reduced && sharing.processes == 1;
        return of_one ? sharing.slowest.process : process;
    }

  private:
    const Log& log_;
    std::uint64_t start_ = 0, end_ = 0;
    std::int64_t processes_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> ids_;
};

}  // namespace fathom::darshan
