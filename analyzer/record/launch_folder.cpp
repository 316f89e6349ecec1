// Whoever removes the folder of the marks, which only works once it is empty, is the last.
#include "analyzer/record/launch_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "analyzer/record/file_lock.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds time_to_begin{500}, time_to_be_seen{5000}, between_counts{20};

std::vector<fs::path> files_of(const std::string& folder, std::string_view start)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with(start)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> shares_in(const std::string& folder)
{
    std::vector<fs::path> shares = files_of(folder, "share.");
    std::erase_if(shares, [](const fs::path& share) { return share.extension() != ".fathom"; });
    return shares;
}

std::size_t nodes_in(const std::string& folder)
{
    return files_of(folder + "/nodes", "").size();
}

std::size_t recorded_by_all(const std::string& folder)
{
    std::size_t recorded = 0;
    for (const fs::path& left : files_of(folder, "left."))
        recorded += std::strtoull(left.extension().c_str() + 1, nullptr, 10);
    return recorded;
}

}  // namespace

LaunchFolder::LaunchFolder(const std::string& folder, const std::string& key, std::string mark)
    : path_((fs::path(folder) / (".fathom-" + key)).string()), mark_(std::move(mark))
{}

std::string LaunchFolder::enter()
{
    constexpr int most_tries = 10;  // the last node of before may be removing it
    for (int tries = 0; tries < most_tries; ++tries) {
        // In a folder of logs that others write to, it may be theirs, or become theirs.
        if (others_may_rename_in(folder_of(path_)) || !make_own_folder(path_)) break;
        make_own_folder(path_ + "/nodes");
        std::string mark = path_ + "/nodes/XXXXXX";
        if (const int fd = mkstemp(mark.data()); fd >= 0) {
            close(fd);
            return mark_ = mark;
        }
        if (errno != ENOENT) break;
    }
    return "";
}

std::string LaunchFolder::agree_on_output(const std::string& proposal) const
{
    if (mark_.empty()) return proposal;
    // A link that another node has just made may take a moment to be seen here, or to be seen whole.
    const auto until = std::chrono::steady_clock::now() + time_to_be_seen;
    std::error_code error;
    do {
        fs::create_symlink(proposal, path_ + "/output", error);
        if (!error) return proposal;
        if (const std::string agreed = output(""); !agreed.empty()) return agreed;
        std::this_thread::sleep_for(between_counts);
    } while (error == std::errc::file_exists && std::chrono::steady_clock::now() < until);
    return proposal;
}

std::string LaunchFolder::output(const std::string& otherwise) const
{
    if (mark_.empty()) return otherwise;
    char agreed[4096];
    const ssize_t length = readlink((path_ + "/output").c_str(), agreed, sizeof agreed);
    return length > 0 ? std::string(agreed, static_cast<std::size_t>(length)) : otherwise;
}

void LaunchFolder::put(Log log, const std::string& output) const
{
    const bool alone = mark_.empty();
    FileLock lock(alone ? FileLock::folder : FileLock::file, alone ? folder_of(output) : path_ + "/lock",
                  FileLock::does_not_wait);
    const std::string node = fs::path(mark_).filename();
    std::vector<Log> logs;
    if (alone) {
        logs.push_back(std::move(log));
        lock.wait_a_while();
        publish(std::move(logs), output, lock, OwnFiles::beside(output));
        return;
    }
    if (lock.held()) {
        logs.push_back(std::move(log));
    } else {
        const std::string share = fmt::format("{}/share.{}.fathom", path_, node);
        write_log(log, share);
        log = {};
        lock.wait();
        if (!fs::exists(share)) return;  // another node has put it in
    }
    std::vector<fs::path> done;
    for (const fs::path& share : shares_in(path_)) {
        try {
            logs.push_back(read_own_log(share));
            done.push_back(share);
        } catch (const LogError&) {
            // It stays where it is; nothing could be read.
        }
    }
    if (logs.empty()) return;
    const std::string to =
        publish(std::move(logs), output, lock,
                {fmt::format("{}/held.{}", path_, node), fmt::format("{}/fresh.{}", path_, node)});
    std::error_code ignored;
    if (to != output) {
        fs::remove(path_ + "/output", ignored);
        fs::create_symlink(to, path_ + "/output", ignored);
    }
    // Who dies here leaves shares that are in the log already: their processes are known there.
    for (const fs::path& share : done) fs::remove(share, ignored);
}

bool LaunchFolder::leave(std::size_t recorded, std::size_t started) const
{
    std::error_code ignored;
    if (mark_.empty()) return true;
    std::ofstream(fmt::format("{}/left.{}.{}", path_, fs::path(mark_).filename().string(), recorded));
    const auto until = std::chrono::steady_clock::now() + time_to_begin;
    while (recorded_by_all(path_) < started && nodes_in(path_) == 1 &&
           std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(between_counts);
    fs::remove(mark_, ignored);
    if (rmdir((path_ + "/nodes").c_str()) != 0) return false;
    // A node that begins just now makes the folder of marks again, or keeps this one from being removed.
    // Where it is at work already, the files are its own to remove.
    const FileLock lock(FileLock::file, path_ + "/lock", FileLock::does_not_wait);
    if (!lock.held()) return false;
    for (const char* const ours : {"left.", "rank.", "held.", "fresh.", "verdict", "output", "lock"})
        for (const fs::path& file : files_of(path_, ours)) fs::remove(file, ignored);
    rmdir(path_.c_str());
    return true;
}

}  // namespace fathom
