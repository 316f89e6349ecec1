// Asks the database for all that has the number of one of these jobs, decides for one allocation after the
// other, and writes what is new at once.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "analyzer/jobs/accounting/accounts.h"
#include "analyzer/jobs/accounting/columns.h"
#include "analyzer/jobs/store/keys.h"
#include "analyzer/jobs/store/lease.h"

namespace fathom::jobs {
namespace {

constexpr std::string_view slurm = "Slurm";  // as logs call it (logformat/job_identity.h)

// A row that is there, or will be.
template <class Row>
struct Stored {
    Row row;
    std::optional<Values> before;  // nothing: it is new
    bool removed = false;
};
using StoredJob = Stored<Job>;
using StoredAllocation = Stored<Allocation>;

// Rows of one kind, by their number in the batch system.
template <class Row>
class Rows {
  public:
    explicit Rows(std::span<const std::string_view> names) : columns_(names) {}

    void ask(Database& database, std::span<const Value> jobs)
    {
        const std::string table(Row::table);
        const Value last = database.one("select max(id) from " + table, {}, ValueType::integer);
        if (const auto* const id = std::get_if<std::int64_t>(&last)) next_ = *id + 1;
        each_of(database, columns_.select() + " where job in (@keys) order by id", jobs, columns_.types(),
                [&](std::span<const Value> values) {
                    Row row = columns_.row_of(values);
                    const std::string job = row.job;
                    all_.emplace(job, Stored<Row>{std::move(row), Values(values.begin(), values.end())});
                });
    }
    Stored<Row>& add(Row row)
    {
        row.id = next_++;
        const std::string job = row.job;
        return all_.emplace(job, Stored<Row>{std::move(row), {}})->second;
    }
    auto of(const std::string& job) { return all_.equal_range(job); }
    bool has_changed(const Stored<Row>& stored) const
    {
        return stored.before && columns_.values_of(stored.row) != *stored.before;
    }
    void write(Database& database)
    {
        Values removed, cells;
        // New ones by their key, so that the file of SQLite grows at its end.
        std::vector<const Row*> added;
        for (const auto& [job, stored] : all_) {
            if (stored.removed && stored.before) removed.emplace_back(stored.row.id);
            if (stored.removed) continue;
            if (!stored.before) added.push_back(&stored.row);
            if (has_changed(stored)) columns_.update(database, stored.row);
        }
        std::sort(added.begin(), added.end(),
                  [](const Row* one, const Row* other) { return one->id < other->id; });
        for (const Row* const row : added) append(*row, cells);
        run_of(database, "delete from " + std::string(Row::table) + " where id in (@keys)", removed);
        insert(database, Row::table, cells);
    }

  private:
    Columns<Row> columns_;
    std::multimap<std::string, Stored<Row>> all_;
    Number next_ = 1;
};

void say_text(std::string& known, const std::string& said, bool older)
{
    if (!said.empty() && (known.empty() || !older)) known = said;
}
void say_count(Known& known, Known said, bool older)
{
    if (said && (!known || !older)) known = said;
}

bool may_be_equal(const std::string& one, const std::string& other)
{
    return one.empty() || other.empty() || one == other;
}

bool ran_in(const Job& job, const Allocation& allocation)
{
    return were_together(job.start, job.end, allocation.start, end_or_open(allocation.end));
}
bool ran_as(const Job& job, const Listed& step)
{
    return were_together(job.start, job.end, step.start, end_or_open(step.end));
}

// One allocation, and what is there of its jobs.
class Placing {
  public:
    Placing(Rows<Job>& jobs, const Account& account, Allocation& allocation, AccountingCount& count)
        : jobs_(jobs), account_(account), allocation_(allocation), count_(count)
    {}

    void work()
    {
        gather();
        for (StoredJob* const log : logs_) take_log(*log);
        std::vector<const Listed*> open = steps_without_a_row();
        take_nearest(open);
        for (const Listed* const step : open) add(*step);
        finish_whole();
        end_steps();
    }

  private:
    void gather()
    {
        const auto [from, to] = jobs_.of(allocation_.job);
        for (auto at = from; at != to; ++at) {
            StoredJob& stored = at->second;
            const Job& job = stored.row;
            if (stored.removed) continue;
            if (job.recorded == 0) {
                if (job.allocation != allocation_.id) continue;
                if (job.step.empty())
                    whole_ = &stored;
                else
                    unrecorded_[job.step] = &stored;
            } else if (job.allocation == allocation_.id || (!job.allocation && ran_in(job, allocation_))) {
                logs_.push_back(&stored);
            }
        }
        // The jobs of one number come by their key, new ones last.
        std::sort(logs_.begin(), logs_.end(),
                  [](const StoredJob* one, const StoredJob* other) { return one->row.id < other->row.id; });
    }

