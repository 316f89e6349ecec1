// The ten files with most time.
#include "analyzer/sections/mpi/collective_times.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/collectives.h"

namespace fathom {

using namespace report;

DataTable collective_times(const Job& job)
{
    constexpr std::size_t most_rows = 10;
    std::vector<CollectiveTime> all = collective_times_of(job);
    std::stable_sort(all.begin(), all.end(),
                     [](const CollectiveTime& a, const CollectiveTime& b) { return a.mean > b.mean; });
    if (all.size() > most_rows) all.resize(most_rows);
    DataTable table{.id = "collective_times", .title = "Where the time of collective calls went, a rank"};
    table.columns = {{"file", "file", Measure::path},
                     {"direction", "", Measure::text},
                     {"calls", "calls", Measure::count},
                     {"ranks", "ranks", Measure::count},
                     {"mean", "in calls", Measure::seconds},
                     {"file_system", "file system", Measure::seconds},
                     {"exchange", "exchange", Measure::seconds},
                     {"waiting", "waiting", Measure::seconds}};
    for (const CollectiveTime& one : all)
        table.rows.push_back({path(one.file->path),
                              text(direction_names[static_cast<std::size_t>(one.direction)]),
                              count(one.calls_together()), count(one.ranks), seconds(one.mean / 1e9),
                              one.beneath_known ? seconds(one.file_system / 1e9) : unknown(Measure::seconds),
                              one.beneath_known ? seconds(one.exchange / 1e9) : unknown(Measure::seconds),
                              seconds(one.waiting / 1e9)});
    std::uint64_t calls = 0, sampled = 0;
    for (const CollectiveTime& one : all) {
        calls += one.calls_together();
        sampled += one.sampled;
    }
    table.remark = "In calls: the mean of the ranks. File system: in POSIX beneath, of the rank with most. ";
    table.remark +=
        sampled > 0
            ? fmt::format(
                  "Waiting: for ranks that had not yet come. Exchange: passing data between ranks, what is "
                  "left. By a sample of {} of {} calls.",
                  format_count(sampled), format_count(calls))
            : "Exchange: passing data between ranks, at most; what the rank with least spent "
              "in the calls, less the file system. Waiting: the rest, at least.";
    return table;
}

}  // namespace fathom
