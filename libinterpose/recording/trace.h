// The trace: every operation on the files that the user named, in the code of trace_code.h, in chunks of the
// part that are this thread's own.
#pragma once

#include <cstdint>

#include "libinterpose/recording/timings.h"
#include "logformat/part/part.h"

namespace fathom {

// Adds an operation on the file of these counters. `n`: bytes that it moved.
void trace(const CountersChunk& at, Kind kind, std::uint64_t n, std::uint64_t offset, Interval when);

// A thread has died, and its place goes to another one: what waited is added to its trace, and what it worked
// with is free.
void finish_trace_of_dead(ThreadChunk& thread);

// True for the files that the user wants to see traced, if this process is traced at all.
bool is_traced(const NameChunk& file);

}  // namespace fathom
