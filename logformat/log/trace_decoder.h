// Reads the code of a trace (trace_code.h) back into operations. What comes in is hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "logformat/trace/trace_code.h"
#include "logformat/trace_rows.h"

namespace fathom {

// The operations of one thread, one after the other. The spans, and the bytes that they refer to, must
// outlive the decoder, which takes no memory of its own.
class TraceDecoder {
  public:
    // `pieces`: "what" in order, each cut between tags. `times`: "when" in order, cut anywhere. Of the places
    // only file and offset are looked at.
    TraceDecoder(std::span<const std::string_view> pieces, std::span<const std::string_view> times,
                 std::span<const TracePlace> places)
        : pieces_(pieces), times_(times), places_(places)
    {}

    // Fills in the next operation. Its file is that of its place; its start counts from when the thread's
    // first operation began and wraps below it; its duration is end - start. False at the end, or where the
    // code is damaged: then there is a problem. Times that nothing else belongs to are no problem: the
    // process was killed in between.
    bool next(TracedOperation& operation);

    // Why the trace ends early; empty where it does not.
    const std::string& problem() const { return problem_; }

    // How many operations were decoded, and which of the spans of times the last of them came from.
    std::uint64_t operations() const { return operations_; }
    std::size_t times_at() const { return time_; }

  private:
    bool fail(std::string_view what);
    bool enter_piece();
    bool read_tag();
    bool read_exception(Tag tag, unsigned context, unsigned how);
    bool read_byte(std::uint8_t& value);
    bool read_sort(std::uint8_t& what, std::uint64_t& size);
    bool read_number(std::uint64_t& value);
    bool read_distance(std::uint64_t& distance, unsigned shift);
    bool read_place(TracePlace& place);
    bool read_bin(unsigned before, unsigned bins, unsigned& bin);
    bool read_times(TracedOperation& operation);

    std::span<const std::string_view> pieces_, times_;
    std::span<const TracePlace> places_;
    std::size_t piece_ = 0, time_ = 0, time_at_ = 0;
    std::string_view tags_;  // what is left of the piece
    std::uint64_t run_ = 0, operations_ = 0;
    TraceModel model_;
    std::string problem_;
};

}  // namespace fathom
