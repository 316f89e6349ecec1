// Whether data are text, by looking at a few of them: log2(n) times in n calls.
#pragma once

#include <cstdint>
#include <cstdio>

#include "logformat/counters.h"

namespace fathom {

namespace content {

inline constexpr std::size_t glance = 64;  // bytes

// Whether the next look is due after so many calls.
inline bool is_due(const Content& content, std::uint64_t calls)
{
    return __builtin_expect(calls >> content.looks != 0, 0);
}

// Looks at the middle of n bytes that a call has moved: the kernel could read or write them, so they are
// there, but where another thread may have given them back.
void look(Content& content, const void* data, std::uint64_t n);

// The same of what lies in a stream's buffer. What was flushed or bypassed it is not there any more: then
// nothing is looked at.
void look_at_read(Content& content, const FILE* stream);
void look_at_written(Content& content, const FILE* stream);

}  // namespace content

}  // namespace fathom
