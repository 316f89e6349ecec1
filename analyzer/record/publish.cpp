// Merging into a log that may be there already.
#include "analyzer/record/publish.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>

#include "analyzer/record/merge.h"
#include "logformat/log/new_file.h"

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

// True if every process of a log has been added.
bool knows(const Merger& merger, const Log& log)
{
    const auto& processes = log.rows<Process>();
    return !processes.empty() && std::all_of(processes.begin(), processes.end(),
                                             [&](const Process& process) { return merger.has(process); });
}

Log one_of(std::optional<Log> there, std::vector<Log> logs)
{
    Merger merger;
    if (there) merger.add(*std::move(there));
    for (Log& log : logs)
        if (!knows(merger, log)) merger.add(std::move(log));
    return merger.pause();
}

bool is_of_one_job(const Log& one, const Log& other)
{
    return is_same_job(one, other) || have_a_rank_in_common(one, other) ||
           are_ranks_of_one_launch(one, other);
}

std::string numbered(const std::string& path, int number)
{
    if (number == 1) return path;
    const std::filesystem::path name(path);
    return name.parent_path() /
           fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string());
}

[[noreturn]] void complain(const std::string& path, int error)
{
    throw LogError(fmt::format("{}: cannot write a log there: {}", path, std::strerror(error)));
}

// What another node did may take so long to be seen on this one.
constexpr std::chrono::milliseconds time_to_see{90'000}, between_tries{50};

class Patience {
  public:
    // False once it has come to its end.
    bool wait() const
    {
        if (std::chrono::steady_clock::now() > until_) return false;
        std::this_thread::sleep_for(between_tries);
        return true;
    }

  private:
    std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + time_to_see;
};

// What another user put there is not read: it may be anything.
bool is_of_another_user(const std::string& path)
{
    struct stat about {};
    return lstat(path.c_str(), &about) == 0 && about.st_uid != geteuid();
}

// Where a log of that name is, or is to be.
std::string file_of(const std::string& path)
{
    Place place = place_of(path);
    if (!place.trouble.empty()) throw LogError(fmt::format("{}: {}", path, place.trouble));
    return std::move(place.path);
}

// False where there is something at that path already.
bool put_new(const std::string& file, const std::string& path)
{
    if (link(file.c_str(), path.c_str()) == 0) {
        unlink(file.c_str());
        return true;
    }
    if (errno == EEXIST || std::filesystem::exists(path)) return false;
    if (rename(file.c_str(), path.c_str()) != 0) complain(path, errno);  // a file system without links
    return true;
}

// Writes under the own name first: the log that is there stays whole until it is replaced.
void write_fresh(const Log& log, const std::string& fresh, const std::string& path)
{
    try {
        write_log(log, fresh);
    } catch (const LogError& error) {
        std::string why = error.what();
        if (why.starts_with(fresh)) why.replace(0, fresh.size(), path);
        throw LogError(why);
    }
}

}  // namespace

// A name in a folder may be remembered, and with it a file that another node has replaced. To give a file
// another name, the server must know it.
std::optional<Log> current_log(const std::string& path, const std::string& held)
{
    const Patience patience;
    do {
        const bool is_held = link(path.c_str(), held.c_str()) == 0;
        if (!is_held && errno == ENOENT) return std::nullopt;
        if (!is_held && errno == EEXIST) {
            unlink(held.c_str());
            continue;
        }
        if (!is_held && errno == ESTALE) continue;
        try {
            Log log = read_log(is_held ? held : path);
            if (is_held) unlink(held.c_str());
            return log;
        } catch (const LogError& error) {
            if (is_held) unlink(held.c_str());
            if (std::string_view(error.what()).find(std::strerror(ESTALE)) == std::string_view::npos)
                return std::nullopt;
        }
    } while (patience.wait());
    return std::nullopt;
}

std::string publish(std::vector<Log> logs, const std::string& path, const FileLock&, const OwnFiles& own)
{
    const Patience patience;
    int number = 1;
    do {
        const std::string to = numbered(path, number), file = file_of(to);
        if (is_of_another_user(file)) {
            ++number;
            continue;
        }
        std::optional<Log> there = current_log(file, own.held);
        const auto belongs = [&](const Log& log) { return is_of_one_job(*there, log); };
        const bool same = there && std::any_of(logs.begin(), logs.end(), belongs);
        if (there && !same && ran_at_once(*there, logs.front())) {
            ++number;
            continue;
        }
        const bool replaces = there || std::filesystem::exists(file);
        if (!same) there.reset();
        Log all = one_of(std::move(there), std::move(logs));
        if (replaces) {
            write_log(all, file);
            return to;
        }
        write_fresh(all, own.fresh, file);
        if (put_new(own.fresh, file)) return to;
        // There is one that could not be seen from here yet.
        unlink(own.fresh.c_str());
        logs.clear();
        logs.push_back(std::move(all));
    } while (patience.wait());
    throw LogError(path + ": other nodes have put something there that cannot be read from here");
}

OwnFiles OwnFiles::beside(const std::string& log)
{
    std::random_device random;
    const std::string start = fmt::format("{}/.fathom-{:08x}{:08x}", folder_of(log), random(), random());
    return {start + ".held", start + ".fresh"};
}

bool is_of_another_job(const std::string& path, const std::string& job)
{
    if (is_of_another_user(path)) return true;
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
