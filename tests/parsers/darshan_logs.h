// The logs of Darshan that tests read, and folders for what they write.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/skip.h"

namespace fathom::testing {

// Of every format and byte order, and small: made_logs/ writes them when the tests are built.
struct MadeLogs {
    static constexpr const char* folder = FATHOM_MADE_LOGS;
    static constexpr std::size_t some = 3;  // for a test that takes only each so-manieth
};
// Of many versions of Darshan, where somebody has such a folder.
struct RealLogs {
    static constexpr const char* folder = FATHOM_DARSHAN_LOGS;
    static constexpr std::size_t some = 9;
};

// The test is skipped where there are none.
template <class Logs>
std::vector<std::string> darshan_logs()
{
    std::vector<std::string> logs;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(Logs::folder, none))
        if (entry.path().extension() == ".darshan") logs.push_back(entry.path());
    std::sort(logs.begin(), logs.end());
    if (logs.empty()) skip(std::string("there are no logs of Darshan in ") + Logs::folder);
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
