// Packs with zlib.
#include "parsers/darshan/region_writer.h"

#include <array>
#include <bit>
#include <zlib.h>

#include "logformat/log/log.h"

namespace fathom::darshan {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace {

constexpr std::size_t packed_at_once = 64 * 1024;

}  // namespace

struct RegionWriter::Stream {
    z_stream z{};
    std::array<std::byte, packed_at_once> packed{};
};

RegionWriter::RegionWriter(WholeFile& file)
    : file_(file), offset_(file.size()), stream_(std::make_unique<Stream>())
{
    if (deflateInit(&stream_->z, Z_DEFAULT_COMPRESSION) != Z_OK)
        throw LogError("no memory left to write the log");
    waiting_.reserve(packed_at_once);
}

RegionWriter::~RegionWriter()
{
    deflateEnd(&stream_->z);
}

void RegionWriter::put(std::span<const std::byte> bytes)
{
    if (waiting_.size() + bytes.size() > packed_at_once) {
        pack(waiting_, false);
        waiting_.clear();
    }
    if (bytes.size() > packed_at_once)
        pack(bytes, false);
    else
        waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
}

void RegionWriter::put_zeros(std::size_t count)
{
    constexpr std::array<std::byte, 256> zeros{};
    for (; count > 0; count -= std::min(count, zeros.size()))
        put(std::span(zeros).first(std::min(count, zeros.size())));
}

void RegionWriter::pack(std::span<const std::byte> bytes, bool last)
{
    z_stream& z = stream_->z;
    // zlib counts in 32 bits.
    constexpr std::size_t most = std::size_t{1} << 30;
    do {
        const auto piece = bytes.first(std::min(bytes.size(), most));
        bytes = bytes.subspan(piece.size());
        z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece.data()));
        z.avail_in = static_cast<uInt>(piece.size());
        do {
            z.next_out = reinterpret_cast<Bytef*>(stream_->packed.data());
            z.avail_out = static_cast<uInt>(packed_at_once);
            deflate(&z, last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
            file_.write(std::span(stream_->packed).first(packed_at_once - z.avail_out));
        } while (z.avail_out == 0);
    } while (!bytes.empty());
}

Region RegionWriter::finish()
{
    pack(waiting_, true);
    waiting_.clear();
    return {offset_, file_.size() - offset_};
}

}  // namespace fathom::darshan
