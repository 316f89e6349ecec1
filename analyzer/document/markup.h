// Text in HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace fathom::report {

// Text from outside made printable, as it stands between tags or in an attribute.
std::string escape(std::string_view text);

}  // namespace fathom::report
