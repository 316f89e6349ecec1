// Whoever has read the last log of a batch stores it, while the others go on reading.
#include "analyzer/jobs/add/add_logs.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/entry/identity.h"
#include "analyzer/jobs/store/paths.h"
#include "analyzer/many/find_logs.h"
#include "analyzer/many/gather.h"

namespace fathom::jobs {
namespace {

using Clock = std::chrono::steady_clock;

// Of a transaction: the first jobs are there soon, and of many each page of an index is written seldom.
constexpr std::size_t first_at_once = 128, most_at_once = 1024;
constexpr auto longest_wait = std::chrono::seconds(5);

struct FileState {
    Number size = -1, changed = 0;  // -1: it cannot be looked at, errno says why
};

FileState state_of(const std::string& path)
{
    struct stat state;
    if (::stat(path.c_str(), &state) != 0) return {};
    return {state.st_size, state.st_mtim.tv_sec * Number{1'000'000'000} + state.st_mtim.tv_nsec};
}

// The row has what the log says; who lists jobs by date is to know.
void note_clock(const std::string& path, const Job& job, std::vector<std::string>& notes)
{
    constexpr auto tolerable = std::chrono::hours(1);
    const auto now = std::chrono::system_clock::now().time_since_epoch() + tolerable;
    if (job.start > std::chrono::nanoseconds(now).count())
        notes.push_back(fmt::format(
            "{}: it began {}, which is still to come: a clock was wrong, there or here",
            report::printable(path), report::format_instant(static_cast<std::uint64_t>(job.start))));
}

class Adding {
  public:
    Adding(Database& database, std::span<const std::string> logs, std::span<const FileState> states,
           bool renew)
        : database_(database), logs_(logs), states_(states), renew_(renew)
    {}

    void take(std::size_t at, const fathom::Job* job, std::string trouble)
    {
        Entry entry;
        if (job != nullptr) {
            entry = entry_of(*job);
            entry.job.process = process_key_of(*job, logs_[at]);
        }
        entry.log.path = stored_path(logs_[at]);
        entry.log.size = states_[at].size;
        entry.log.changed = states_[at].changed;
        entry.log.trouble = std::move(trouble);
        std::vector<Entry> batch;
        {
            const std::lock_guard<std::mutex> lock(waiting_lock_);
            note_clock(logs_[at], entry.job, unsaid_);
            waiting_.push_back(std::move(entry));
            if (waiting_.size() < at_once_ && Clock::now() - stored_ < longest_wait) return;
            batch.swap(waiting_);
            at_once_ = std::min(2 * at_once_, most_at_once);
            stored_ = Clock::now();
        }
        write(batch);
    }

    void write_rest() { write(waiting_); }

    // To be called by one thread alone: what is wrong with logs that were stored since.
    void say_troubles(const std::function<void(const std::string&)>& say)
    {
        std::vector<std::string> lines;
        {
            const std::lock_guard<std::mutex> lock(waiting_lock_);
            lines.swap(unsaid_);
        }
        for (const std::string& line : lines) say(line);
    }

    StoreCount count;

  private:
    void write(std::vector<Entry>& batch)
    {
        if (batch.empty()) return;
        const std::lock_guard<std::mutex> lock(database_lock_);
        count.add(store(database_, batch, renew_));
        const std::lock_guard<std::mutex> unsaid_lock(waiting_lock_);
        for (const Entry& entry : batch)
            if (!entry.log.trouble.empty()) unsaid_.push_back(entry.log.trouble);
    }

    Database& database_;
    std::span<const std::string> logs_;
    std::span<const FileState> states_;
    const bool renew_;
    std::mutex waiting_lock_, database_lock_;
    std::vector<Entry> waiting_;
    std::size_t at_once_ = first_at_once;
    std::vector<std::string> unsaid_;
    Clock::time_point stored_ = Clock::now();
};

// The same file has the same path, from wherever it is named.
std::vector<std::string> absolute(std::span<const std::string> named)
{
    std::vector<std::string> all;
    for (const std::string& path : named) {
        std::error_code unknown;
        const auto whole = std::filesystem::canonical(path, unknown);
        all.push_back(unknown ? std::filesystem::absolute(path, unknown).lexically_normal().string()
                              : whole.string());
    }
    return all;
}

}  // namespace

AddCount add_logs(Database& database, std::span<const std::string> named, const AddPlan& plan,
                  const Tick& tick, const std::atomic<bool>& stop)
{
    const std::vector<std::string> places = absolute(named);
    FoundLogs found = find_logs(places);
    for (const std::string& trouble : found.troubles) plan.say(trouble);
    std::sort(found.logs.begin(), found.logs.end());
    found.logs.erase(std::unique(found.logs.begin(), found.logs.end()), found.logs.end());
    std::unordered_map<std::string, KnownLog> known;
    if (!plan.again)
        for (const std::string& place : places) known_logs(database, stored_path(place), known);
    AddCount count;
    std::vector<std::string> logs;
    std::vector<FileState> states;
    for (std::string& log : found.logs) {
        const FileState state = state_of(log);
        // One that cannot be opened has no place in the database: it may be there again any moment.
        if (state.size < 0 || ::access(log.c_str(), R_OK) != 0) {
            plan.say(fmt::format("{}: cannot open: {}; check the path", report::printable(log),
                                 std::strerror(errno)));
            ++count.broken;
            continue;
        }
        const auto there = known.find(stored_path(log));
        if (there == known.end() || there->second.size != state.size ||
            there->second.changed != state.changed) {
            logs.push_back(std::move(log));
            states.push_back(state);
        } else {
            ++(there->second.broken ? count.still_broken : count.unchanged);
        }
    }
    Adding adding(database, logs, states, plan.again);
    std::exception_ptr failure;
    std::mutex failure_lock;
    const Tick tick_and_say = [&](std::uint64_t done, std::uint64_t all) {
        adding.say_troubles(plan.say);
        tell_progress(tick, done, all);
    };
    read_each(logs, plan.threads, tick_and_say,
              [&](std::size_t at, const fathom::Job* job, std::string trouble) {
                  try {
                      adding.take(at, job, std::move(trouble));
                  } catch (...) {
                      const std::lock_guard<std::mutex> lock(failure_lock);
                      if (!failure) failure = std::current_exception();
                      return false;
                  }
                  return !stop;
              });
    if (!failure) adding.write_rest();
    adding.say_troubles(plan.say);
    if (failure) std::rethrow_exception(failure);
    count.StoreCount::add(adding.count);
    return count;
}

}  // namespace fathom::jobs
