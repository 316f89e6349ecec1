// What was different about two runs before they did any I/O, or about how they did it: program, ranks, nodes,
// modes, file systems, layouts.
#pragma once

#include <string>
#include <vector>

#include "analyzer/compare/run.h"

namespace fathom {

struct Circumstance {
    std::string id, what, before, after;
};

// Those that differ, what matters most first.
std::vector<Circumstance> differing_circumstances(const Run& earlier, const Run& later);

// True where another program ran: then the runs can be laid side by side, but neither is the norm of the
// other.
bool of_other_programs(const Run& earlier, const Run& later);

// A clause on what differs, empty where nothing does or it is not known.
std::string layout_difference(const Run& earlier, const Run& later);
std::string layer_difference(const Run& earlier, const Run& later);
std::string file_system_difference(const Run& earlier, const Run& later);
std::string mode_difference(const Run& earlier, const Run& later, Direction direction);

}  // namespace fathom
