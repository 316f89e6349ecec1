// An anonymous mapping, which leaves the rest of the heap alone.
#include "analyzer/timing/measure/buffer.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/timing/measure/measured_file.h"

namespace fathom::measure {

Buffer::Buffer(std::uint64_t bytes, std::uint64_t seed) : bytes_(bytes)
{
    void* const map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(map);
    scramble(data_, bytes, seed);
}

Buffer::~Buffer()
{
    munmap(data_, bytes_);
}

void Buffer::touch() const
{
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    for (std::uint64_t at = 0; at < bytes_; at += page) {
        volatile std::byte& one = data_[at];
        const std::byte same = one;
        one = same;
    }
}

std::uint64_t usual_buffer_size(std::uint64_t free_memory)
{
    constexpr std::uint64_t usual = 256u << 20, most = 1u << 30, mib = 1u << 20;
    const auto cache = static_cast<std::uint64_t>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L));
    const std::uint64_t wanted = std::clamp(8 * cache, usual, most);
    return std::min(wanted, free_memory / 8) / mib * mib;
}

}  // namespace fathom::measure
