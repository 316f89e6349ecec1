// Asynchronous operations that were submitted and of whose end the program has not been told: a table of
// fixed size, by what stands for the operation in the program's next call (the address of its control block;
// the ring and the user's data). No locks: whoever takes an operation out counts it, so it is counted once.
//
// An operation for which there is no room is counted as missed, and so is one whose end is never seen: the
// process ended, or its control block was used again. What such a one moved is not known.
#pragma once

#include <cstdint>

#include "libinterpose/recording/recorder.h"

namespace fathom {

struct Submission {
    Kind kind{};
    int fd = -1;                // whose position moves on, if it does
    NameChunk* file = nullptr;  // nullptr: an open
    bool creates = false;       // …which makes its file, or empties it
    const void* memory = nullptr;
    std::uint64_t offset = 0, start = 0;
    Placement placed;                                 // of reads and writes
    std::uint64_t PosixCounters::*counter = nullptr;  // of the kind other
};

using OperationKey = std::uint64_t;

inline OperationKey key_of(const void* control_block)
{
    return reinterpret_cast<OperationKey>(control_block);
}

namespace in_flight {

// False: there is no room. With Again::impossible an operation of the same key must have ended unseen.
enum class Again { impossible, possible };
bool add(OperationKey key, const Submission& what, Again again);

// Takes it out. False: it is not there, or another thread was faster.
bool take(OperationKey key, Submission& what);

// What it is and of which file, as long as it is there.
bool look(OperationKey key, Kind& kind, NameChunk*& file);

// Whether there are any.
bool any();

// Nothing more will be learnt of those that are left.
void give_up();

}  // namespace in_flight
}  // namespace fathom
