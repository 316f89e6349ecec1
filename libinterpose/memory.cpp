// The library's own memcpy and its kin, for itself alone. A program that is built with a sanitizer has some
// of these too, which watch whatever is copied: they would see our memory, but not the atomics that keep our
// threads apart, and put their false alarms into the program's output.
#include <cstddef>
#include <cstdint>

#define FOR_OURSELVES extern "C" __attribute__((visibility("hidden")))

FOR_OURSELVES void* memcpy(void* __restrict to, const void* __restrict from, std::size_t n)
{
    void* const start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    return start;
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
