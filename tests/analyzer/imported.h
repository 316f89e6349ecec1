// Makes up logs as the parser of Darshan's logs leaves them: records that stand for all ranks, totals that do
// not tell ranks apart, and counters that are not recorded.
#pragma once

#include <set>
#include <string>

#include "tests/analyzer/synthetic.h"

namespace fathom::testing {

// A shared file: what all ranks did together, and the two extremes among them.
struct SharedIo {
    Io all;
    ProcessShare slowest, fastest;
    double bytes_squares = 1;  // of the moments over the ranks; 0: all moved as much
};

class Imported : public Synthetic {
  public:
    explicit Imported(std::int64_t count)
    {
        ranks(count);
        for (Process& process : log.rows<Process>()) {
            process.host = {};
            process.pid = process.parent = 0;
            process.ending = static_cast<std::uint64_t>(Ending::finalized);
        }
        log.add_fact("source", "darshan");
        for (const std::string_view layer : layer_names)
            for (const std::string_view counter : {"closes", "failed", "sync_time", "readers", "writers"})
                log.mark_lacking(std::string(layer) + "." + std::string(counter));
        for (const std::string_view column :
             {"posix.creates", "posix.strided_reads", "posix.strided_writes", "posix.locks",
              "posix.lock_time", "posix.mapped_bytes", "stdio.consecutive_reads", "stdio.read_size_0_100",
              "totals.failed", "processes.pid", "processes.threads", "processes.missed",
              "mpiio.nonblocking_time"})
            log.mark_lacking(column);
    }

    // A file of one rank.
    template <class Row>
    Row& own(std::uint64_t id, std::int64_t rank, const Io& done)
    {
        Row& row = this->template io<Row>(id, rank, done);
        row.readers = row.writers = 0;
        count(row);
        return row;
    }

    // A file that all ranks opened. Its totals are not told apart.
    template <class Row>
    Row& shared(std::uint64_t id, const SharedIo& done, Scope scope = Scope::direct)
    {
        const std::uint64_t all = log.rows<Process>().size();
        Row& row = this->template reduced_io<Row>(id, all, 0, 0, done.all);
        row.opens = all;
        static_cast<ProcessShare&>(row.slowest) = done.slowest;
        static_cast<ProcessShare&>(row.fastest) = done.fastest;
        const Io& io = done.all;
        row.time = {all, io.read_time + io.write_time + io.metadata_time, 1};
        row.bytes = {all, io.bytes_read + io.bytes_written, done.bytes_squares};
        constexpr Layer layer = std::is_same_v<Row, PosixRecord>   ? Layer::posix
                                : std::is_same_v<Row, StdioRecord> ? Layer::stdio
                                                                   : Layer::mpiio;
        total(reduced, layer, scope, io);
        count(row);
        return row;
    }

  private:
    // The calls of a record, in the totals that were made for it.
    void count(const Transfers& row)
    {
        Totals& totals = log.rows<Totals>().back();
        totals.opens = row.opens;
        totals.reads = row.reads;
        totals.writes = row.writes;
    }
};

}  // namespace fathom::testing
