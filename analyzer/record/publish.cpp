// Merging into a log that may be there already.
#include "analyzer/record/publish.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "analyzer/record/collect.h"

namespace fathom {
namespace {

std::string folder_of(const std::string& path)
{
    const auto parent = std::filesystem::path(path).parent_path();
    return parent.empty() ? "." : parent.string();
}

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

}  // namespace

FolderLock::FolderLock(const std::string& path)
{
    fd_ = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ >= 0) flock(fd_, LOCK_EX);
}

FolderLock::~FolderLock()
{
    if (fd_ >= 0) close(fd_);
}

void publish(Log log, const std::string& path)
{
    const FolderLock lock(path);
    const auto job = log.fact("job");
    try {
        Log there = read_log(path);
        if (job && !job->empty() && there.fact("job") == job) {
            append_log(there, std::move(log));
            return write_log(there, path);
        }
    } catch (const LogError&) {
        // Nothing there, or nothing that could be added to: replaced.
    }
    write_log(log, path);
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
