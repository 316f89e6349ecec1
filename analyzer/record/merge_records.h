// Records of one file from many logs as those of one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "logformat/log/log.h"

namespace fathom {

// A log of an MPI job has one record, reduced, for a file that several of its ranks used. Where two such logs
// come together, that file gets one record for the ranks of both. So do ranks of a log that had the file
// one by one: how many processes used it would be unknown else, since nobody knows who is in a reduced
// record. Processes that are no ranks stay apart: in the report they are not counted among them.
class RecordMerger {
  public:
    // The rows of another log are to be appended to ours; `numbers` has its processes: theirs -> ours.
    void next(const Log& ours, const std::map<std::int64_t, std::int64_t>& numbers);

    // Merges what belongs together. Numbers of processes are still their places in our table of them.
    void settle(Log& log) const;

  private:
    template <class Row>
    void settle_table(Log& log, std::size_t table) const;

    static constexpr std::size_t tables = layers + 2;           // those of the layers, and of libraries
    std::vector<std::array<std::size_t, tables>> first_;        // of each log: its first row in each of them
    std::map<std::int64_t, std::vector<std::size_t>> logs_of_;  // by process: the logs that have it
};

}  // namespace fathom
