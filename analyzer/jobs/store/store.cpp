// Asks the database for all that the logs of a batch may be copies or relatives of, decides for one log after
// the other, and writes all rows of a table at once.
#include "analyzer/jobs/store/store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "analyzer/jobs/store/lease.h"

namespace fathom::jobs {
namespace {

constexpr std::string_view best_tool = "fathom";
constexpr ValueType number = ValueType::integer, words = ValueType::text;

// A job that a log may be of.
struct Relative {
    Number id = 0, start = 0, end = 0;
    std::string match{}, process{}, step{};
    std::set<std::string> tools{};
};

Number distance_of(const Job& job, const Relative& other)
{
    return distance(job.start, job.end, other.start, other.end);
}

class Batch {
  public:
    Batch(Database& database, std::span<Entry> entries, bool renew)
        : database_(database), entries_(entries), renew_(renew)
    {}

    StoreCount work()
    {
        for (Entry& entry : entries_)
            for (std::string* const text :
                 {&entry.log.path, &entry.job.match, &entry.job.process, &entry.job.job})
                *text = stored(*text);
        ask();
        for (Entry& entry : entries_) place(entry);
        write();
        return count_;
    }

  private:
    // As the database has it, so that it is found again.
    static std::string stored(const std::string& text)
    {
        Value value;
        jobs::store(text, value);
        return std::get<std::string>(value);
    }

    // ---- what is there ----

    void ask()
    {
        const Value last = database_.one("select max(id) from jobs", {}, number);
        if (const auto* const id = std::get_if<std::int64_t>(&last)) next_ = *id + 1;
        Values identities, paths, matches, processes, jobs;
        const auto add_to = [](Values& keys, const std::string& key) {
            if (!key.empty()) keys.push_back(key);
        };
        for (const Entry& entry : entries_) {
            paths.push_back(entry.log.path);
            if (!entry.log.trouble.empty()) continue;
            identities.push_back(entry.log.identity);
            add_to(matches, entry.job.match);
            add_to(processes, entry.job.process);
            add_to(jobs, entry.job.job);
        }
        ask_relatives("jobs.match_key", matches);
        ask_relatives("jobs.process_key", processes);
        each_of(database_, "select identity, job from logs where job is not null and identity in (@keys)",
                identities, std::vector{words, number},
                [&](auto row) { copies_[std::get<std::string>(row[0])] = std::get<std::int64_t>(row[1]); });
        each_of(database_, "select path, job from logs where path in (@keys)", paths,
                std::vector{words, number},
                [&](auto row) { fetch(row[1], paths_[std::get<std::string>(row[0])]); });
        each_of(database_,
                "select job, id, start_ns, end_ns, step from jobs where recorded = 0 and job in (@keys)",
                jobs, std::vector{words, number, number, number, words}, [&](auto row) {
                    Relative one{.id = std::get<std::int64_t>(row[1])};
                    fetch(row[2], one.start);
                    fetch(row[3], one.end);
                    one.end = end_or_open(one.end);
                    fetch(row[4], one.step);
                    steps_.emplace(std::get<std::string>(row[0]), one);
                });
        each_of(
            database_,
            "select job, id, start_ns, end_ns, cluster, account, user_name, cores from allocations where job "
            "in (@keys)",
            jobs, std::vector{words, number, number, number, words, words, words, number}, [&](auto row) {
                Lease lease{.id = std::get<std::int64_t>(row[1])};
                fetch(row[2], lease.start);
                fetch(row[3], lease.end);
                lease.end = end_or_open(lease.end);
                fetch(row[4], lease.cluster);
                fetch(row[5], lease.account);
                fetch(row[6], lease.user);
                fetch(row[7], lease.cores);
                leases_.emplace(std::get<std::string>(row[0]), lease);
            });
    }

    void ask_relatives(const std::string& key, const Values& keys)
    {
        each_of(database_,
                "select jobs.id, jobs.match_key, jobs.process_key, jobs.start_ns, jobs.end_ns, logs.tool "
                "from jobs "
                "join logs on logs.job = jobs.id where " +
                    key + " in (@keys)",
                keys, std::vector{number, words, words, number, number, words}, [&](auto row) {
                    Job job;
                    fetch(row[0], job.id);
                    fetch(row[1], job.match);
                    fetch(row[2], job.process);
                    fetch(row[3], job.start);
                    fetch(row[4], job.end);
                    fetch(row[5], job.tool);
                    remember(job, job.id);
                });
    }

    // ---- which job a log is of ----

