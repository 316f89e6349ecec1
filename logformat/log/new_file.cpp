// Folders are opened once; what is in them is named from there.
#include "logformat/log/new_file.h"

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fathom {
namespace {

namespace fs = std::filesystem;

std::string unforeseen_name()
{
    std::random_device random;
    return fmt::format(".fathom-{:08x}{:08x}.tmp", random(), random());
}

}  // namespace

namespace {

bool is_trusted(const struct stat& about)
{
    return about.st_uid == geteuid() || about.st_uid == 0;
}

// Follows links from the root on; what is not there yet is taken as it is.
Place without_links(const std::string& path)
{
    constexpr int most_links = 40;
    std::error_code error;
    fs::path left = fs::absolute(path, error), place;
    for (int links = 0; !left.empty();) {
        auto name = left.begin();
        const fs::path next = place / *name;
        fs::path rest;
        for (++name; name != left.end(); ++name) rest /= *name;
        struct stat about {};
        const bool is_link = lstat(next.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
        if (!is_link) {
            place = next;
            left = rest;
            continue;
        }
        if (!is_trusted(about))
            return {
                next,
                fmt::format("{} is a symbolic link of another user (number {}); name what it should lead to",
                            next.string(), about.st_uid)};
        const fs::path target = fs::read_symlink(next, error);
        if (error || ++links > most_links) return {next, std::strerror(error ? error.value() : ELOOP)};
        if (target.is_absolute()) place.clear();
        left = rest.empty() ? target : target / rest;
    }
    return {place, ""};
}

}  // namespace

std::string trouble_with_owner(const std::string& path)
{
    Place place = without_links(path);
    struct stat about {};
    if (!place.trouble.empty() || lstat(place.path.c_str(), &about) != 0 || S_ISREG(about.st_mode) ||
        S_ISDIR(about.st_mode) || is_trusted(about))
        return std::move(place.trouble);
    return fmt::format("this is a FIFO or a device of another user (number {}); name a file", about.st_uid);
}

Place place_of(const std::string& path)
{
    Place place = without_links(path);
    struct stat there {};
    if (!place.trouble.empty() || lstat(place.path.c_str(), &there) != 0 || S_ISREG(there.st_mode))
        return place;
    place.trouble = S_ISDIR(there.st_mode) ? "this is a folder; name a file in it"
                                           : "this is no regular file; name one that is, or is not there yet";
    return place;
}

NewFile::NewFile(const std::string& path, const FileMode& mode)
{
    const fs::path whole = path;
    const std::string folder = whole.parent_path();
    name_ = whole.filename();
    folder_ = open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    constexpr int most_tries = 100;
    for (int tries = 0; folder_ >= 0 && fd_ < 0 && tries < most_tries; ++tries) {
        temporary_ = unforeseen_name();
        fd_ = openat(folder_, temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     mode.at_open);
        if (fd_ < 0 && errno != EEXIST) break;
    }
    if (fd_ < 0) error_ = errno;
    if (fd_ < 0) return;
    // What others may read of a file that is replaced does not become more.
    struct stat there {};
    if (fstatat(folder_, name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode) &&
        there.st_uid == geteuid())
        fchmod(fd_, mode.in_place_of(there.st_mode));
    else if (mode.is_asked_for)
        fchmod(fd_, mode.at_open);
}

NewFile::~NewFile()
{
    if (fd_ >= 0) {
        close(fd_);
        unlinkat(folder_, temporary_.c_str(), 0);
    }
    if (folder_ >= 0) close(folder_);
}

int NewFile::finish()
{
    // Some file systems have nothing to flush to.
    if (fsync(fd_) != 0 && errno != EINVAL) return errno;
    const int fd = std::exchange(fd_, -1);
    if (close(fd) == 0 && renameat(folder_, temporary_.c_str(), folder_, name_.c_str()) == 0) return 0;
    const int why = errno;
    unlinkat(folder_, temporary_.c_str(), 0);
    return why;
}

int open_regular(const std::string& path, Links links, std::string& trouble)
{
    const int refused = links == Links::refused ? O_NOFOLLOW : 0;
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | refused);
    struct stat about {};
    if (fd < 0 || fstat(fd, &about) != 0)
        trouble = fmt::format("cannot open: {}", std::strerror(errno));
    else if (S_ISDIR(about.st_mode))
        trouble = "this is a folder; name a file";
    else if (!S_ISREG(about.st_mode))
        trouble = "this is not a regular file";
    else
        return fd;
    if (fd >= 0) close(fd);
    return -1;
}

}  // namespace fathom
