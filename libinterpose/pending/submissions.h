// From the submission of an asynchronous operation to its end. It is counted at its end, with what it really
// moved; only where in the file it fell is compared at its submission, since ends come in any order.
#pragma once

#include "libinterpose/pending/in_flight.h"
#include "libinterpose/recording/descriptors.h"

namespace fathom {

// The time that the program spent in a call for operations is shared out among these equally: those that it
// submitted and those of whose end it told. A wait that ended in vain is added to this thread's next one.
class Shares {
  public:
    // A call that was made inside the one that is under way (libraries call their own functions) has
    // accounted for its time itself.
    Shares();
    void add(NameChunk* file, Kind kind);
    bool empty() const { return total_ == 0; }
    NameChunk* first_file() const { return share_[0].file; }
    Kind first_kind() const { return share_[0].kind; }
    void hand_out(std::uint64_t ticks) const;

  private:
    struct Share {
        NameChunk* file;
        Kind kind;
        std::uint32_t operations;
    };
    static constexpr std::uint32_t most = 6;  // the last one takes what is beyond
    Share share_[most];
    std::uint32_t used_ = 0, total_ = 0;
    std::uint64_t accounted_before_;
};

// `what` has kind, file, memory and offset; `bytes`: that are asked for. False: it could not be noted.
bool submit(OperationKey key, Submission& what, std::uint64_t bytes, in_flight::Again again);

// The call that should have submitted it did not. Of several, the last one first.
void withdraw(OperationKey key);

// It ended with this result (a negative one: it failed), which the program has just been told.
void count_end(const Submission& what, std::int64_t result, std::uint64_t now);

// The same for the operation of this key, if there is one.
void end(OperationKey key, std::int64_t result, std::uint64_t now, Shares& shares);

// A call that submits them failed.
void count_failed_submission(const Shares& shares, Interval when);

}  // namespace fathom
