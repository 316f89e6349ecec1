// Where the names are.
#include "libinterpose/recording/known_paths.h"

namespace fathom::known_paths {

constinit std::array<std::atomic<NameChunk*>, 1u << slot_bits> names{};

}  // namespace fathom::known_paths
