// Files of our own in folders that others may write.
#pragma once

#include "libinterpose/system/text.h"
#include "logformat/file_mode.h"

namespace fathom {

// A new log beside `path`, under a name that nobody can foresee and that `temporary` then is. Gives a
// descriptor for writing, or -1.
int open_new_beside(const PathText& path, PathText& temporary, const FileMode& mode);

// True where others than the owner of files may give their names to other files: in folders that all may
// write and that are not sticky.
bool others_may_rename_in_folder_of(const PathText& path);

}  // namespace fathom
