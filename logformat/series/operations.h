// What NFS, Lustre and LMT call operations, as quantities.
#pragma once

#include <string_view>

namespace fathom::series {

// "OPEN", "open", "ost_open" -> "opens". Empty: not one that quantities() knows.
std::string_view quantity_of_operation(std::string_view name);

}  // namespace fathom::series
