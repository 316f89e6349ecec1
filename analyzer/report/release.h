// The end of the drawing libraries, for programs that do not draw themselves.
#pragma once

namespace fathom::report {

// Under AddressSanitizer gives back what Cairo, Pango and fontconfig keep until the end of the process, so
// that its leak check sees what is ours; else does nothing, since the kernel does it faster. Call it last.
void release_drawing();

}  // namespace fathom::report
