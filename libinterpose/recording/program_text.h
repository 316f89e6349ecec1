// A text of the program's, after the call that was given it. Another thread may have seen by then what the
// call did, and have unmapped the text: where that can be, it was copied before the call (observe.h), or the
// kernel copies it, which takes ten times as long.
#pragma once

#include <optional>
#include <span>
#include <sys/single_threaded.h>

#include "libinterpose/recording/paths.h"

namespace fathom {

class ProgramText {
  public:
    explicit ProgramText(const char* text) : text_(text)
    {
        if (text != nullptr && __builtin_expect(may_be_gone(text), 0)) copy(text);
    }

    // It was there when the call was made, and is no more.
    bool is_gone() const { return is_gone_; }
    const char* c_str() const { return text_; }

    // False where there is one thread, and of what nobody gives back: this stack, the executable, the heap.
    static bool may_be_gone(const void* at) { return __libc_single_threaded == 0 && lies_elsewhere(at); }

    // Before the call: copies a text with the zero behind it. False: there is none, or no room for it. A
    // pointer that the kernel would refuse is not followed.
    static bool copy_before(const char* text, std::span<char> to);

  private:
    static bool lies_elsewhere(const void* at);
    void copy(const char* text);

    const char* text_;
    std::optional<PathScratch> copy_;
    bool is_gone_ = false;
};

// Copies at most `room` bytes of the program's memory, up to where it cannot be read; how many.
std::size_t copy_readable(const void* from, char* to, std::size_t room);

}  // namespace fathom
