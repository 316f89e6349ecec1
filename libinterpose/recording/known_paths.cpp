// Where the names are.
#include "libinterpose/recording/known_paths.h"

#include "libinterpose/system/own_memory.h"

namespace fathom::known_paths {

FATHOM_LARGE constinit std::array<std::atomic<NameChunk*>, 1u << slot_bits> names{};

}  // namespace fathom::known_paths
