// The log that a process writes by itself where nobody collects parts: no MPI, no `fathom record`, only
// FATHOM_LOGDIR.
#pragma once

namespace fathom {

void write_own_log();

}
