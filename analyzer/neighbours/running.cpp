// An index leads to those that ran at a time; mounts and bins come for many jobs at once.
#include "analyzer/neighbours/running.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/printable.h"
#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"

namespace fathom::neighbours {
namespace {

using jobs::Database;
using jobs::Value;
using jobs::Values;
using jobs::ValueType;

double amount(Number number)
{
    return static_cast<double>(std::max<Number>(number, 0));
}

std::map<Number, RunningJob*> by_id(const std::vector<RunningJob*>& jobs, Values& keys)
{
    std::map<Number, RunningJob*> all;
    for (RunningJob* const job : jobs) {
        all[job->id] = job;
        keys.emplace_back(job->id);
    }
    return all;
}

std::vector<RunningJob*> pointers_to(std::vector<RunningJob>& jobs)
{
    std::vector<RunningJob*> all;
    for (RunningJob& job : jobs) all.push_back(&job);
    return all;
}

}  // namespace

void add_places(Database& database, const std::vector<RunningJob*>& jobs)
{
    Values keys;
    const auto all = by_id(jobs, keys);
    constexpr ValueType number = ValueType::integer, words = ValueType::text;
    jobs::each_of(database,
                  "select job, mount, type, source, bytes_read + bytes_written from job_mounts where job in "
                  "(@keys)",
                  keys, std::vector{number, words, words, words, number}, [&](std::span<const Value> row) {
                      Number id = 0, bytes = 0;
                      Place place;
                      jobs::fetch(row[0], id);
                      jobs::fetch(row[1], place.mount);
                      jobs::fetch(row[2], place.type);
                      jobs::fetch(row[3], place.source);
                      jobs::fetch(row[4], bytes);
                      RunningJob& job = *all.at(id);
                      place.bytes = amount(bytes);
                      place.cluster = job.cluster;
                      job.places.push_back(std::move(place));
                  });
    // Names of nodes matter where a file system is a node's own.
    Values local;
    for (RunningJob* const job : jobs) {
        double sum = 0;
        for (const Place& place : job->places) sum += place.bytes;
        for (Place& place : job->places) place.share = sum > 0 ? place.bytes / sum : 0;
        std::ranges::sort(job->places, [](const Place& a, const Place& b) {
            return std::tuple(-a.bytes, a.mount, a.source) < std::tuple(-b.bytes, b.mount, b.source);
        });
        if (std::ranges::any_of(job->places, [](const Place& one) { return !is_shared_type(one.type); }))
            local.emplace_back(job->id);
    }
    jobs::each_of(database, "select job, node_names from job_environment where job in (@keys)", local,
                  std::vector{number, words}, [&](std::span<const Value> row) {
                      Number id = 0;
                      std::string nodes;
                      jobs::fetch(row[0], id);
                      jobs::fetch(row[1], nodes);
                      for (Place& place : all.at(id)->places) place.nodes = nodes;
                  });
}

std::string RunningJob::name() const
{
    const std::string number = job.empty() ? "" : step.empty() ? job : fmt::format("{}.{}", job, step);
    return number.empty() ? fmt::format("{}", id) : report::printable(fmt::format("{} ({})", id, number));
}

const std::string_view running_columns =
    "id, start_ns, end_ns, job, step, user_name, program, cluster, writes_mode, reads_mode, processes, "
    "bytes_read, bytes_written, recorded, nodes";

std::vector<ValueType> running_types()
{
    constexpr ValueType number = ValueType::integer, words = ValueType::text;
    return {number, number, number, words,  words,  words,  words, words,
            words,  words,  number, number, number, number, number};
}

RunningJob running_job(std::span<const Value> row)
{
    RunningJob job;
    Number read = 0, written = 0, recorded = 0;
    jobs::Known processes, nodes;
    jobs::fetch(row[0], job.id);
    jobs::fetch(row[1], job.start);
    jobs::fetch(row[2], job.end);
    jobs::fetch(row[3], job.job);
    jobs::fetch(row[4], job.step);
    jobs::fetch(row[5], job.user);
    jobs::fetch(row[6], job.program);
    jobs::fetch(row[7], job.cluster);
    jobs::fetch(row[8], job.writes_mode);
    jobs::fetch(row[9], job.reads_mode);
    jobs::fetch(row[10], processes);
    jobs::fetch(row[11], read);
    jobs::fetch(row[12], written);
    jobs::fetch(row[13], recorded);
    jobs::fetch(row[14], nodes);
    job.nodes = amount(nodes.value_or(0));
    job.processes = amount(processes.value_or(0));
    job.bytes_read = amount(read);
    job.bytes_written = amount(written);
    job.lack = recorded == 0                            ? Lack::log
               : job.start <= 0 || job.end <= job.start ? Lack::time
                                                        : Lack::nothing;
    return job;
}

RunningJob job_of(Database& database, Number id)
{
    std::vector<RunningJob> found;
    database.each_again(fmt::format("select {} from jobs where id = ?", running_columns), Values{id},
                        running_types(),
                        [&](std::span<const Value> row) { found.push_back(running_job(row)); });
    if (found.empty())
        throw jobs::DatabaseError(fmt::format("{}: no job has the id {}; `fathom jobs list` has those of all",
                                              database.name(), id));
    add_places(database, pointers_to(found));
    return found.front();
}

std::vector<Number> ids_between(Database& database, Number start, Number end, Number but)
{
    // Nobody ran longer, so that those that began earlier than that are over. (The view has all jobs and
    // their indexes also where a session sees some of them alone, or some of what they are.)
    const Value longest = database.one_again(
        "select end_ns - start_ns from fathom_jobs order by (end_ns - start_ns) desc limit 1", {},
        ValueType::integer);
    Number length = 0;
    jobs::fetch(longest, length);
    std::vector<Number> ids;
    database.each_again(
        "select id from fathom_jobs where start_ns >= ? and start_ns <= ? and (end_ns >= ? or (end_ns = 0 "
        "and start_ns >= ?)) order by start_ns",
        Values{start - std::max<Number>(length, 0), end, start, start}, std::vector{ValueType::integer},
        [&](std::span<const Value> row) {
            Number id = 0;
            jobs::fetch(row[0], id);
            if (id != but) ids.push_back(id);
        });
    return ids;
}

std::vector<RunningJob> jobs_between(Database& database, Number start, Number end, Number but)
{
    return SeenJobs(database).between(start, end, but);
}

std::vector<RunningJob> SeenJobs::between(Number start, Number end, Number but)
{
    constexpr std::size_t most_kept = 4000;
    if (jobs_.size() > most_kept) {
        jobs_.clear();
        with_bins_.clear();
    }
    std::vector<Number> ids = ids_between(database_, start, end, but);
    std::ranges::sort(ids);
    Values keys;
    for (const Number id : ids)
        if (!jobs_.contains(id)) keys.emplace_back(id);
    std::vector<RunningJob> found;
    jobs::each_of(database_, fmt::format("select {} from jobs where id in (@keys)", running_columns), keys,
                  running_types(), [&](std::span<const Value> row) { found.push_back(running_job(row)); });
    add_places(database_, pointers_to(found));
    for (RunningJob& job : found) {
        const Number id = job.id;
        jobs_.emplace(id, std::move(job));
    }
    std::vector<RunningJob> all;
    for (const Number id : ids)
        if (const auto job = jobs_.find(id); job != jobs_.end()) all.push_back(job->second);
    return all;
}

void SeenJobs::add_bins(const std::vector<RunningJob*>& jobs)
{
    std::vector<RunningJob*> missing;
    for (RunningJob* const job : jobs)
        if (!with_bins_.contains(job->id)) missing.push_back(job);
    neighbours::add_bins(database_, missing);
    for (RunningJob* const job : missing) {
        with_bins_.insert(job->id);
        jobs_.insert_or_assign(job->id, *job);
    }
}

ActiveBins bins_from(std::string_view packed, jobs::Known length, Number start, Number end, Lack& lack)
{
    ActiveBins bins;
    if (lack != Lack::nothing) return bins;
    std::vector<jobs::Bin> all;
    try {
        all = jobs::unpack(packed);
    } catch (const std::runtime_error&) {  // damaged ones tell nothing
    }
    constexpr Number longest_bin = Number{1} << 60;  // ns, some 36 years: what is above is damaged
    if (all.empty() || length.value_or(0) <= 0 || *length > longest_bin) {
        lack = Lack::bins;
        return bins;
    }
    bins.length = static_cast<std::uint64_t>(*length);
    const std::uint64_t first = static_cast<std::uint64_t>(start) / bins.length,
                        last = static_cast<std::uint64_t>(end) / bins.length;
    for (const jobs::Bin& bin : all) {
        // A bin more on either side: ends of runs are rounded.
        if (bin.number + 1 < first || bin.number > last + 1) {
            lack = Lack::clock;
            return {};
        }
        bins.bins.push_back({bin.number, static_cast<double>(bin.bytes_read + bin.bytes_written),
                             static_cast<double>(std::max(bin.readers, bin.writers))});
    }
    return bins;
}

void add_bins(Database& database, std::vector<RunningJob*> jobs)
{
    std::erase_if(jobs,
                  [](const RunningJob* job) { return job->lack != Lack::nothing || job->bins.length > 0; });
    Values keys;
    const auto all = by_id(jobs, keys);
    for (RunningJob* const job : jobs) job->lack = Lack::bins;
    each_packed_bins(database, keys, [&](Number id, jobs::Known length, const std::string& packed) {
        RunningJob& job = *all.at(id);
        job.lack = Lack::nothing;
        job.bins = bins_from(packed, length, job.start, job.end, job.lack);
    });
}

void each_packed_bins(Database& database, const Values& keys,
                      const std::function<void(Number, jobs::Known, const std::string&)>& visit)
{
    jobs::each_of(database, "select job, bin_ns, bins from job_details where job in (@keys)", keys,
                  std::vector{ValueType::integer, ValueType::integer, ValueType::text},
                  [&](std::span<const Value> row) {
                      Number id = 0;
                      jobs::Known length;
                      std::string packed;
                      jobs::fetch(row[0], id);
                      jobs::fetch(row[1], length);
                      jobs::fetch(row[2], packed);
                      visit(id, length, packed);
                  });
}

std::vector<Number> runs_alike(Database& database, const RunningJob& job, std::size_t most)
{
    std::vector<Number> ids;
    if (job.program.empty() || job.user.empty() || job.processes == 0 || job.bytes() == 0) return ids;
    const auto add = [&](double least_bytes, double most_bytes) {
        database.each_again(
            "select id from jobs where program = ? and user_name = ? and processes = ? and id <> ? and "
            "recorded = 1 and bytes_read + bytes_written between ? and ? order by start_ns desc limit ?",
            Values{job.program, job.user, static_cast<Number>(job.processes), job.id,
                   static_cast<Number>(least_bytes), static_cast<Number>(most_bytes),
                   static_cast<Number>(most)},
            std::vector{ValueType::integer}, [&](std::span<const Value> row) {
                Number id = 0;
                jobs::fetch(row[0], id);
                ids.push_back(id);
            });
    };
    constexpr double more = 1.1, any = 9e18;
    add(job.bytes() / more, std::min(job.bytes() * more, any));
    if (ids.empty()) add(1, any);
    return ids;
}

}  // namespace fathom::neighbours
