// What happens to files for which the part has no room left: they are counted together, a record for each
// mounted file system.
#pragma once

#include <string_view>

#include "logformat/part/part.h"

namespace fathom {

// The name that stands for the files without room on the mount of this path; `id` is the path's. nullptr: not
// even that fits.
NameChunk* further_file(std::string_view path, std::uint64_t id);

}  // namespace fathom
