// Writes and checks the fixed-size headers of a log.
#include "logformat/blocks/block.h"

#include <algorithm>
#include <zlib.h>

namespace fathom {

std::uint32_t checksum_of(std::span<const std::byte> bytes)
{
    uLong sum = crc32(0, nullptr, 0);
    while (!bytes.empty()) {
        const auto some = bytes.first(std::min<std::size_t>(bytes.size(), 1u << 30));
        sum = crc32(sum, reinterpret_cast<const Bytef*>(some.data()), static_cast<uInt>(some.size()));
        bytes = bytes.subspan(some.size());
    }
    return static_cast<std::uint32_t>(sum);
}

void write_file_header(std::byte* to, std::uint64_t schema_hash)
{
    std::byte* at = to;
    std::memcpy(at, file_magic, sizeof file_magic);
    at += sizeof file_magic;
    put(at, format_version);
    put(at, static_cast<std::uint32_t>(file_header_bytes));
    put(at, schema_hash);
    put(at, checksum_of({to, at}));
    put(at, std::uint32_t{0});
}

HeaderState read_file_header(std::span<const std::byte> bytes, std::uint64_t& schema_hash,
                             std::size_t& header_bytes)
{
    if (bytes.size() < sizeof file_magic || std::memcmp(bytes.data(), file_magic, sizeof file_magic) != 0)
        return HeaderState::foreign;
    if (bytes.size() < file_header_bytes) return HeaderState::damaged;
    const std::byte* at = bytes.data() + sizeof file_magic;
    const auto version = take<std::uint32_t>(at);
    const auto length = take<std::uint32_t>(at);
    schema_hash = take<std::uint64_t>(at);
    const std::uint32_t expected = checksum_of({bytes.data(), at});
    if (take<std::uint32_t>(at) != expected) return HeaderState::damaged;
    if (take<std::uint32_t>(at) != 0) return HeaderState::damaged;  // spare; the checksum does not cover it
    if (version != format_version) return HeaderState::newer;
    if (length < file_header_bytes || length > bytes.size()) return HeaderState::damaged;
    header_bytes = length;
    return HeaderState::good;
}

void write_block_header(std::byte* to, const BlockHeader& header)
{
    std::byte* at = to;
    std::memcpy(at, block_mark, sizeof block_mark);
    at += sizeof block_mark;
    put(at, static_cast<std::uint16_t>(header.kind));
    put(at, header.table);
    put(at, header.rows);
    put(at, header.raw);
    put(at, header.packed);
    put(at, header.checksum);
    put(at, checksum_of({to, at}));
}

bool read_block_header(std::span<const std::byte> bytes, BlockHeader& header)
{
    if (bytes.size() < block_header_bytes || std::memcmp(bytes.data(), block_mark, sizeof block_mark) != 0)
        return false;
    const std::byte* at = bytes.data() + sizeof block_mark;
    header.kind = static_cast<BlockKind>(take<std::uint16_t>(at));
    header.table = take<std::uint16_t>(at);
    header.rows = take<std::uint64_t>(at);
    header.raw = take<std::uint64_t>(at);
    header.packed = take<std::uint64_t>(at);
    header.checksum = take<std::uint32_t>(at);
    const std::uint32_t expected = checksum_of({bytes.data(), at});
    return take<std::uint32_t>(at) == expected;
}

}  // namespace fathom
