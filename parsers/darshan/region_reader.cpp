// Unpacking, with the libraries that packed.
#include "parsers/darshan/region_reader.h"

#include <algorithm>
#include <bit>
#include <bzlib.h>
#include <cstring>
#include <fmt/format.h>
#include <libdeflate.h>
#include <utility>
#include <zlib.h>

#include "logformat/log/large_pages.h"

namespace fathom::darshan {
namespace {

constexpr std::size_t packed_room = 64 * 1024, first_room = 64 * 1024;
// Regions up to this size are unpacked at once, in half the time, unless that gives more than so much.
constexpr std::size_t most_at_once = 16 * 1024 * 1024, most_unpacked_at_once = 64 * 1024 * 1024;

struct FreeDecompressor {
    void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

// What a small log needed serves the next one that this thread reads: getting such memory, and giving it
// back, takes as long as unpacking so little.
constexpr std::size_t most_kept = 1 << 20;

struct Kept {
    std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor;
    std::unique_ptr<std::byte[]> packed, unpacked;
    std::size_t packed_room = 0, unpacked_room = 0;
};

Kept& kept()
{
    thread_local Kept one;
    return one;
}

std::unique_ptr<std::byte[]> take_room(std::size_t& room)
{
    Kept& spare = kept();
    if (spare.unpacked && spare.unpacked_room >= room) {
        room = std::exchange(spare.unpacked_room, 0);
        return std::move(spare.unpacked);
    }
    auto bytes = std::make_unique_for_overwrite<std::byte[]>(room);
    use_large_pages(bytes.get(), room);
    return bytes;
}

void give_room(std::unique_ptr<std::byte[]> bytes, std::size_t room)
{
    Kept& spare = kept();
    if (!bytes || room > most_kept || room <= spare.unpacked_room) return;
    spare.unpacked = std::move(bytes);
    spare.unpacked_room = room;
}

// Unpacks zlib streams that follow one another; nothing where they are damaged or give too much.
std::unique_ptr<std::byte[]> inflate_all(std::span<const std::byte> packed, std::size_t& room,
                                         std::size_t& used)
{
    auto& tool = kept().decompressor;
    if (!tool) tool.reset(libdeflate_alloc_decompressor());
    if (!tool) return nullptr;
    room = std::clamp(8 * packed.size(), first_room, most_unpacked_at_once);
    auto bytes = take_room(room);
    used = 0;
    while (!packed.empty()) {
        std::size_t taken = 0, given = 0;
        const auto result = libdeflate_zlib_decompress_ex(tool.get(), packed.data(), packed.size(),
                                                          bytes.get() + used, room - used, &taken, &given);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE && room < most_unpacked_at_once) {
            auto larger = std::make_unique_for_overwrite<std::byte[]>(2 * room);
            std::memcpy(larger.get(), bytes.get(), used);
            bytes = std::move(larger);
            room *= 2;
        } else if (result != LIBDEFLATE_SUCCESS) {
            return nullptr;
        } else {
            packed = packed.subspan(taken);
            used += given;
        }
    }
    return bytes;
}

}  // namespace

// One step of unpacking: consumes from `in`, fills `out`, and says what came of it.
struct RegionReader::Packer {
    enum class State { more, stream_end, damaged };
    struct Step {
        State state{};
        std::size_t consumed = 0, produced = 0;
    };
    virtual ~Packer() = default;
    virtual Step step(std::span<const std::byte> in, std::span<std::byte> out) = 0;
    // A new stream begins where the last one ended.
    virtual void restart() = 0;
    virtual std::string_view name() const = 0;
};

struct RegionReader::Zlib final : Packer {
    z_stream stream{};
    Zlib() { ok = inflateInit(&stream) == Z_OK; }
    ~Zlib() override { inflateEnd(&stream); }
    Zlib(const Zlib&) = delete;
    Zlib& operator=(const Zlib&) = delete;
    bool ok = false;

    Step step(std::span<const std::byte> in, std::span<std::byte> out) override
    {
        if (!ok) return {State::damaged};
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
        stream.avail_in = static_cast<uInt>(in.size());
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        const int result = inflate(&stream, Z_NO_FLUSH);
        Step step{State::more, in.size() - stream.avail_in, out.size() - stream.avail_out};
        if (result == Z_STREAM_END)
            step.state = State::stream_end;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            step.state = State::damaged;
        return step;
    }
    void restart() override { inflateReset(&stream); }
    std::string_view name() const override { return "zlib"; }
};

struct RegionReader::Bzip2 final : Packer {
    bz_stream stream{};
    Bzip2() { ok = BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK; }
    ~Bzip2() override { BZ2_bzDecompressEnd(&stream); }
    Bzip2(const Bzip2&) = delete;
    Bzip2& operator=(const Bzip2&) = delete;
    bool ok = false;

    Step step(std::span<const std::byte> in, std::span<std::byte> out) override
    {
        if (!ok) return {State::damaged};
        stream.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data()));
        stream.avail_in = static_cast<unsigned>(in.size());
        stream.next_out = reinterpret_cast<char*>(out.data());
        stream.avail_out = static_cast<unsigned>(out.size());
        const int result = BZ2_bzDecompress(&stream);
        Step step{State::more, in.size() - stream.avail_in, out.size() - stream.avail_out};
        if (result == BZ_STREAM_END)
            step.state = State::stream_end;
        else if (result != BZ_OK)
            step.state = State::damaged;
        return step;
    }
    void restart() override
    {
        BZ2_bzDecompressEnd(&stream);
        stream = {};
        ok = BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK;
    }
    std::string_view name() const override { return "bzip2"; }
};

