// Paths as records know them: absolute, without ".", ".." and doubled slashes (symbolic links stay), and
// which of them are not recorded.
#pragma once

#include <string_view>

#include "libinterpose/text.h"

namespace fathom {

bool is_excluded(std::string_view absolute);

// True for a path of which it is clear, without looking at the working folder, that it is not recorded.
inline bool is_plainly_excluded(const char* path)
{
    return path != nullptr && path[0] == '/' && is_excluded(path);
}

// The absolute form of `path`, relative to an open folder or AT_FDCWD. False if it cannot be told.
bool absolute_path(int folder, const char* path, PathText& to);

// The path by which an open descriptor's file was opened, as the kernel knows it now. False if there is none.
bool path_of_descriptor(int fd, PathText& to);

}  // namespace fathom
