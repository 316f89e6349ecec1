// What the standard library's headers would throw with. Nothing here throws, but a checked substr() refers to
// it, and with it would come the whole of libstdc++, which needs a newer libc than this library does.
#include <string_view>

namespace std {

// Reached only by a mistake of ours that an exception would not have mended either.
void __throw_out_of_range_fmt(const char*, ...)
{
    __builtin_trap();
}

}  // namespace std
