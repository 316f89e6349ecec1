// Which libraries the program has loaded, of a few that show in what it is written and by what it does its
// I/O.
#pragma once

namespace fathom {

// Leaves them in the part of this process. Called when it ends: Python loads what it needs as it goes.
void note_libraries();

}  // namespace fathom