    void take_log(StoredJob& log)
    {
        if (!log.row.allocation) ++count_.logs;
        lend(lease(), log.row);
    }

    Lease lease() const
    {
        return {.id = allocation_.id,
                .start = allocation_.start,
                .end = end_or_open(allocation_.end),
                .cluster = allocation_.cluster,
                .account = allocation_.account,
                .user = allocation_.user,
                .cores = allocation_.cores};
    }

    // Of one that is listed twice, the one that ended, or the last.
    std::vector<const Listed*> different_steps() const
    {
        std::vector<const Listed*> steps;
        std::unordered_map<std::string_view, std::size_t> at;
        for (const Listed& step : account_.steps) {
            const auto [place, first] = at.try_emplace(step.step, steps.size());
            if (first)
                steps.push_back(&step);
            else if (!is_older(step, *steps[place->second]))
                steps[place->second] = &step;
        }
        return steps;
    }

    // By the number of the step.
    std::vector<const Listed*> steps_without_a_row()
    {
        std::unordered_multimap<std::string_view, const Job*> with_number;
        for (const StoredJob* const log : logs_)
            if (!log->row.step.empty()) with_number.emplace(log->row.step, &log->row);
        std::vector<const Listed*> open;
        for (const Listed* const step : different_steps()) {
            const auto there = unrecorded_.find(step->step);
            if (there != unrecorded_.end()) {
                say(there->second->row, *step);
                continue;
            }
            const auto [from, to] = with_number.equal_range(step->step);
            if (std::none_of(from, to, [&](const auto& log) { return ran_as(*log.second, *step); }))
                open.push_back(step);
        }
        return open;
    }

    // Logs without a number of their step are each of the step that was under way when they were: of several
    // the one with the most similar times, as for a log that comes later (store.cpp).
    void take_nearest(std::vector<const Listed*>& open) const
    {
        for (StoredJob* const log : logs_) {
            const Job& job = log->row;
            if (!job.step.empty()) continue;
            auto nearest = open.end();
            Number least = 0;
            for (auto step = open.begin(); step != open.end(); ++step) {
                if (!ran_as(job, **step)) continue;
                const Number far = distance(job.start, job.end, (*step)->start, end_or_open((*step)->end));
                if (nearest != open.end() && far >= least) continue;
                nearest = step;
                least = far;
            }
            if (nearest == open.end()) continue;
            log->row.step = (*nearest)->step;
            say_count(log->row.nodes, (*nearest)->nodes, true);
            open.erase(nearest);
        }
    }

    // The row of the allocation itself: it is there as long as no step is known, recorded or listed. What
    // runs beside the programs (extern) is no step in this sense: it ends with the allocation, and without
    // others nobody knows what ran there.
    void finish_whole()
    {
        if (!logs_.empty() || !unrecorded_.empty() || !account_.steps.empty()) {
            if (whole_ != nullptr) whole_->removed = true;
        } else if (whole_ != nullptr) {
            say(whole_->row, whole());
        } else {
            add(whole());
        }
    }

    Listed whole() const
    {
        Listed all;
        all.job = allocation_.job;
        all.array_job = account_.allocation.array_job;
        all.array_index = account_.allocation.array_index;
        all.start = allocation_.start;
        all.end = allocation_.end;
        all.nodes = allocation_.nodes;
        all.tasks = account_.allocation.tasks;
        all.elapsed = account_.allocation.elapsed;
        return all;
    }

    void add(const Listed& step)
    {
        Job row;
        row.batch_system = slurm;
        row.job = step.job;
        row.step = step.step;
        say(row, step);
        jobs_.add(std::move(row));
        ++count_.steps;
    }

    void say(Job& job, const Listed& step) const
    {
        const bool older = step.end == 0 && job.end != 0;
        say_text(job.array_job, step.array_job, older);
        say_text(job.array_index, step.array_index, older);
        say_text(job.job_name, allocation_.name, older);
        say_text(job.queue, allocation_.queue, older);
        // srun calls a step after its program where nobody gives it another name.
        if (step.is_step() && step.step[0] >= '0' && step.step[0] <= '9')
            say_text(job.program, step.name, older);
        say_count(job.processes, step.tasks, older);
        say_count(job.nodes, step.nodes, older);
        say_text(job.user, allocation_.user, older);
        lend(lease(), job);
        if (older) return;
        job.start = step.start;
        set_end(job, step.end, step.elapsed);
    }

