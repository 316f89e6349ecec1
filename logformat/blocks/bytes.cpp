// Bytes on anonymous mappings.
#include "logformat/blocks/bytes.h"

#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace fathom {
namespace {

constexpr std::size_t large = std::size_t{4} << 20;

}  // namespace

Bytes::~Bytes()
{
    release();
}

void Bytes::release()
{
    if (data_ != nullptr) munmap(data_, capacity_);
    data_ = nullptr;
    size_ = capacity_ = 0;
}

std::byte* Bytes::room(std::size_t n)
{
    if (!good_) return nullptr;
    if (capacity_ - size_ < n) {
        std::size_t wanted = capacity_ == 0 ? std::size_t{64} << 10 : capacity_ * 2;
        while (wanted - size_ < n) wanted *= 2;
        void* const bigger = data_ == nullptr ? mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                              : mremap(data_, capacity_, wanted, MREMAP_MAYMOVE);
        if (bigger == MAP_FAILED) {
            good_ = false;
            return nullptr;
        }
        // Large pages, where the system has them: giving out small ones takes longer than filling them.
        if (wanted >= large) madvise(bigger, wanted, MADV_HUGEPAGE);
        data_ = static_cast<std::byte*>(bigger);
        capacity_ = wanted;
    }
    return data_ + size_;
}

void Bytes::append(std::span<const std::byte> bytes)
{
    if (bytes.empty()) return;
    if (std::byte* to = room(bytes.size())) {
        std::memcpy(to, bytes.data(), bytes.size());
        size_ += bytes.size();
    }
}

void Bytes::append_byte(std::uint8_t value)
{
    const auto byte = static_cast<std::byte>(value);
    append({&byte, 1});
}

void Bytes::append_varint(std::uint64_t value)
{
    std::byte* const to = room(10);
    if (to == nullptr) return;
    std::size_t used = 0;
    while (value >= 0x80) {
        to[used++] = static_cast<std::byte>(value | 0x80);
        value >>= 7;
    }
    to[used++] = static_cast<std::byte>(value);
    size_ += used;
}

void Bytes::append_f64(double value)
{
    auto bits = std::bit_cast<std::uint64_t>(value);
    std::byte* const to = room(8);
    if (to == nullptr) return;
    for (std::size_t at = 0; at < 8; ++at, bits >>= 8) to[at] = static_cast<std::byte>(bits);
    size_ += 8;
}

}  // namespace fathom