    void place(Entry& entry)
    {
        LogFile& log = entry.log;
        const auto was = paths_.find(log.path);
        const bool known = was != paths_.end();
        // What was known of a log stays while it cannot be read.
        if (!log.trouble.empty() && known && was->second) {
            ++count_.broken;
            return;
        }
        if (known) old_paths_.push_back(log.path);
        if (!log.trouble.empty()) {
            ++count_.broken;
        } else if (const auto copy = copies_.find(log.identity); copy != copies_.end()) {
            log.job = copy->second;
            ++count_.copies;
            if (renew_ && renewed_.insert(*log.job).second) renew(entry, *log.job);
        } else {
            add_lease(entry.job);
            log.job = find_job(entry, known ? was->second : std::nullopt);
            copies_[log.identity] = *log.job;
        }
        paths_[log.path] = log.job;
        append(log, logs_);
    }

    // Where its numbers are from another tool's log, they stay.
    void renew(Entry& entry, Number id)
    {
        const Value tool = database_.one("select tool from jobs where id = ?", Values{id}, words);
        if (tool != Value(entry.job.tool)) return;
        add_lease(entry.job);
        replace(entry, id);
        ++count_.renewed;
    }

    Number find_job(Entry& entry, Known before)
    {
        const Job& job = entry.job;
        Relative* nearest = nullptr;
        bool same_file = false;
        for (const Number id : with_a_key_of(job)) {
            Relative& one = relatives_.at(id);
            if (!is_same_run(job, one)) continue;
            same_file = before == id;
            if (!same_file && one.tools.contains(job.tool)) continue;
            if (nearest == nullptr || same_file || distance_of(job, one) < distance_of(job, *nearest))
                nearest = &one;
            if (same_file) break;
        }
        if (nearest != nullptr) {
            ++(same_file ? count_.changed : count_.logs);
            const bool best_there = nearest->tools.contains(std::string(best_tool));
            nearest->tools.insert(job.tool);
            if (job.tool == best_tool || (same_file && !best_there)) {
                replace(entry, nearest->id);
                remember(job, nearest->id);
            }
            return nearest->id;
        }
        if (const auto step = step_of(job); step) {
            ++count_.logs;
            add_step(*step, entry.job);
            replace(entry, *step);
            remember(job, *step);
            return *step;
        }
        ++count_.jobs;
        const Number id = next_++;
        insert_rows(entry, id);
        remember(job, id);
        return id;
    }

    // What accounting knows of it, and the log does not.
    void add_step(Number id, Job& job)
    {
        select<Job>(database_, "where id = ?", Values{id}, [&](const Job& step) {
            if (job.step.empty()) job.step = step.step;
            if (job.batch_system.empty()) job.batch_system = step.batch_system;
            if (job.job_name.empty()) job.job_name = step.job_name;
            if (job.queue.empty()) job.queue = step.queue;
            if (!job.nodes) job.nodes = step.nodes;
        });
    }

    std::set<Number> with_a_key_of(const Job& job) const
    {
        std::set<Number> ids;
        for (const std::string& key : {job.match, job.process})
            if (const auto found = by_key_.find(key); !key.empty() && found != by_key_.end())
                ids.insert(found->second.begin(), found->second.end());
        return ids;
    }

    // By the process where both know it: steps of one job may run side by side. Else by the number of the
    // job.
    static bool is_same_run(const Job& job, const Relative& one)
    {
        const bool same = job.process.empty() || one.process.empty()
                              ? job.match == one.match && !job.match.empty()
                              : job.process == one.process;
        return same && were_together(job.start, job.end, one.start, one.end,
                                     slack_between(job.start, job.end, one.start, one.end));
    }

    void remember(const Job& job, Number id)
    {
        Relative& one = relatives_[id];
        one.id = id;
        one.start = job.start;
        one.end = job.end;
        one.match = job.match;
        one.process = job.process;
        one.tools.insert(job.tool);
        for (const std::string& key : {job.match, job.process})
            if (!key.empty()) by_key_[key].insert(id);
    }

    // The step that accounting has of it: by its number, or where the log has none, the only one at that
    // time. A row without a step stands for all of an allocation whose steps are not listed.
    std::optional<Number> step_of(const Job& job)
    {
        const auto [from, to] = steps_.equal_range(job.job);
        auto found = to;
        for (auto step = from; step != to; ++step) {
            const Relative& one = step->second;
            if (!were_together(job.start, job.end, one.start, one.end)) continue;
            if (!job.step.empty() && job.step == one.step) {
                found = step;
                break;
            }
            if (!job.step.empty() && !one.step.empty()) continue;
            if (found == to || distance_of(job, one) < distance_of(job, found->second)) found = step;
        }
        if (found == to) return {};
        const Number id = found->second.id;
        steps_.erase(found);
        return id;
    }

    void add_lease(Job& job) const
    {
        const auto [from, to] = leases_.equal_range(job.job);
        for (auto at = from; at != to; ++at) {
            const Lease& lease = at->second;
            if (!were_together(job.start, job.end, lease.start, lease.end)) continue;
            lend(lease, job);
        }
    }

    // ---- rows ----

