// Names of random letters.
#include "libinterpose/system/new_file.h"

#include <cerrno>
#include <cstdint>
#include <sys/stat.h>

#include "libinterpose/system/sys.h"

namespace fathom {
namespace {

void name_anew(const PathText& path, PathText& temporary)
{
    constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuv";
    unsigned char random[16] = {};
    sys::call(SYS_getrandom, sys::address(random), sizeof random, 0);
    temporary.resize(0);
    temporary << path.view().substr(0, path.view().rfind('/') + 1) << ".fathom-";
    for (const unsigned char byte : random) temporary << letters.substr(byte % letters.size(), 1);
    temporary << ".tmp";
}

}  // namespace

int open_new_beside(const PathText& path, PathText& temporary, const FileMode& mode)
{
    constexpr int most_tries = 10;
    int fd = -EEXIST;
    for (int tries = 0; fd == -EEXIST && tries < most_tries; ++tries) {
        name_anew(path, temporary);
        fd = sys::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode.at_open);
    }
    if (fd >= 0 && mode.is_asked_for) sys::call(SYS_fchmod, fd, mode.at_open);
    return fd < 0 ? -1 : fd;
}

bool others_may_rename_in_folder_of(const PathText& path)
{
    PathText folder;
    folder << path.view().substr(0, path.view().rfind('/') + 1);
    struct stat about {};
    if (folder.empty() || sys::status(folder.c_str(), about) != 0) return true;
    return (about.st_mode & S_IWOTH) != 0 && (about.st_mode & S_ISVTX) == 0;
}

}  // namespace fathom
