// zlib, with memory of our own and a choice of strategy.
#include "logformat/blocks/pack.h"

#include <sys/mman.h>

namespace fathom {
namespace {

constexpr int level = 6;

// zlib's memory comes from mappings as well; the size stands in front so that it can be given back.
void* zlib_allocate(void*, uInt items, uInt size)
{
    const std::size_t bytes = std::size_t{items} * size + 64;
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    *static_cast<std::size_t*>(at) = bytes;
    return static_cast<std::byte*>(at) + 64;
}

void zlib_free(void*, void* memory)
{
    std::byte* const at = static_cast<std::byte*>(memory) - 64;
    munmap(at, *reinterpret_cast<std::size_t*>(at));
}

}  // namespace

Packer::~Packer()
{
    if (ready_) deflateEnd(&stream_);
}

bool Packer::pack(Bytes& out, std::span<const std::byte> raw, std::span<const Cut> cuts)
{
    if (!ready_) {
        stream_.zalloc = zlib_allocate;
        stream_.zfree = zlib_free;
        ready_ = deflateInit(&stream_, level) == Z_OK;
    }
    if (!ready_ || deflateReset(&stream_) != Z_OK) return false;
    constexpr std::size_t most_per_cut = 16;  // an end of a block, and what it leaves unused of a byte
    const std::size_t bound =
        deflateBound(&stream_, static_cast<uLong>(raw.size())) + most_per_cut * (cuts.size() + 1);
    std::byte* const to = out.room(bound);
    if (to == nullptr) return false;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(bound);
    std::size_t from = 0;
    bool text = true;
    for (const Cut& cut : cuts) {
        if (cut.at > from && !pack_kind(raw.subspan(from, cut.at - from), text, false)) return false;
        from = cut.at;
        text = cut.text;
    }
    if (!pack_kind(raw.subspan(from), text, true)) return false;
    out.grow(stream_.total_out);
    return true;
}

bool Packer::pack_kind(std::span<const std::byte> raw, bool text, bool last)
{
    if (deflateParams(&stream_, level, text ? Z_DEFAULT_STRATEGY : Z_RLE) != Z_OK) return false;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(raw.data()));
    stream_.avail_in = static_cast<uInt>(raw.size());
    return deflate(&stream_, last ? Z_FINISH : Z_BLOCK) == (last ? Z_STREAM_END : Z_OK);
}

}  // namespace fathom
