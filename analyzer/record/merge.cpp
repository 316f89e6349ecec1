// Numbers processes anew and merges what is there twice.
#include "analyzer/record/merge.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "analyzer/record/endings.h"
#include "logformat/job_identity.h"

namespace fathom {
namespace {

// Calls rename(number) for each number of a process in the rows, but for those of the process table.
template <class Rename>
void rename_processes(Log& log, Rename rename)
{
    const auto in_records = [&](auto& records) {
        for (auto& record : records)
            for (std::int64_t* const process :
                 {&record.process, &record.slowest.process, &record.fastest.process})
                if (*process >= 0) *process = rename(*process);
    };
    const auto in_rows = [&](auto& rows) {
        for (auto& row : rows) row.process = rename(row.process);
    };
    in_rows(log.rows<Totals>());
    in_rows(log.rows<Burst>());
    in_rows(log.rows<Slice>());
    in_rows(log.rows<CollectiveCall>());
    in_rows(log.rows<TracePiece>());
    in_rows(log.rows<TracePlace>());
    in_rows(log.rows<TraceTimes>());
    in_records(log.rows<PosixRecord>());
    in_records(log.rows<StdioRecord>());
    in_records(log.rows<MpiioRecord>());
    in_records(log.rows<DataFileRecord>());
    in_records(log.rows<DatasetRecord>());
}

template <class Row>
void sort_by_process(std::vector<Row>& rows)
{
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.process < b.process; });
}

template <class Row>
bool is_same(const Row& one, const Row& other)
{
    bool same = true;
    each_field<Row>([&](const auto& field) { same = same && one.*field.member == other.*field.member; });
    return same;
}

template <class Row>
void leave_known_rows(const std::vector<Row>& ours, std::vector<Row>& theirs)
{
    std::erase_if(theirs, [&](const Row& row) {
        return std::any_of(ours.begin(), ours.end(), [&](const Row& known) { return is_same(row, known); });
    });
}

// Gives the processes their final numbers.
void number(Log& log)
{
    auto& processes = log.rows<Process>();
    std::stable_sort(processes.begin(), processes.end(), [](const Process& a, const Process& b) {
        const auto rank = [](const Process& one) {
            return static_cast<std::uint64_t>(one.rank);
        };  // -1: last
        return rank(a) != rank(b) ? rank(a) < rank(b) : a.start < b.start;
    });
    std::vector<std::int64_t> numbers(processes.size());
    for (std::size_t at = 0; at < processes.size(); ++at) {
        numbers[static_cast<std::size_t>(processes[at].process)] = static_cast<std::int64_t>(at);
        processes[at].process = static_cast<std::int64_t>(at);
    }
    rename_processes(log, [&](std::int64_t process) {
        return process < 0 ? reduced : numbers[static_cast<std::size_t>(process)];
    });
    sort_by_process(log.rows<Totals>());
    sort_by_process(log.rows<Burst>());
}

}  // namespace

bool Merger::has(const Process& process) const
{
    return processes_.contains({process.start, process.pid, process.host});
}

Merger::Numbers Merger::add(Log&& other)
{
    leave_known_names(other);
    leave_known_surroundings(other);
    leave_known_layouts(other);
    failed_paths_.take(other);
    other.compact();
    Numbers numbers = take_processes(other);
    // A damaged log may name a process that it does not list.
    rename_processes(other, [&](std::int64_t process) {
        const auto found = numbers.find(process);
        return found == numbers.end() ? reduced : found->second;
    });
    take_totals(other);
    timings_.take(log_, other);
    records_.next(log_, numbers);
    log_.append(std::move(other));
    return numbers;
}

// Programs of one recording may have run in several jobs of a batch system, or steps of one: the facts are of
// one job, that of the first log which has any.
void Merger::settle_identity(Log& other)
{
    const auto of_other = other.fact(identity::job_id), ours = log_.fact(identity::job_id);
    if (!of_other) return;
    if (ours && ours != of_other) {
        std::erase_if(other.rows<Fact>(), [](const Fact& fact) { return identity::is_identity(fact.name); });
        return;
    }
    const auto step = other.fact(identity::job_step);
    for (Fact& fact : log_.rows<Fact>())
        if (step && fact.name == identity::job_step && fact.value != step) fact.value = identity::several;
}

void Merger::leave_known_surroundings(Log& other)
{
    if (kept_ == KeptFacts::of_first_log) {
        settle_identity(other);
        std::erase_if(other.rows<Fact>(), [&](const Fact& fact) {
            return fact.name != death_fact && fact.name != start_fact && log_.fact(fact.name).has_value();
        });
        if (!log_.rows<Mount>().empty()) other.rows<Mount>().clear();
        return;
    }
    leave_known_rows(log_.rows<Fact>(), other.rows<Fact>());
    leave_known_rows(log_.rows<Mount>(), other.rows<Mount>());
}

Merger::Numbers Merger::take_processes(Log& other)
{
    Numbers numbers;
    auto& ours = log_.rows<Process>();
    for (Process process : other.rows<Process>()) {
        std::size_t at = ours.size();
        if (process.rank >= 0)
            at = ranks_.try_emplace({process.rank, process.pid, process.host}, at).first->second;
        numbers[process.process] = static_cast<std::int64_t>(at);
        process.process = static_cast<std::int64_t>(at);
        processes_.insert({process.start, process.pid, process.host});
        if (at < ours.size())
            merge(ours[at], process);
        else
            ours.push_back(process);
    }
    other.rows<Process>().clear();
    return numbers;
}

// A process that is merged has its totals merged as well.
void Merger::take_totals(Log& other)
{
    auto& ours = log_.rows<Totals>();
    for (const Totals& totals : other.rows<Totals>()) {
        const auto [known, fresh] =
            totals_.try_emplace({totals.process, totals.layer, totals.scope}, ours.size());
        if (fresh)
            ours.push_back(totals);
        else
            merge(ours[known->second], totals);
    }
    other.rows<Totals>().clear();
}

// Names that several processes know are needed once; of its kinds the one that says most.
void Merger::leave_known_names(Log& other)
{
    auto& ours = log_.rows<FileName>();
    auto& theirs = other.rows<FileName>();
    std::size_t kept = 0;
    if (names_.empty()) names_.reserve(theirs.size());
    for (std::size_t at = 0; at < theirs.size(); ++at) {
        const FileName name = theirs[at];
        const auto [known, fresh] = names_.try_emplace(name.file, ours.size() + kept);
        if (fresh) {
            theirs[kept++] = name;
            continue;
        }
        const std::size_t place = known->second;
        FileName& same = place < ours.size() ? ours[place] : theirs[place - ours.size()];
        const std::uint64_t kind = std::min(same.kind, name.kind);  // "never opened" is the largest
        merge(same, name);
        same.kind = kind;
    }
    theirs.resize(kept);
}

// Of a file's layouts and hints, as several processes found them, the first are kept.
void Merger::leave_known_layouts(Log& other)
{
    std::erase_if(other.rows<Layout>(),
                  [&](const Layout& layout) { return !layouts_.insert(layout.file).second; });
    std::erase_if(other.rows<Hints>(), [&](const Hints& hints) { return !hints_.insert(hints.file).second; });
}

Log Merger::finish()
{
    settle_deaths(log_);
    settle_starts(log_);
    return pause();
}

Log Merger::pause()
{
    records_.settle(log_);
    number(log_);
    settle_timings(log_);
    failed_paths_.settle(log_);
    return std::move(log_);
}

}  // namespace fathom
