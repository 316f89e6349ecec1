// Large pages by madvise.
#include "logformat/log/large_pages.h"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

namespace fathom {

void use_large_pages(void* memory, std::size_t bytes)
{
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) & ~(page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(page - 1);
    if (end <= first) return;
    const int before = errno;
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
    errno = before;
}

}  // namespace fathom
