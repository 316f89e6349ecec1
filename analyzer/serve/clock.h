// The time of day.
#pragma once

#include <chrono>
#include <cstdint>

namespace fathom::serve {

// ns of UNIX time
inline std::int64_t unix_now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace fathom::serve
