// Copies a log of any format to one of the newest, record by record: every number that is decoded stays.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/darshan/file.h"

namespace fathom::darshan {

// What becomes different on the way. Functions that are not given change nothing.
struct Changes {
    std::function<void(JobRecord&)> job;
    std::function<std::string(std::string_view name)> name;  // ids then follow from the new names
    std::function<std::uint64_t(std::uint64_t id)> unnamed;  // ids of which the log has no name
    std::function<std::string(std::string_view text)> text;  // of hosts and pools
    // Records of other files stay behind, and what is about all files together.
    std::function<bool(std::uint64_t id, std::string_view name)> only;
};

// Throws LogError where `to` cannot be written. Returns what was left out and why, a sentence each: modules
// that are not decoded, damage, texts without room.
std::vector<std::string> copy_log(const File& from, const std::string& to, const Changes& changes = {});

}  // namespace fathom::darshan
