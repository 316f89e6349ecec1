// Names of files as MPI takes them.
#pragma once

namespace fathom {

// MPI file names may begin with the kind of file system ("ufs:/scratch/x").
inline const char* without_prefix(const char* path)
{
    const std::size_t letters = std::strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789");
    return letters > 1 && path[letters] == ':' ? path + letters + 1 : path;
}

}  // namespace fathom
