// Files in folders that others may write: new ones that take a name whole, and regular ones that are read.
#pragma once

#include <string>

#include "logformat/file_mode.h"

namespace fathom {

// Where a file goes that a user names: through symbolic links that are the user's own or root's, to what they
// name. A link of somebody else, also among the folders, is not followed, and a folder, a device or a FIFO
// cannot be replaced: then `trouble` says so in words.
struct Place {
    std::string path, trouble;
};
Place place_of(const std::string& path);

// Empty, or why nothing is written at this path: a symbolic link on the way, or a FIFO or device at its end,
// of another user than this one and root.
std::string trouble_with_owner(const std::string& path);

// A file that takes a path whole or not at all. It is made in the same folder under a name that nobody can
// foresee, never through a link, and renamed; both in the folder that was there in the beginning.
class NewFile {
  public:
    explicit NewFile(const std::string& path, const FileMode& mode = {});
    ~NewFile();  // what was not finished is gone
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    int fd() const { return fd_; }        // for writing; -1 where it could not be made
    int error() const { return error_; }  // then, why: errno
    // Flushes it to the device and gives it its name; 0, or errno.
    int finish();

  private:
    std::string name_, temporary_;
    int folder_ = -1, fd_ = -1, error_ = 0;
};

// Opens a regular file for reading; never waits for a FIFO. -1 where it is none or cannot be opened:
// `trouble` says why in words.
enum class Links { followed, refused };
int open_regular(const std::string& path, Links links, std::string& trouble);

}  // namespace fathom
