// The kernel gives mappings the highest address that is free below those that are there: a program fills
// what lies under the library's own address from the top. The first of ours is 64 GiB under it, the next ones
// lie below; where the program has come so far already, further down.
#include "libinterpose/system/own_memory.h"

#include <cstdint>

namespace fathom {
namespace {

constexpr std::uint64_t alignment = std::uint64_t{2} << 20, distance = std::uint64_t{64} << 30,
                        most = std::uint64_t{8} << 40;

constinit std::atomic<std::uint64_t> handed_out{0};

}  // namespace

void* map_apart(std::size_t bytes, std::size_t room, int how, int fd)
{
#ifndef MAP_FIXED_NOREPLACE
    constexpr int MAP_FIXED_NOREPLACE = 0x100000;
#endif
    constexpr int most_tries = 8;
    const std::uint64_t top = static_cast<std::uint64_t>(sys::address(&handed_out)) & ~(alignment - 1);
    const std::uint64_t step = ((room + alignment - 1) & ~(alignment - 1)) + alignment;
    for (int tries = 0; tries < most_tries; ++tries) {
        const std::uint64_t below = distance + handed_out.fetch_add(step, std::memory_order_relaxed) % most;
        if (top < below + step) return nullptr;
        const long wanted = static_cast<long>(top - below - step);
        const long at = sys::call(SYS_mmap, wanted, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                  how | MAP_FIXED_NOREPLACE, fd, 0);
        if (at == wanted) return reinterpret_cast<void*>(at);
        if (at >= 0) sys::unmap(reinterpret_cast<void*>(at), bytes);  // a kernel before 4.17
        if (at < 0 && at != -EEXIST) return nullptr;
        handed_out.fetch_add(distance << tries, std::memory_order_relaxed);
    }
    return nullptr;
}

void* own_memory(std::size_t bytes)
{
    constexpr int how = MAP_PRIVATE | MAP_ANONYMOUS;
    if (void* const at = map_apart(bytes, bytes, how, -1)) return at;
    return sys::map(bytes, PROT_READ | PROT_WRITE, how, -1);
}

}  // namespace fathom
