// What is said on standard error.
#pragma once

#include <string_view>

namespace fathom {

// Prints "fathom: " and the line. A standard error that is closed or full is let go: there is nobody to tell.
void tell(std::string_view line);

// Opens /dev/null in the place of standard streams that are closed, so that no file of ours gets their
// numbers. Programs that are started find them closed as before.
void keep_standard_streams();

}  // namespace fathom