struct RegionReader::Plain final : Packer {
    Step step(std::span<const std::byte> in, std::span<std::byte> out) override
    {
        const std::size_t bytes = std::min(in.size(), out.size());
        std::memcpy(out.data(), in.data(), bytes);
        return {State::more, bytes, bytes};
    }
    void restart() override {}
    std::string_view name() const override { return "plain bytes"; }
};

RegionReader::RegionReader(const Source& source, Region region, Compression compression)
    : source_(source), region_(region)
{
    if (compression == Compression::zlib && region.length <= most_at_once) unpack_at_once();
    if (ended_) return;
    switch (compression) {
        case Compression::zlib:
            packer_ = std::make_unique<Zlib>();
            break;
        case Compression::bzip2:
            packer_ = std::make_unique<Bzip2>();
            break;
        case Compression::none:
            packer_ = std::make_unique<Plain>();
            break;
    }
    packed_ = std::make_unique_for_overwrite<std::byte[]>(
        static_cast<std::size_t>(std::min<std::uint64_t>(region.length, packed_room)));
    room_ = first_room;
    unpacked_ = std::make_unique_for_overwrite<std::byte[]>(room_);
}

// Where that does not go, nothing was done: then zlib goes as far as it can, and says where the damage is.
void RegionReader::unpack_at_once()
{
    const auto bytes = static_cast<std::size_t>(region_.length);
    Kept& spare = kept();
    std::unique_ptr<std::byte[]> large;
    if (bytes > most_kept) {
        large = std::make_unique_for_overwrite<std::byte[]>(bytes);
    } else if (bytes > spare.packed_room) {
        spare.packed_room = std::bit_ceil(bytes);
        spare.packed = std::make_unique_for_overwrite<std::byte[]>(spare.packed_room);
    }
    std::byte* const packed = large ? large.get() : spare.packed.get();
    if (source_.read(region_.offset, {packed, bytes}) < bytes) return;
    unpacked_ = inflate_all({packed, bytes}, room_, to_);
    ended_ = unpacked_ != nullptr;
    if (!ended_) to_ = 0;
}

RegionReader::~RegionReader()
{
    give_room(std::move(unpacked_), room_);
}

std::size_t RegionReader::unpack(std::span<std::byte> to)
{
    std::size_t done = 0;
    while (done < to.size() && !ended_) {
        if (packed_from_ == packed_to_) {
            const std::uint64_t left = region_.length - read_;
            const std::size_t got =
                left == 0
                    ? 0
                    : source_.read(region_.offset + read_,
                                   {packed_.get(),
                                    static_cast<std::size_t>(std::min<std::uint64_t>(left, packed_room))});
            packed_from_ = 0;
            packed_to_ = got;
            read_ += got;
            if (got == 0 && left > 0)
                trouble_ =
                    fmt::format("the file ends {} bytes too early, at byte {}", left, region_.offset + read_);
        }
        const auto step = packer_->step({packed_.get() + packed_from_, packed_to_ - packed_from_},
                                        {to.data() + done, to.size() - done});
        packed_from_ += step.consumed;
        done += step.produced;
        const std::uint64_t at = region_.offset + read_ - (packed_to_ - packed_from_);
        if (step.state == Packer::State::damaged) {
            if (trouble_.empty()) trouble_ = fmt::format("damaged at byte {} ({})", at, packer_->name());
            ended_ = true;
        } else if (step.state == Packer::State::stream_end) {
            ended_ = packed_from_ == packed_to_ && read_ == region_.length;
            if (!ended_) packer_->restart();
        } else if (step.consumed == 0 && step.produced == 0) {
            // Nothing goes in, nothing comes out: the input ended, for plain bytes as it should.
            if (trouble_.empty() && packer_->name() != Plain().name())
                trouble_ =
                    fmt::format("it ends in the middle of a {} stream, at byte {}", packer_->name(), at);
            ended_ = true;
        }
    }
    return done;
}

// Unpacks some more behind what is there; false at the end.
bool RegionReader::more()
{
    if (ended_) return false;
    if (from_ > 0) {
        std::memmove(unpacked_.get(), unpacked_.get() + from_, to_ - from_);
        to_ -= from_;
        from_ = 0;
    }
    if (to_ == room_) {
        auto larger = std::make_unique_for_overwrite<std::byte[]>(2 * room_);
        std::memcpy(larger.get(), unpacked_.get(), to_);
        unpacked_ = std::move(larger);
        room_ *= 2;
    }
    to_ += unpack({unpacked_.get() + to_, room_ - to_});
    return true;
}

std::span<const std::byte> RegionReader::ahead(std::size_t bytes)
{
    while (to_ - from_ < bytes && more()) {
    }
    return {unpacked_.get() + from_, std::min(bytes, to_ - from_)};
}

std::span<const std::byte> RegionReader::take(std::size_t bytes)
{
    const std::span<const std::byte> piece = ahead(bytes);
    from_ += piece.size();
    taken_ += piece.size();
    return piece;
}

std::optional<std::string_view> RegionReader::take_text(std::size_t most)
{
    std::size_t looked_at = 0;
    do {
        const std::size_t there = std::min(to_ - from_, most);
        const auto* const begin = reinterpret_cast<const char*>(unpacked_.get() + from_);
        if (const void* const end = std::memchr(begin + looked_at, 0, there - looked_at)) {
            const auto bytes = static_cast<std::size_t>(static_cast<const char*>(end) - begin);
            from_ += bytes + 1;
            taken_ += bytes + 1;
            return std::string_view(begin, bytes);
        }
        looked_at = there;
    } while (looked_at < most && more());
    return std::nullopt;
}

Problem RegionReader::problem() const
{
    return trouble_;
}

}  // namespace fathom::darshan