    static void set_end(Job& job, Number end, Known elapsed)
    {
        job.end = end;
        job.run = {};
        if (end != 0) job.run = elapsed ? std::min(*elapsed, end - job.start) : end - job.start;
    }

    // Those of which an earlier list says that they are under way have ended at the latest with the
    // allocation.
    void end_steps()
    {
        if (allocation_.end == 0) return;
        for (const auto& [number, stored] : unrecorded_)
            if (stored->row.end == 0) set_end(stored->row, std::max(allocation_.end, stored->row.start), {});
    }

    Rows<Job>& jobs_;
    const Account& account_;
    Allocation& allocation_;
    AccountingCount& count_;
    StoredJob* whole_ = nullptr;                                   // the row of the allocation itself
    std::unordered_map<std::string_view, StoredJob*> unrecorded_;  // by step
    std::vector<StoredJob*> logs_;
};

class Storing {
  public:
    Storing(Database& database, AccountingCount& count) : database_(database), count_(count) {}

    void work(std::vector<Account>& accounts)
    {
        std::unordered_set<std::string_view> numbers;
        for (const Account& account : accounts) numbers.insert(account.allocation.job);
        const Values keys = [&] {
            Values all;
            for (const std::string_view number : numbers) all.emplace_back(std::string(number));
            return all;
        }();
        allocations_.ask(database_, keys);
        jobs_.ask(database_, keys);
        for (const Account& account : accounts) place(account);
        allocations_.write(database_);
        jobs_.write(database_);
    }

  private:
    void place(const Account& account)
    {
        StoredAllocation* stored = find(account);
        if (stored == nullptr) {
            Allocation row;
            row.job = account.allocation.job;
            stored = &allocations_.add(std::move(row));
            stored->row.start = account.allocation.start;
            ++count_.allocations;
        }
        const bool changed_before = allocations_.has_changed(*stored);
        say(stored->row, account);
        if (!changed_before && allocations_.has_changed(*stored)) ++count_.changed;
        Placing(jobs_, account, stored->row, count_).work();
    }

    // Steps without their allocation are of the one that was under way when they began.
    StoredAllocation* find(const Account& account)
    {
        const Listed& listed = account.allocation;
        StoredAllocation* found = nullptr;
        const auto [from, to] = allocations_.of(listed.job);
        for (auto at = from; at != to; ++at) {
            const Allocation& other = at->second.row;
            if (!may_be_equal(listed.cluster, other.cluster) || !may_be_equal(listed.user, other.user))
                continue;
            const bool same = is_same_allocation(listed.start, listed.end, other.start, other.end);
            const bool inside = !account.listed && were_together(listed.start, end_or_open(listed.end),
                                                                 other.start, end_or_open(other.end));
            if (!same && !inside) continue;
            if (found == nullptr || nearer(listed, other, found->row)) found = &at->second;
        }
        return found;
    }

    static bool nearer(const Listed& listed, const Allocation& one, const Allocation& other)
    {
        return std::abs(listed.start - one.start) < std::abs(listed.start - other.start);
    }

    static void say(Allocation& row, const Account& account)
    {
        const Listed& listed = account.allocation;
        const bool fresh = row.end == 0 && row.state.empty();
        const bool older = !account.listed || (listed.end == 0 && row.end != 0);
        say_text(row.cluster, listed.cluster, older);
        say_text(row.name, listed.name, older);
        say_text(row.user, listed.user, older);
        say_text(row.account, listed.account, older);
        say_text(row.queue, listed.queue, older);
        say_text(row.state, listed.state, older);
        say_count(row.nodes, listed.nodes, older);
        say_count(row.cores, listed.cores, older);
        if (account.listed && !older) {
            row.start = listed.start;
            row.end = listed.end;
        } else if (!account.listed && row.state.empty()) {
            row.start = std::min(row.start, listed.start);
            row.end = fresh ? listed.end : std::max(row.end, listed.end);
        }
    }

    Database& database_;
    AccountingCount& count_;
    Rows<Allocation> allocations_{allocation_columns};
    Rows<Job> jobs_{job_columns};
};

}  // namespace

void store_accounts(Database& database, std::vector<Account>& accounts, AccountingCount& count)
{
    Storing(database, count).work(accounts);
}

}  // namespace fathom::jobs
