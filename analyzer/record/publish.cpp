// Merging into a log that may be there already.
#include "analyzer/record/publish.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "analyzer/record/merge.h"
#include "analyzer/record/same_job.h"
#include "logformat/log/new_file.h"
#include "logformat/log/site.h"

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

// True if every process of a log has been added.
bool knows(const Merger& merger, const Log& log)
{
    const auto& processes = log.rows<Process>();
    return !processes.empty() && std::all_of(processes.begin(), processes.end(),
                                             [&](const Process& process) { return merger.has(process); });
}

// A log alone has been through a Merger before.
Log one_of(std::optional<Log> there, std::vector<Log> logs)
{
    if (!there && logs.size() == 1) return std::move(logs.front());
    Merger merger;
    if (there) merger.add(*std::move(there));
    for (Log& log : logs)
        if (!knows(merger, log)) merger.add(std::move(log));
    return merger.pause();
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

// Where logs are to go: to the log of their job, which they are added to, or else to the first name that is
// free or whose file they may replace.
struct Target {
    std::string name, file;
    std::optional<Log> log;  // that of their job
    bool replaces;
};

bool stays(const Log& there, const Log& other, const std::string& name, const OwnFiles& own)
{
    return may_be_at_once(there, other) || is_log_of_launch_at_work(name, folder_of(own.held));
}

// Nodes of a launch that begin late find the log of those that have left under any of the names.
Target target_for(const std::vector<Log>& logs, const std::string& path, const OwnFiles& own)
{
    std::optional<Target> first;
    for (int number = 1;; ++number) {
        Target target{numbered(path, number), "", std::nullopt, false};
        if (number > 1 && !place_of(target.name).trouble.empty()) continue;
        target.file = file_of(target.name);
        if (is_of_another_user(target.file)) continue;
        target.log = current_log(target.file, own.held);
        const auto belongs = [&](const Log& log) { return is_of_one_job(*target.log, log); };
        if (target.log && std::any_of(logs.begin(), logs.end(), belongs)) return target;
        const bool is_free = !target.log && !std::filesystem::exists(target.file);
        target.replaces = !is_free;
        if (!first && !(target.log && stays(*target.log, logs.front(), target.name, own))) {
            target.log.reset();
            first.emplace(std::move(target));
        }
        if (is_free) return *std::move(first);
    }
}

enum class Removal { removed, changed, impossible };

// Takes away what `log` replaces, and gives its mode to what is new. Another launch may just have put its own
// there: that is put back.
Removal remove_replaced(const std::string& file, const Log& log, const OwnFiles& own)
{
    if (rename(file.c_str(), own.held.c_str()) != 0)
        return errno == ENOENT ? Removal::changed : Removal::impossible;
    try {
        if (const Log removed = read_log(own.held); may_be_at_once(removed, log)) {
            for (int number = 1; !put_new(own.held, numbered(file, number));) ++number;
            return Removal::changed;
        }
    } catch (const LogError&) {
        // No log: what the user named is replaced.
    }
    struct stat removed {};
    if (lstat(own.held.c_str(), &removed) == 0 && S_ISREG(removed.st_mode))
        chmod(own.fresh.c_str(), mode_of_logs().in_place_of(removed.st_mode));
    unlink(own.held.c_str());
    return Removal::removed;
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
    do {
        Target target = target_for(logs, path, own);
        const bool adds = target.log.has_value();
        Log all = one_of(std::move(target.log), std::move(logs));
        if (adds) {
            write_log(all, target.file);
            return target.name;
        }
        write_fresh(all, own.fresh, target.file);
        const Removal removal = target.replaces ? remove_replaced(target.file, all, own) : Removal::removed;
        if (removal == Removal::impossible) {
            unlink(own.fresh.c_str());
            write_log(all, target.file);
            return target.name;
        }
        if (removal == Removal::removed && put_new(own.fresh, target.file)) return target.name;
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
