// Names of files that a program gives a library.
#pragma once

#include "logformat/part/part.h"

namespace fathom::libraries {

// The name in this part, made where it has none; nullptr if the file is not recorded.
NameChunk* recorded_file(const char* path);

// The name that this part has for it already; nullptr: none.
const NameChunk* known_file(const char* path);

}  // namespace fathom::libraries
