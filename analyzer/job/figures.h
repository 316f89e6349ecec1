// The derived numbers that more than one section shows: rates, modes and shares of time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/job/job.h"
#include "analyzer/job/slowest_rank.h"
#include "analyzer/methods/modes.h"
#include "analyzer/methods/rate.h"
#include "analyzer/methods/spread.h"

namespace fathom {

struct JobRates {
    // Over the time in which some rank was inside a read, a write or a sync (transfer_time.h): what a report
    // says first. Of what the program asked for in one direction, and of each byte once.
    std::array<Rate, 2> direction{};
    Rate transfer;
    bool transfer_estimated = false;
    bool transfer_unseen = false;       // bytes moved in calls of unknown time: then there is no such rate
    Rate job;                           // METHODS: MiB/s/CN over all layers, each byte and second once
    Rate window;                        // over the time in which some rank had I/O under way
    std::array<Rate, layers> layer{};   // each layer on its own, on files
    bool mpiio_unseen_beneath = false;  // MPI-IO moved bytes and no layer beneath was seen to
    // Of logs of other tools: what the times above rest upon. `job` divides by the most that the slowest rank
    // can have spent in I/O, `fastest` by the least.
    std::optional<SlowestTime> slowest;
    std::array<SlowestTime, layers> slowest_in{};
    Rate fastest;
};
// A rate whose rank is not known has this one.
inline constexpr std::size_t no_rank = ~std::size_t{0};
JobRates rates_of(const Job& job);

// MPI-IO moved bytes in that direction and no layer beneath was seen to.
bool mpiio_unseen_beneath(const Job& job, Direction direction);

// The application's layer: MPI-IO where a file was used through it, else POSIX and stdio. The system's:
// POSIX, stdio.
enum class Level : std::uint8_t { application, system };
ModeStudy modes_at(const Job& job, Level level, Direction direction);
FileData data_of(const FileView& view, Direction direction);

// True where MPI-IO was used, so that the two levels can differ.
bool levels_differ(const Job& job);

struct TimeUse {
    Spread read, write, metadata, all, other;                               // ns, over the ranks
    double run = 0, in_io = 0, in_metadata = 0, in_read = 0, in_write = 0;  // ns, summed over the ranks
    bool overlapping = false;  // some rank's I/O time exceeds its run time: threads
    // Some rank's exceeds what its threads had, or a rank ended before it started; of logs of other tools,
    // which do not show threads, also where it exceeds the run time.
    bool impossible = false;
    // Where the log does not separate the ranks, the means and sums above are right, and nothing is known
    // of the largest but what `slowest` has.
    std::optional<SlowestTime> slowest{};
};
TimeUse time_use_of(const Job& job);

}  // namespace fathom
