// The real logs of Darshan that tests read, and folders for what they write.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace fathom::testing {

// Empty, and a test says so, where the logs are not there.
inline std::vector<std::string> darshan_logs()
{
    std::vector<std::string> logs;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(FATHOM_DARSHAN_LOGS, none))
        if (entry.path().extension() == ".darshan") logs.push_back(entry.path());
    std::sort(logs.begin(), logs.end());
    if (logs.empty()) WARN("skipped: there are no logs in " FATHOM_DARSHAN_LOGS);
    return logs;
}

// A folder of the test's own, gone with it.
struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        std::string pattern = std::filesystem::temp_directory_path() / "fathom-parsers-XXXXXX";
        path = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

}  // namespace fathom::testing
