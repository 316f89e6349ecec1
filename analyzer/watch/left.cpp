// One line of JSON a file; its name begins with the job, so that no other files are opened.
#include "analyzer/watch/left.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include "logformat/log/new_file.h"

namespace fathom::watch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".watch";
constexpr std::size_t largest_file = 4096;
constexpr std::uint64_t second = 1'000'000'000, ten_minutes = 600 * second;
constexpr double a_day = 86400;

std::uint64_t nanoseconds_now()
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

std::string host_name()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

// As a part of a file's name.
std::string plain(std::string_view text)
{
    std::string made(text.substr(0, 100));
    std::ranges::replace_if(
        made,
        [](char c) {
            return !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && c != '-';
        },
        '_');
    return made;
}

std::string beginning_of(const std::string& job)
{
    return plain(job) + ".";
}

void write_file(const std::string& path, const std::string& text)
{
    NewFile file(path, {.at_open = 0600});  // nobody else is to read it
    int error = file.fd() < 0 ? file.error() : 0;
    if (error == 0 && write(file.fd(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        error = EIO;
    if (error == 0) error = file.finish();
    if (error != 0)
        throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
}

void leave_one(const std::string& folder, const Recording& recording, const Amounts& before,
               std::uint64_t from, std::uint64_t until)
{
    if (recording.job.empty()) return;
    NodeRow row = node_row_of(recording);
    row.node = host_name();
    row.from = from;
    row.until = until;
    row.lately = recording.amounts.since(before);
    write_file(fmt::format("{}/{}{}.{}{}", folder, beginning_of(recording.job), plain(row.node),
                           plain(fs::path(recording.spool).filename().string()), ending),
               json_of(row) + "\n");
}

const Recording* find(const Snapshot& snapshot, const std::string& spool)
{
    const auto at = std::ranges::find(snapshot.recordings, spool, &Recording::spool);
    return at == snapshot.recordings.end() ? nullptr : &*at;
}

// Nothing of a file that is no such one, of this user.
std::optional<NodeRow> read_file(const std::string& path)
{
    std::string trouble;
    const int file = open_regular(path, Links::refused, trouble);
    if (file < 0) return {};
    struct stat about {};
    std::string text(largest_file + 1, '\0');
    const bool ours = fstat(file, &about) == 0 && (about.st_uid == geteuid() || geteuid() == 0);
    const ssize_t length = ours ? read(file, text.data(), text.size()) : -1;
    close(file);
    if (length <= 0 || static_cast<std::size_t>(length) > largest_file) return {};
    return node_row_from(text.substr(0, static_cast<std::size_t>(length)));
}

}  // namespace

void leave(const std::string& folder, const Snapshot& before, const Snapshot& now)
{
    for (const Recording& one : now.recordings) {
        const Recording* const then = find(before, one.spool);
        leave_one(folder, one, then == nullptr ? Amounts{} : then->amounts,
                  then == nullptr ? one.start : before.time, now.time);
    }
    for (Recording one : before.recordings)
        if (find(now, one.spool) == nullptr) {
            one.processes.clear();
            leave_one(folder, one, one.amounts, before.time, now.time);
        }
}

void forget_old(const std::string& folder)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        struct stat about {};
        if (entry.path().extension() == ending && lstat(entry.path().c_str(), &about) == 0 &&
            about.st_uid == geteuid() && difftime(time(nullptr), about.st_mtime) > a_day)
            unlink(entry.path().c_str());
    }
}

Looks left_in(const std::string& folder, const std::string& job)
{
    std::vector<NodeRow> rows;
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error)
        throw std::runtime_error(fmt::format("{}: this folder cannot be read: {}", folder, error.message()));
    const std::string beginning = beginning_of(job);
    const std::uint64_t now = nanoseconds_now();
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(beginning) || !name.ends_with(ending)) continue;
        auto row = read_file(entry.path().string());
        if (!row || row->job != job || now > row->until + ten_minutes) continue;
        row->age = now > row->until ? static_cast<double>(now - row->until) / 1e9 : 0;
        rows.push_back(std::move(*row));
    }
    return looks_of(rows, now, {.id = job, .user = {}});
}

}  // namespace fathom::watch
