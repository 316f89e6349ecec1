// What happens to files for which the part has no room left, and to those that are only named by path when
// there are many of them: they are counted together, a record for each mounted file system.
#pragma once

#include <string_view>

#include "logformat/part/part.h"

namespace fathom {

// The name that stands for the files without room on the mount of this path; `id` is the path's. nullptr: not
// even that fits.
NameChunk* further_file(std::string_view path, std::uint64_t id);

// Whether a file that was not opened and has no name here is to have none: there are many such, and this one
// was not named often.
bool is_one_of_many(std::uint64_t id);
// The name that stands for those on the mount of this path.
NameChunk* file_by_path(std::string_view path, std::uint64_t id);

}  // namespace fathom
