// Memory of the program's that must be looked at before a system call which might refuse it: afterwards
// another thread may have been given the answer, and may use the memory for something else.
#pragma once

#include <cstdint>
#include <sys/uio.h>

#include "libinterpose/system/sys.h"

namespace fathom {

class ReadableMemory {
  public:
    // Whether all of it can be read. The kernel is asked once for each page in a row, by a call that reads a
    // set of signals from there and then does nothing, since there is no such way of using it.
    bool has(const void* at, std::size_t bytes)
    {
        const auto first = reinterpret_cast<std::uintptr_t>(at);
        if (first < page_size || bytes == 0 || first + bytes < first || sys::forbidden()) return false;
        for (std::uintptr_t page = first & page_of; page <= first + bytes - 1; page += page_size) {
            if (page == known_) continue;
            constexpr long no_way = -1;
            if (sys::call(SYS_rt_sigprocmask, no_way, static_cast<long>(page), 0, 8) == -EFAULT) return false;
            known_ = page;
        }
        return true;
    }

    // The bytes that a vector of pieces asks for, and where the first one is; 0 where it cannot be read.
    std::uint64_t bytes_of(const iovec* vector, std::uint64_t pieces, const void*& first)
    {
        constexpr std::uint64_t most_pieces = 1024;  // UIO_MAXIOV: the kernel takes no more
        if (pieces > most_pieces || !has(vector, pieces * sizeof(iovec))) return 0;
        first = vector[0].iov_base;
        std::uint64_t bytes = 0;
        for (std::uint64_t at = 0; at < pieces; ++at) bytes += vector[at].iov_len;
        return bytes;
    }

  private:
    static constexpr std::uintptr_t page_size = 4096, page_of = ~(page_size - 1);
    std::uintptr_t known_ = 1;  // no page
};

}  // namespace fathom
