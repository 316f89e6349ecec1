// Days and folders.
#include "analyzer/record/filing.h"

#include <fcntl.h>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <initializer_list>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "logformat/log/log.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t ns_per_second = 1'000'000'000, seconds_per_day = 86'400;

fs::path folder_of_day(const fs::path& folder, std::uint64_t second)
{
    return folder / fmt::format("{:%Y/%m/%d}", fmt::localtime(static_cast<std::time_t>(second)));
}

// Folders from `top` down, with its mode: a user's umask would keep the next user out. By descriptor and
// through no link: others may have put one there.
void make(const fs::path& folder, const fs::path& top)
{
    int at = open(top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat mode {
    }, there{};
    bool good = at >= 0 && fstat(at, &mode) == 0;
    for (const fs::path& name : folder.lexically_relative(top)) {
        if (!good) break;
        const bool is_new = mkdirat(at, name.c_str(), S_IRWXU) == 0;
        const int next = openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(std::exchange(at, next));
        good = next >= 0 && fstat(next, &there) == 0;
        if (good && is_new && there.st_uid == geteuid()) good = fchmod(next, mode.st_mode & 07777) == 0;
    }
    if (at >= 0) close(at);
    if (!good) throw LogError(fmt::format("{}: cannot be made, or a link leads there", folder.string()));
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
