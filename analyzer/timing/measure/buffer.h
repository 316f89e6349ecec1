// The memory that is read into and written from: allocated, filled and thus mapped before anything is timed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fathom::measure {

// Aligned to a page. Throws std::bad_alloc.
class Buffer {
  public:
    Buffer(std::uint64_t bytes, std::uint64_t seed);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::byte* data() const { return data_; }

    // Touches each page: a hypervisor may have taken back what was idle for some seconds.
    void touch() const;

  private:
    std::byte* data_ = nullptr;
    std::uint64_t bytes_ = 0;
};

// 256 MiB, or eight times the processor's largest cache where that is more: what is accessed anywhere in it
// is most likely in no cache. Never more than an eighth of `free_memory`.
std::uint64_t usual_buffer_size(std::uint64_t free_memory);

}  // namespace fathom::measure
