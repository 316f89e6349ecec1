// The child says a line for each spool: its folder, a tabulator and a row as JSON.
#include "analyzer/running/spools.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <grp.h>
#include <map>
#include <poll.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/watch/find.h"

namespace fathom::running {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_folders = 1024, most_bytes = 1 << 20;
constexpr std::string_view prefix = "fathom-";

// "fathom-1000-Ab3xyz" of user 1000.
bool is_called_for(const std::string& name, uid_t user)
{
    return name.starts_with(fmt::format("{}{}-", prefix, user)) &&
           !name.starts_with(fmt::format("{}{}-ranks-", prefix, user));
}

void add_folders(const std::string& place, bool of_site, std::map<uid_t, OwnSpools>& users)
{
    std::error_code error;
    for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error)) {
        const std::string path = at->path().string(), name = at->path().filename().string();
        struct stat about {};
        if (lstat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) continue;
        if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) continue;
        if (geteuid() != 0 && about.st_uid != geteuid()) continue;
        if (of_site ? name.starts_with('.') : !is_called_for(name, about.st_uid)) continue;
        OwnSpools& own = users[about.st_uid];
        own.user = about.st_uid;
        own.group = about.st_gid;
        if (own.folders.size() < most_folders) own.folders.push_back(path);
    }
}

// In the child. Nothing of root is left to it, nor of this process's groups.
bool become(const OwnSpools& spools)
{
    if (geteuid() != 0 || spools.user == 0) return geteuid() == spools.user;
    return setgroups(0, nullptr) == 0 && setgid(spools.group) == 0 && setuid(spools.user) == 0 &&
           setuid(0) != 0;
}

std::string lines_of(const OwnSpools& spools, const std::set<std::string>& also)
{
    std::vector<std::string> wanted;
    for (const std::string& folder : spools.folders)
        if (also.contains(folder) || watch::is_in_use(folder)) wanted.push_back(folder);
    std::string lines;
    for (const watch::Recording& recording : watch::look(wanted).recordings) {
        if (recording.job.empty()) continue;
        watch::NodeRow row = watch::node_row_of(recording);
        row.command = recording.program;
        lines += fmt::format("{}\t{}\n", recording.spool, watch::json_of(row));
    }
    return lines;
}

[[noreturn]] void child(const OwnSpools& spools, const std::set<std::string>& also, unsigned seconds, int to)
{
    const rlimit time{seconds, seconds};
    setrlimit(RLIMIT_CPU, &time);
    alarm(seconds);
    if (!become(spools)) _exit(1);
    try {
        std::string_view lines;
        const std::string all = lines_of(spools, also);
        lines = all;
        while (!lines.empty()) {
            const ssize_t done = write(to, lines.data(), lines.size());
            if (done <= 0) _exit(1);
            lines.remove_prefix(static_cast<std::size_t>(done));
        }
    } catch (...) {
        _exit(1);
    }
    _exit(0);
}

// All that comes, until it is over, too much, or too late.
std::string read_from(int from, unsigned seconds)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::string text;
    char room[65536];
    while (text.size() <= most_bytes) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd one{from, POLLIN, 0};
        const int ready = left.count() <= 0 ? 0 : poll(&one, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) break;
        const ssize_t got = read(from, room, sizeof room);
        if (got <= 0) return text;
        text.append(room, static_cast<std::size_t>(got));
    }
    return text.substr(0, text.rfind('\n') + 1);
}

}  // namespace

std::string user_named(uid_t user)
{
    const passwd* const entry = getpwuid(user);
    return entry == nullptr ? fmt::format("{}", user) : entry->pw_name;
}

std::vector<OwnSpools> spools_here(std::span<const std::string> site_folders)
{
    std::map<uid_t, OwnSpools> users;
    std::set<std::string> places{"/dev/shm", "/tmp"};
    if (const char* const temporary = std::getenv("TMPDIR"); temporary != nullptr && temporary[0] == '/')
        places.insert(temporary);
    for (const std::string& place : places) add_folders(place, false, users);
    for (const std::string& place : site_folders) add_folders(place, true, users);
    std::vector<OwnSpools> all;
    for (auto& [user, own] : users) {
        std::ranges::sort(own.folders);
        all.push_back(std::move(own));
    }
    return all;
}

std::vector<SpoolRow> look_as_owner(const OwnSpools& spools, const std::set<std::string>& also,
                                    unsigned most_seconds)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return {};
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child(spools, also, most_seconds, ends[1]);
    }
    close(ends[1]);
    std::string text;
    if (pid > 0) text = read_from(ends[0], most_seconds);
    close(ends[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);  // it may have been stopped
        waitpid(pid, nullptr, 0);
    }
    const std::set<std::string> known(spools.folders.begin(), spools.folders.end());
    const std::string name = user_named(spools.user);
    std::vector<SpoolRow> rows;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) continue;
        auto row = watch::node_row_from(line.substr(tab + 1));
        std::string spool(line.substr(0, tab));
        if (!row || !known.contains(spool)) continue;
        row->user = name;  // the kernel says whose it is, not what is written there
        rows.push_back({std::move(spool), std::move(*row)});
    }
    return rows;
}

}  // namespace fathom::running
