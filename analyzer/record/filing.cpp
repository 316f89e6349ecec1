// Days and folders.
#include "analyzer/record/filing.h"

#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <initializer_list>

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t ns_per_second = 1'000'000'000, seconds_per_day = 86'400;

fs::path folder_of_day(const fs::path& folder, std::uint64_t second)
{
    return folder / fmt::format("{:%Y/%m/%d}", fmt::localtime(static_cast<std::time_t>(second)));
}

// A user's umask would keep the next user out.
void make(const fs::path& folder, const fs::path& like)
{
    if (fs::exists(folder)) return;
    make(folder.parent_path(), like);
    if (!fs::create_directory(folder)) return;  // somebody else has made it meanwhile
    std::error_code ignored;
    fs::permissions(folder, fs::status(like).permissions(), ignored);
}

}  // namespace

std::string path_for_day(const std::string& folder, const std::string& name, std::uint64_t instant_ns)
{
    const std::uint64_t second = instant_ns / ns_per_second;
    const std::string file = name + ".fathom";
    for (const std::uint64_t beside : {second - seconds_per_day, second + seconds_per_day})
        if (const fs::path known = folder_of_day(folder, beside) / file; fs::exists(known)) return known;
    const fs::path day = folder_of_day(folder, second);
    make(day, folder);
    return day / file;
}

}  // namespace fathom
