// Jobs of the database with what is needed to lay them side by side: when they ran, where, and their bins.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/rows.h"
#include "analyzer/methods/interference.h"
#include "analyzer/neighbours/file_systems.h"

namespace fathom::neighbours {

using jobs::Number;

// Why a job's activity over time is not known.
enum class Lack : std::uint8_t { nothing, log, time, bins, clock };
inline constexpr std::string_view lack_words[] = {
    "",
    "of which there is no log, so that nobody knows what they did on which file system",
    "whose log does not say when they began and ended",
    "whose logs have no time bins (Darshan without HEATMAP or DXT)",
    "whose time bins lie outside of their run: the clocks of their nodes, or of their log, are apart",
};

struct RunningJob {
    Number id = 0, start = 0, end = 0;  // ns of UNIX time
    std::string job, step, user, program, cluster, writes_mode, reads_mode;
    double processes = 0, nodes = 0;  // 0: not known
    double bytes_read = 0, bytes_written = 0;
    std::vector<Place> places;  // that it moved bytes on, or has files on: those with most bytes first
    ActiveBins bins;
    Lack lack = Lack::nothing;

    double bytes() const { return bytes_read + bytes_written; }
    // "17", or with the batch system's number "17 (4711.0)"
    std::string name() const;
};

// With places and without bins: add_bins() reads those. Throws DatabaseError where there is no such job.
RunningJob job_of(jobs::Database& database, Number id);
// All that ran at some time within [start, end], but this one; jobs in the order of their ids.
std::vector<Number> ids_between(jobs::Database& database, Number start, Number end, Number but);
std::vector<RunningJob> jobs_between(jobs::Database& database, Number start, Number end, Number but);
// Jobs that were read for one answer, which many of its questions are about; the last some thousand are kept.
class SeenJobs {
  public:
    explicit SeenJobs(jobs::Database& database) : database_(database) {}

    jobs::Database& database() const { return database_; }
    // jobs_between() and add_bins() below, of which a job is read once.
    std::vector<RunningJob> between(Number start, Number end, Number but);
    void add_bins(const std::vector<RunningJob*>& jobs);

  private:
    jobs::Database& database_;
    std::map<Number, RunningJob> jobs_;
    std::set<Number> with_bins_;
};
// To jobs of running_job(): where they moved bytes, and when they were active.
void add_places(jobs::Database& database, const std::vector<RunningJob*>& jobs);
void add_bins(jobs::Database& database, std::vector<RunningJob*> jobs);

// Calls visit(job, length, bins) for the time bins of these jobs (ids) as the database has them:
// jobs/entry/bins.h.
void each_packed_bins(jobs::Database& database, const jobs::Values& keys,
                      const std::function<void(Number, jobs::Known, const std::string&)>& visit);

// Other runs of its kind: same program, user and processes, as many bytes (10 % more or less), or where none
// has, any; the last ones first.
std::vector<Number> runs_alike(jobs::Database& database, const RunningJob& job, std::size_t most);

// The bins of a value of the database. `lack` becomes why there are none.
ActiveBins bins_from(std::string_view packed, jobs::Known length, Number start, Number end, Lack& lack);

// Columns of table jobs that running_job() takes, in its order.
extern const std::string_view running_columns;
std::vector<jobs::ValueType> running_types();
RunningJob running_job(std::span<const jobs::Value> row);

}  // namespace fathom::neighbours