    void replace(Entry& entry, Number id)
    {
        replaced_.push_back(id);
        if (entry.job.project.empty())  // by the site's rules
            fetch(database_.one("select project from jobs where id = ?", Values{id}, words),
                  entry.job.project);
        // One of this batch is not written yet.
        for (auto& [table, rows] : rows_) rows.erase(id);
        insert_rows(entry, id);
    }

    template <class Row>
    void put(Row& row, Number id)
    {
        append(row, rows_[Row::table][id]);
    }
    template <class Part>
    void put_parts(std::vector<Part>& parts, Number id)
    {
        for (Part& part : parts) {
            part.job = id;
            put(part, id);
        }
    }

    void insert_rows(Entry& entry, Number id)
    {
        entry.job.id = id;
        put(entry.job, id);
        entry.details.job = id;
        put(entry.details, id);
        entry.environment.job = id;
        put(entry.environment, id);
        put_parts(entry.layers, id);
        put_parts(entry.mounts, id);
        put_parts(entry.modes, id);
        put_parts(entry.sharing, id);
        put_parts(entry.phases, id);
        put_parts(entry.findings, id);
        put_parts(entry.files, id);
    }

    void write()
    {
        if (!replaced_.empty()) {
            const Values ids(replaced_.begin(), replaced_.end());
            each_part([&](const auto& part) {
                run_of(database_, "delete from " + std::string(part.table) + " where job in (@keys)", ids);
            });
            run_of(database_, "delete from jobs where id in (@keys)", ids);
        }
        if (!old_paths_.empty()) run_of(database_, "delete from logs where path in (@keys)", old_paths_);
        for (const auto& [table, rows] : rows_) {
            Values cells;
            for (const auto& [id, values] : rows) cells.insert(cells.end(), values.begin(), values.end());
            insert(database_, table, cells);
        }
        insert(database_, LogFile::table, logs_);
    }

    Database& database_;
    std::span<Entry> entries_;
    const bool renew_;
    StoreCount count_;
    Number next_ = 1;
    std::unordered_map<std::string, Number> copies_;  // by identity: the job
    std::unordered_map<std::string, Known> paths_;    // of logs that are there: the job
    std::unordered_map<Number, Relative> relatives_;  // by job
    std::unordered_map<std::string, std::set<Number>> by_key_;
    std::multimap<std::string, Relative> steps_;  // without a log, by job
    std::multimap<std::string, Lease> leases_;    // by job
    std::vector<Number> replaced_;
    std::set<Number> renewed_;
    Values old_paths_, logs_;
    std::map<std::string_view, std::map<Number, Values>> rows_;  // by table and job
};

}  // namespace

void StoreCount::add(const StoreCount& other)
{
    jobs += other.jobs;
    logs += other.logs;
    copies += other.copies;
    renewed += other.renewed;
    changed += other.changed;
    broken += other.broken;
}

StoreCount store(Database& database, std::span<Entry> entries, bool renew)
{
    WriteTransaction transaction(database);
    const StoreCount count = Batch(database, entries, renew).work();
    transaction.commit();
    return count;
}

void known_logs(Database& database, const std::string& path, std::unordered_map<std::string, KnownLog>& known)
{
    const std::vector types{words, number, number, words};
    Value folder;
    store(path + "/", folder);
    const std::string& prefix = std::get<std::string>(folder);
    const auto letters =
        std::count_if(prefix.begin(), prefix.end(), [](char byte) { return (byte & 0xc0) != 0x80; });
    Value file;
    store(path, file);
    database.each("select path, size, changed_ns, trouble from logs where path = ? or substr(path, 1, ?) = ?",
                  Values{file, static_cast<Number>(letters), folder}, types, [&](std::span<const Value> row) {
                      KnownLog log;
                      fetch(row[1], log.size);
                      fetch(row[2], log.changed);
                      log.broken = !std::get<std::string>(row[3]).empty();
                      known[std::get<std::string>(row[0])] = log;
                  });
}

void remove_jobs(Database& database, std::span<const Number> ids)
{
    const Values keys(ids.begin(), ids.end());
    WriteTransaction transaction(database);
    Values allocations;
    each_of(database, "select distinct allocation from jobs where allocation is not null and id in (@keys)",
            keys, std::vector{ValueType::integer},
            [&](std::span<const Value> row) { allocations.push_back(row[0]); });
    each_part([&](const auto& part) {
        run_of(database, "delete from " + std::string(part.table) + " where job in (@keys)", keys);
    });
    run_of(database, "delete from logs where job in (@keys)", keys);
    run_of(database, "delete from jobs where id in (@keys)", keys);
    run_of(database,
           "delete from allocations where id in (@keys) and not exists (select 1 from jobs where jobs.job = "
           "allocations.job and jobs.allocation = allocations.id)",
           allocations);
    transaction.commit();
}

}  // namespace fathom::jobs
