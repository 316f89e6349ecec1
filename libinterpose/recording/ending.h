// What a process's part says of its end and of its children's. All of it is written by the process whose
// part it is: a child of vfork, which sees its parent's, changes nothing.
#pragma once

#include <sys/types.h>

#include "logformat/part/part.h"

namespace fathom {

// This process is about to end in this way. What is known already and says more stays.
void note_ending(Ending how, std::int64_t status = no_status);

// MPI_Finalize has been called.
void note_finalize();

// A child's end, with the status that wait gave. Only some hundred children are noted.
void note_death(pid_t child, int status);

// As long as it lives, the part says that this process replaced by exec, and which; in a child that has
// none, that of the process it was forked from does. After an exec that succeeds nobody is there to take it
// back.
class Becoming {
  public:
    // `name`: what exec was given, which may be no pointer to anything; nullptr where it was given a
    // descriptor.
    explicit Becoming(const char* name);
    ~Becoming();
    Becoming(const Becoming&) = delete;
    Becoming& operator=(const Becoming&) = delete;

  private:
    PartHeader* part_;
    StartsChunk::Entry* start_;
    Ending ending_before_{};
    std::uint64_t end_before_ = 0;
};

}  // namespace fathom
