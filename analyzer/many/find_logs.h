// Which files the words of a command line mean: logs, folders of logs, a list of either.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct FoundLogs {
    std::vector<std::string> logs;
    std::vector<std::string> troubles;  // folders that cannot be listed or have no log: a line each
};

// A folder stands for all files in it and below it that end in .fathom or .darshan, by name; links to folders
// in it are not followed. Whatever is no folder is taken as it is: who reads it says what is wrong with it.
FoundLogs find_logs(std::span<const std::string> named);

// What the names of logs end in: ".fathom", ".darshan".
std::span<const std::string_view> log_endings();

// The lines of a file that are not empty; of standard input for "-". Throws std::runtime_error where it
// cannot be read.
std::vector<std::string> read_list(const std::string& path);

// The name of the one in this folder, not below it, that was written last; empty where there is none.
std::string newest_log(const std::string& folder);

bool is_folder(const std::string& path);

}  // namespace fathom
