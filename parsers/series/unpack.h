// What a file holds: gzip is unpacked, and a tar archive taken apart.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fathom::series {

// More than this, unpacked, is not read.
inline constexpr std::size_t most_unpacked = std::size_t{4} << 30;

// The first bytes, unpacked, at most `most`; fewer where it is damaged. Throws LogError: it cannot be read.
std::string first_bytes_of(const std::string& path, std::size_t most);

// All of it, unpacked. Throws LogError: it cannot be read, is damaged or too large.
std::string content_of(const std::string& path);

bool is_tar(std::string_view content);

// A file of an archive.
struct Member {
    std::string name;
    std::string_view content;
    std::int64_t changed = 0;  // seconds of UNIX time
};

// Throws LogError: it is damaged.
void each_in_tar(std::string_view content, const std::function<void(const Member&)>& take);

}  // namespace fathom::series
