// Names that Lustre gives its targets and operations, in whatever tells of them.
#pragma once

#include <string_view>

#include "logformat/series/table.h"

namespace fathom::series {

// "scratch-OST0000", also with "_UUID" behind it: system "scratch", an OST. Others are of type other.
Component lustre_target(std::string_view name);

// "getattr" -> "getattrs"; empty: no quantity has it.
std::string_view lustre_quantity(std::string_view operation);

}  // namespace fathom::series
