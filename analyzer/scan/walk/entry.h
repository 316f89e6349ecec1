// What a walk learns of the names in a folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace fathom::scan {

// One name in a folder, by its inode. The name is any bytes but '/' and 0; empty: the folder that a walk
// began at.
struct Entry {
    std::string_view name;
    std::uint64_t inode = 0, device = 0;
    std::uint64_t size = 0;                   // bytes, as programs see them
    std::uint64_t allocated = 0;              // bytes on the device
    std::int64_t accessed = 0, modified = 0;  // seconds of UNIX time
    std::uint32_t mode = 0, user = 0, group = 0;
    std::uint32_t links = 1;  // names that the inode has, wherever they are

    bool is_regular() const { return S_ISREG(mode); }
    bool is_folder() const { return S_ISDIR(mode); }
};

// What could not be looked at, or was left out.
struct Trouble {
    enum class Kind : std::uint8_t {
        folder,       // could not be opened or read to its end
        entry,        // nothing could be learnt of its inode
        vanished,     // was there when its folder was read, and no longer then
        other_mount,  // left out
    } kind = Kind::folder;
    int error = 0;  // errno
    std::string path;
};

}  // namespace fathom::scan
