// Whose processes they are, and when these ran.
#include "analyzer/record/same_job.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyzer/record/file_lock.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

bool is_same_job(const Log& one, const Log& other)
{
    const auto job = one.fact("job");
    return job && !job->empty() && other.fact("job") == job;
}

std::uint64_t instant_in(const Log& log, std::string_view fact)
{
    const std::string_view text = log.fact(fact).value_or("");
    std::uint64_t instant = 0;
    std::from_chars(text.data(), text.data() + text.size(), instant);
    return instant;
}

// From the first start to the last end of a recording and of its processes; nothing where it has none.
std::optional<std::pair<std::uint64_t, std::uint64_t>> span_of(const Log& log)
{
    std::pair<std::uint64_t, std::uint64_t> span{UINT64_MAX, 0};
    const auto include = [&](std::uint64_t instant) {
        if (instant != 0) span = {std::min(span.first, instant), std::max(span.second, instant)};
    };
    include(instant_in(log, "started_ns"));
    include(instant_in(log, "ended_ns"));
    for (const Process& process : log.rows<Process>()) {
        include(process.start);
        include(process.end);
    }
    return span.second == 0 ? std::nullopt : std::optional(span);
}

// How long after the last that was recorded a task may begin that its launcher counted.
constexpr std::uint64_t wait_for_tasks = 10'000'000'000;

bool lacks_tasks(const Log& log)
{
    std::uint64_t started = 0;
    std::set<std::int64_t> recorded;
    for (const Process& process : log.rows<Process>()) {
        if (process.task < 0) continue;
        started = std::max(started, process.tasks);
        recorded.insert(process.task);
    }
    return recorded.size() < started;
}

bool ran_at_once(const Log& one, const Log& other, std::uint64_t time_after = 0)
{
    const auto a = span_of(one), b = span_of(other);
    return a && b && a->first <= b->second && b->first <= a->second + time_after;
}

// MPI_Finalize wrote a log without the key of the job; of its ranks a part has but the end. Numbers of
// processes come again.
bool have_a_rank_in_common(const Log& one, const Log& other)
{
    std::map<std::tuple<std::int64_t, std::uint64_t, std::string_view>, std::uint64_t> starts;
    for (const Process& process : one.rows<Process>())
        if (process.rank >= 0) starts[{process.rank, process.pid, process.host}] = process.start;
    const auto is_known = [&](const Process& process) {
        const auto known = starts.find({process.rank, process.pid, process.host});
        return known != starts.end() &&
               (process.start == known->second || process.start == 0 || known->second == 0);
    };
    const auto& processes = other.rows<Process>();
    return ran_at_once(one, other) && std::any_of(processes.begin(), processes.end(), is_known);
}

// What launchers say of a launch may differ from rank to rank in ways that nobody has seen yet.
bool are_ranks_of_one_launch(const Log& one, const Log& other)
{
    std::set<std::int64_t> ranks;
    for (const Log* const log : {&one, &other})
        for (const Process& process : log->rows<Process>())
            if (process.rank >= 0 && !ranks.insert(process.rank).second) return false;
    const auto has_ranks = [](const Log& log) {
        const auto& processes = log.rows<Process>();
        return std::any_of(processes.begin(), processes.end(),
                           [](const Process& process) { return process.rank >= 0; });
    };
    return has_ranks(one) && has_ranks(other) && ran_at_once(one, other);
}

}  // namespace

bool is_of_one_job(const Log& one, const Log& other)
{
    return is_same_job(one, other) || have_a_rank_in_common(one, other) ||
           are_ranks_of_one_launch(one, other);
}

bool may_be_at_once(const Log& there, const Log& other)
{
    return ran_at_once(there, other, lacks_tasks(there) ? wait_for_tasks : 0);
}

bool is_log_of_launch_at_work(const std::string& path, const std::string& mine)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_of(path), ignored)) {
        const std::filesystem::path& folder = entry.path();
        if (folder.filename().string().starts_with(".fathom-") && folder != mine && is_own_folder(folder) &&
            std::filesystem::read_symlink(folder / "output", ignored) == path)
            return true;
    }
    return false;
}

}  // namespace fathom
