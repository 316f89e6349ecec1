#include "analyzer/watch/find.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

#include "analyzer/record/collect.h"
#include "analyzer/record/leftovers.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/part_file.h"
#include "analyzer/record/spool.h"

namespace fathom::watch {
namespace {

Log log_of(const std::string& spool, const std::vector<User>& users)
{
    const Kept kept = kept_in(spool);
    return collect_job({spool}, users, kept.folder, kept.job(), facts_kept_in({spool})).log;
}

std::uint64_t unix_now()
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

}  // namespace

bool is_in_use(const std::string& spool)
{
    const std::string owner = kept_in(spool).owner;
    if (!owner.empty() && life_of_identity(owner) == Life::lives) return true;
    return std::ranges::any_of(parts_in(spool), [](const std::string& path) {
        const PartFile part = load_header(path);
        return part.good() && life_of(part) == Life::lives;
    });
}

std::vector<std::string> spools_in_use()
{
    std::vector<std::string> found;
    for (const std::string& spool : spools_left()) {
        try {
            if (is_in_use(spool)) found.push_back(spool);
        } catch (const std::runtime_error&) {  // gone meanwhile
        }
    }
    return found;
}

std::string spool_of(const std::string& folder_or_pid)
{
    pid_t pid = 0;
    const auto [end, error] =
        std::from_chars(folder_or_pid.data(), folder_or_pid.data() + folder_or_pid.size(), pid);
    if (error != std::errc{} || end != folder_or_pid.data() + folder_or_pid.size()) {
        check_owner(folder_or_pid);
        if (!is_spool(folder_or_pid))
            throw std::runtime_error(
                fmt::format("{}: no recording is there, and no program; `fathom recover` lists the "
                            "recordings of this node",
                            folder_or_pid));
        return folder_or_pid;
    }
    const std::vector<std::string> spools = spools_left();
    const std::string identity = identity_of(pid);
    for (const std::string& spool : spools)
        if (!identity.empty() && kept_in(spool).owner == identity) return spool;
    if (const User user = user_now(spools, pid); !user.spool.empty() && !user.parts.empty())
        return user.spool;
    throw std::runtime_error(fmt::format(
        "process {}: no `fathom record`, and not recorded by one of yours; `fathom recover` lists "
        "the recordings of this node",
        pid));
}

bool is_spool(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return false;
    try {
        return !kept_in(path).owner.empty() || !parts_in(path).empty();
    } catch (const std::runtime_error&) {
        return false;
    }
}

Log log_so_far(const std::string& spool)
{
    check_owner(spool);
    const std::vector<std::string> spools{spool};
    return log_of(spool, users_of(spools, 0));
}

Snapshot look(const std::vector<std::string>& spools)
{
    Snapshot snapshot;
    const std::vector<User> users = users_of(spools, 0);
    snapshot.time = unix_now();
    for (const std::string& spool : spools) {
        try {
            const Log log = log_of(spool, users);
            if (!log.rows<Process>().empty()) snapshot.recordings.push_back(recording_of(Job(log), spool));
        } catch (const std::runtime_error&) {  // it has ended, and its spool is gone
        }
    }
    return snapshot;
}

}  // namespace fathom::watch
