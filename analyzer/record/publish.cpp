// Merging into a log that may be there already.
#include "analyzer/record/publish.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/record/merge.h"

namespace fathom {
namespace {

std::vector<std::string> hidden_files(const std::string& folder, const std::string& job, std::string_view end)
{
    std::vector<std::string> files;
    if (folder.empty() || job.empty()) return files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(".fathom-" + job + "-") && name.ends_with(end)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

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

// From the first start to the last end of a recording and of its processes; nothing where it tells of none.
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

bool ran_at_once(const Log& one, const Log& other)
{
    const auto a = span_of(one), b = span_of(other);
    return a && b && a->first <= b->second && b->first <= a->second;
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

// True if every process of a log has been added.
bool knows(const Merger& merger, const Log& log)
{
    const auto& processes = log.rows<Process>();
    return !processes.empty() && std::all_of(processes.begin(), processes.end(), [&](const Process& process) {
        return merger.has(process);
    });
}

Log one_of(std::optional<Log> there, std::vector<Log> logs)
{
    Merger merger;
    if (there) merger.add(*std::move(there));
    for (Log& log : logs)
        if (!knows(merger, log)) merger.add(std::move(log));
    return merger.pause();
}

}  // namespace

std::string publish(std::vector<Log> logs, const std::string& path, const FolderLock&, bool of_this_job)
{
    const std::filesystem::path name(path);
    std::string to = path;
    for (int number = 2;; ++number) {
        std::optional<Log> there;
        try {
            there = read_log(to);
        } catch (const LogError&) {
            // Nothing there, or nothing that could be added to: replaced.
        }
        const auto belongs = [&](const Log& log) {
            return of_this_job || is_same_job(*there, log) || are_ranks_of_one_launch(*there, log);
        };
        const bool same = there && std::any_of(logs.begin(), logs.end(), belongs);
        if (!there || same || !ran_at_once(*there, logs.front())) {
            if (!same) there.reset();
            write_log(one_of(std::move(there), std::move(logs)), to);
            return to;
        }
        to = name.parent_path() / fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string());
    }
}

bool is_of_another_job(const std::string& path, const std::string& job)
{
    if (!std::filesystem::exists(path)) return false;
    try {
        return read_log(path).fact("job") != job;
    } catch (const LogError&) {
        return true;
    }
}

std::vector<std::string> logs_of_ranks(const std::string& folder, const std::string& job)
{
    return hidden_files(folder, job, ".mpi");
}

void remove_logs_of_ranks(const std::string& folder, const std::string& job)
{
    std::error_code ignored;
    for (const std::string& path : hidden_files(folder, job, "")) std::filesystem::remove(path, ignored);
}

}  // namespace fathom
