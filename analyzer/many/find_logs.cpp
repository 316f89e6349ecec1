// Lists folders, each by name, so that the same folder always gives the same order.
#include "analyzer/many/find_logs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "analyzer/document/printable.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view endings[] = {".fathom", ".darshan"};

bool is_named_as_log(const std::string& name)
{
    return std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

void add_folder(const fs::path& folder, FoundLogs& found)
{
    std::error_code trouble;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end;
         entry.increment(trouble))
        entries.push_back(*entry);
    if (trouble)
        found.troubles.push_back(fmt::format("{}: cannot list the folder: {}",
                                             report::printable(folder.string()), trouble.message()));
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory(trouble) && !entry.is_symlink(trouble))
            add_folder(entry.path(), found);
        else if (is_named_as_log(name))
            found.logs.push_back(entry.path().string());
    }
}

}  // namespace

std::string newest_log(const std::string& folder)
{
    std::error_code trouble;
    std::pair<fs::file_time_type, std::string> newest;
    for (fs::directory_iterator entry(folder, trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
        std::error_code unknown;
        const std::string name = entry->path().filename().string();
        if (!is_named_as_log(name) || !entry->is_regular_file(unknown)) continue;
        const std::pair one(entry->last_write_time(unknown), name);
        if (!unknown && (newest.second.empty() || one > newest)) newest = one;
    }
    return newest.second;
}

std::span<const std::string_view> log_endings()
{
    return endings;
}

bool is_folder(const std::string& path)
{
    std::error_code unknown;
    return fs::is_directory(path, unknown);
}

FoundLogs find_logs(std::span<const std::string> named)
{
    FoundLogs found;
    for (const std::string& path : named) {
        if (!is_folder(path)) {
            found.logs.push_back(path);
            continue;
        }
        const std::size_t logs = found.logs.size(), troubles = found.troubles.size();
        add_folder(path, found);
        if (found.logs.size() == logs && found.troubles.size() == troubles)
            found.troubles.push_back(fmt::format("{}: no file in this folder or below it ends in {} or {}",
                                                 report::printable(path), endings[0], endings[1]));
    }
    return found;
}

std::vector<std::string> read_list(const std::string& path)
{
    std::ifstream file;
    if (path != "-") {
        file.open(path);
        if (!file || is_folder(path))
            throw std::runtime_error(fmt::format("--list {}: cannot read: {}", report::printable(path),
                                                 std::strerror(file ? EISDIR : errno)));
    }
    std::istream& in = path == "-" ? std::cin : file;
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    if (in.bad())
        throw std::runtime_error(fmt::format("--list {}: cannot read all of it", report::printable(path)));
    return lines;
}

}  // namespace fathom
