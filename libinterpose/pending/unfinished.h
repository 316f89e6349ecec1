// What is still under way when a process ends, becomes another program, or hands its counts over.
#pragma once

namespace fathom {

// Counts what went through mappings that are still there. May be called again.
void count_live_mappings();

// The process ends: the same, and operations that nobody will be told the end of.
void count_unfinished();

}  // namespace fathom
