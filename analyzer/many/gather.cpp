// The threads take the next log from a common counter and leave its row in a place of its own.
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

class Gathering {
  public:
    explicit Gathering(std::span<const std::string> logs)
        : logs_(logs), rows_(logs.size()), troubles_(logs.size())
    {}

    void work(const Tick& tick)
    {
        for (std::size_t at = 0; (at = next_.fetch_add(1)) < logs_.size();) {
            take(at);
            tell_progress(tick, done_.fetch_add(1) + 1, logs_.size());
        }
    }

    GatheredRows result()
    {
        GatheredRows all;
        std::size_t kept = 0;
        for (std::size_t at = 0; at < logs_.size(); ++at) {
            if (!troubles_[at].empty())
                all.troubles.push_back(std::move(troubles_[at]));
            else if (kept++ != at)
                rows_[kept - 1] = std::move(rows_[at]);
        }
        rows_.resize(kept);
        all.rows = std::move(rows_);
        return all;
    }

  private:
    void take(std::size_t at)
    {
        const std::string& path = logs_[at];
        std::error_code unknown;
        const auto size = std::filesystem::file_size(path, unknown);
        std::unique_lock<std::mutex> alone(large_, std::defer_lock);
        if (!unknown && size > large_log) alone.lock();
        try {
            const Log log = open_dataset(path);
            rows_[at] = row_of(Job(log), path);
        } catch (const std::bad_alloc&) {
            troubles_[at] = report::printable(path) + ": not enough memory to read it";
        } catch (const std::exception& trouble) {
            troubles_[at] = report::printable(trouble.what());
        }
    }

    std::span<const std::string> logs_;
    std::vector<JobRow> rows_;
    std::vector<std::string> troubles_;  // empty: the row is there
    std::atomic<std::size_t> next_{0}, done_{0};
    std::mutex large_;
};

}  // namespace

GatheredRows gather_rows(std::span<const std::string> logs, std::size_t threads, const Tick& tick)
{
    keep_freed_memory();
    Gathering gathering(logs);
    {
        std::vector<std::jthread> others;
        for (std::size_t one = 1; one < std::min(threads, logs.size()); ++one)
            others.emplace_back([&] { gathering.work({}); });
        gathering.work(tick);
    }
    return gathering.result();
}

std::size_t usable_processors()
{
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace fathom
