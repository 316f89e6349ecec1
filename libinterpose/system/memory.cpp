// The library's own memcpy and its kin, for itself alone. A program that is built with a sanitizer has some
// of these too, which watch whatever is copied: they would see our memory, but not the atomics that keep our
// threads apart, and put their false alarms into the program's output.
#include <cstddef>
#include <cstdint>

#define FOR_OURSELVES extern "C" __attribute__((visibility("hidden")))

namespace {

// Copies n bytes, of which a whole Word at the start and one at the end are all, or nearly: they may overlap.
template <class Word>
void copy_ends(unsigned char* to, const unsigned char* from, std::size_t n)
{
    Word first, last;
    __builtin_memcpy(&first, from, sizeof first);
    __builtin_memcpy(&last, from + n - sizeof last, sizeof last);
    __builtin_memcpy(to, &first, sizeof first);
    __builtin_memcpy(to + n - sizeof last, &last, sizeof last);
}

}  // namespace

FOR_OURSELVES void* memcpy(void* __restrict to, const void* __restrict from, std::size_t n)
{
    auto* const bytes = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    __extension__ using Wide = unsigned __int128;
    if (n > 256) {
        void* rest = to;
        __asm__ volatile("rep movsb" : "+D"(rest), "+S"(from), "+c"(n) : : "memory");
    } else if (n > 32) {
        Wide last;  // taken first: memmove's source may lie under the target
        __builtin_memcpy(&last, source + n - sizeof last, sizeof last);
        for (std::size_t at = 0; at + sizeof last < n; at += sizeof last)
            __builtin_memcpy(bytes + at, source + at, sizeof last);
        __builtin_memcpy(bytes + n - sizeof last, &last, sizeof last);
    } else if (n > 16) {
        copy_ends<Wide>(bytes, source, n);
    } else if (n >= 8) {
        copy_ends<std::uint64_t>(bytes, source, n);
    } else if (n >= 4) {
        copy_ends<std::uint32_t>(bytes, source, n);
    } else {
        for (std::size_t at = 0; at < n; ++at) bytes[at] = source[at];
    }
    return to;
}

FOR_OURSELVES void* memmove(void* to, const void* from, std::size_t n)
{
    if (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from) >= n)
        return memcpy(to, from, n);
    auto* const bytes = static_cast<volatile unsigned char*>(to);
    while (n-- > 0) bytes[n] = static_cast<const unsigned char*>(from)[n];
    return to;
}

FOR_OURSELVES void* memset(void* to, int value, std::size_t n)
{
    void* const start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
    return start;
}

FOR_OURSELVES int memcmp(const void* one, const void* other, std::size_t n)
{
    const auto* const a = static_cast<const unsigned char*>(one);
    const auto* const b = static_cast<const unsigned char*>(other);
    std::size_t at = 0;
    for (std::uint64_t x = 0, y = 0; at + 8 <= n; at += 8) {
        __builtin_memcpy(&x, a + at, 8);
        __builtin_memcpy(&y, b + at, 8);
        if (x != y) break;
    }
    for (; at < n; ++at)
        if (a[at] != b[at]) return a[at] < b[at] ? -1 : 1;
    return 0;
}
