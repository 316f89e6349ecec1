// The threads take the next log from a common counter.
#include "analyzer/many/gather.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <malloc.h>
#include <mutex>
#include <new>
#include <thread>

#include "analyzer/document/printable.h"
#include "parsers/open.h"

namespace fathom {
namespace {

// Logs above this are read one after the other: what they unfold to may be many times as much.
constexpr std::uint64_t large_log = 8u << 20;

// What a log took is taken again by the next: given back to the system in between, it would be cleared anew,
// which costs a fifth of the time. Of larger pieces nothing is kept.
void keep_freed_memory()
{
    constexpr int largest_kept = 16 << 20, most_kept = 64 << 20;  // bytes, of each thread
    mallopt(M_MMAP_THRESHOLD, largest_kept);
    mallopt(M_TRIM_THRESHOLD, most_kept);
    mallopt(M_TOP_PAD, 1 << 20);
}

class Reading {
  public:
    Reading(std::span<const std::string> logs, const TakeJob& take) : logs_(logs), take_(take) {}

    void work(const Tick& tick)
    {
        for (std::size_t at = 0; (at = next_.fetch_add(1)) < logs_.size();) {
            if (!read(at)) next_ = logs_.size();
            tell_progress(tick, done_.fetch_add(1) + 1, logs_.size());
        }
    }

  private:
    bool read(std::size_t at)
    {
        const std::string& path = logs_[at];
        std::error_code unknown;
        const auto size = std::filesystem::file_size(path, unknown);
        std::unique_lock<std::mutex> alone(large_, std::defer_lock);
        if (!unknown && size > large_log) alone.lock();
        std::string trouble;
        try {
            const Log log = open_packed(path);
            const Job job(log);
            return take_(at, &job, {});
        } catch (const std::bad_alloc&) {
            trouble = report::printable(path) + ": not enough memory to read it";
        } catch (const std::exception& error) {
            trouble = report::printable(error.what());
        }
        return take_(at, nullptr, std::move(trouble));
    }

    std::span<const std::string> logs_;
    const TakeJob& take_;
    std::atomic<std::size_t> next_{0}, done_{0};
    std::mutex large_;
};

}  // namespace

void read_each(std::span<const std::string> logs, std::size_t threads, const Tick& tick, const TakeJob& take)
{
    keep_freed_memory();
    Reading reading(logs, take);
    std::vector<std::jthread> others;
    for (std::size_t one = 1; one < std::min(threads, logs.size()); ++one)
        others.emplace_back([&] { reading.work({}); });
    reading.work(tick);
}

GatheredRows gather_rows(std::span<const std::string> logs, std::size_t threads, const Tick& tick)
{
    std::vector<JobRow> rows(logs.size());
    std::vector<std::string> troubles(logs.size());  // empty: the row is there
    read_each(logs, threads, tick, [&](std::size_t at, const Job* job, std::string trouble) {
        if (job != nullptr)
            rows[at] = row_of(*job, logs[at]);
        else
            troubles[at] = std::move(trouble);
        return true;
    });
    GatheredRows all;
    for (std::size_t at = 0; at < logs.size(); ++at) {
        if (troubles[at].empty())
            all.rows.push_back(std::move(rows[at]));
        else
            all.troubles.push_back(std::move(troubles[at]));
    }
    return all;
}

std::size_t usable_processors()
{
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace fathom
