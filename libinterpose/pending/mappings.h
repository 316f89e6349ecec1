// Which parts of which files are mapped, and an estimate of what went through them.
//
// Loads and stores are not calls, so they are not seen. When a mapping goes, the kernel is asked which of its
// pages this process has in its page table: those were touched. What was touched of a shared mapping that may
// be written to counts as written (the kernel does not say more unless asked beforehand, which could be
// noticed), anything else as read. Mind that
// - a read maps the pages around it too if they are in memory, usually 16: one byte looks like up to 64 KiB,
// - pages that the kernel took back before they were asked for are missing, and so are second touches,
// - MAP_POPULATE touches everything,
// - of large mappings only samples are looked at, and not all where a program maps and unmaps all the time,
// - a forked child is asked for what it touched itself, of shared mappings only,
// - a process that is killed was never asked.
#pragma once

#include <cstdint>

#include "libinterpose/recording/session.h"

namespace fathom {

struct Range {
    std::uintptr_t start = 0, end = 0;
    bool empty() const { return start >= end; }
};
Range overlap(Range one, Range other);
// The whole pages that a call on memory is about; empty where there can be none.
Range pages_of(const void* start, std::uint64_t bytes);

struct Mapping {
    Range at;
    NameChunk* file = nullptr;
    std::uint64_t file_bytes = 0;  // from its start to the end of the file, as that was when it was mapped
    std::uint64_t counted = 0;     // of the estimate, in this process
    long process = 0;
    bool shared = false, writable = false;
};

namespace mappings {

// Whether any was ever made: one load, which is what calls on other memory cost.
bool any();

// Notes one. Beyond a thousand at a time they are not noted: there is no estimate of them then.
void add(const Mapping& mapping);

// Takes out what lies in this range of the first mapping that has a part of it. False: there is none.
bool take(Range range, Mapping& taken);

// The file that is mapped somewhere in this range, or nullptr.
NameChunk* file_in(Range range);

// Takes out everything in this range after counting the estimate. Returns the file of the first, or nullptr.
NameChunk* end(Range range);

// Counts what was touched in this range, whose pages are about to be given back while it stays mapped.
void count_pages_that_go(Range range);

// Counts the estimate of all of them so far.
void count_all();

}  // namespace mappings
}  // namespace fathom
