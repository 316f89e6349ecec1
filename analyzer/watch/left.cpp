// One line of JSON a file; its name begins with the job, so that no other files are opened.
#include "analyzer/watch/left.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/document/printable.h"
#include "logformat/log/new_file.h"

namespace fathom::watch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view ending = ".watch";
constexpr std::size_t largest_file = 4096, longest_command = 120;
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

constexpr std::uint64_t Amounts::*all_amounts[] = {
    &Amounts::read,           &Amounts::written,   &Amounts::reads,      &Amounts::writes,
    &Amounts::metadata_calls, &Amounts::read_time, &Amounts::write_time, &Amounts::metadata_time};

Json numbers_of(const Amounts& amounts)
{
    Json numbers = Json::array();
    for (const auto member : all_amounts) numbers.push_back(amounts.*member);
    return numbers;
}
Amounts amounts_from(const Json& numbers)
{
    Amounts amounts;
    std::size_t at = 0;
    for (const auto member : all_amounts) amounts.*member = numbers.at(at++).get<std::uint64_t>();
    return amounts;
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
    const std::string host = host_name();
    const Json line{{"fathom_watch", 1},
                    {"job", recording.job},
                    {"host", host},
                    {"command", report::printable(recording.command).substr(0, longest_command)},
                    {"start_ns", recording.start},
                    {"from_ns", from},
                    {"time_ns", until},
                    {"processes", recording.processes_running()},
                    {"all", numbers_of(recording.amounts)},
                    {"lately", numbers_of(recording.amounts.since(before))}};
    write_file(fmt::format("{}/{}{}.{}{}", folder, beginning_of(recording.job), plain(host),
                           plain(fs::path(recording.spool).filename().string()), ending),
               line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

const Recording* find(const Snapshot& snapshot, const std::string& spool)
{
    const auto at = std::ranges::find(snapshot.recordings, spool, &Recording::spool);
    return at == snapshot.recordings.end() ? nullptr : &*at;
}

// Nothing of a file that is no such one, of this user.
std::optional<Json> read_file(const std::string& path)
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
    Json line = Json::parse(text.substr(0, static_cast<std::size_t>(length)), nullptr, false);
    return line.is_object() ? std::optional(std::move(line)) : std::nullopt;
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

Left left_in(const std::string& folder, const std::string& job)
{
    Left left;
    left.now.time = nanoseconds_now();
    struct One {
        Recording recording;
        Amounts lately;
        double seconds;
    };
    std::vector<One> all;
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error)
        throw std::runtime_error(fmt::format("{}: this folder cannot be read: {}", folder, error.message()));
    const std::string beginning = beginning_of(job);
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(beginning) || !name.ends_with(ending)) continue;
        const auto line = read_file(entry.path().string());
        if (!line) continue;
        try {
            const auto at = line->at("time_ns").get<std::uint64_t>(),
                       from = line->at("from_ns").get<std::uint64_t>();
            if (line->at("job").get<std::string>() != job || at <= from || left.now.time > at + ten_minutes)
                continue;
            One one;
            one.recording.spool = name;
            one.recording.job = job;
            one.recording.start = line->at("start_ns").get<std::uint64_t>();
            one.recording.amounts = amounts_from(line->at("all"));
            one.recording.elsewhere = line->at("processes").get<std::size_t>();
            one.recording.running = one.recording.elsewhere > 0;
            one.lately = amounts_from(line->at("lately"));
            one.seconds = static_cast<double>(at - from) / 1e9;
            const std::uint64_t silent = left.now.time > at ? left.now.time - at : 0;
            std::string news;
            if (one.recording.running && static_cast<double>(silent) / 1e9 > 3 * one.seconds + 10)
                news = fmt::format(" (no news for {} s)", silent / second);
            one.recording.command = fmt::format("{}{}: {}", line->at("host").get<std::string>(), news,
                                                line->at("command").get<std::string>());
            all.push_back(std::move(one));
        } catch (const Json::exception&) {  // not what a watch leaves
        }
    }
    std::ranges::sort(all, {}, [](const One& one) { return one.recording.command; });
    // Nodes look at different moments: what each did in its time is laid into one length of time.
    double longest = 0;
    for (const One& one : all) longest = std::max(longest, one.seconds);
    left.before.time = left.now.time - static_cast<std::uint64_t>(longest * 1e9);
    for (One& one : all) {
        Recording then = one.recording;
        for (const auto member : all_amounts) {
            const double scaled = static_cast<double>(one.lately.*member) * longest / one.seconds;
            // More than there is altogether: of what began just now.
            then.amounts.*member -= std::min(then.amounts.*member, static_cast<std::uint64_t>(scaled));
        }
        left.before.recordings.push_back(std::move(then));
        left.now.recordings.push_back(std::move(one.recording));
    }
    return left;
}

}  // namespace fathom::watch
