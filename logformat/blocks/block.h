// The bytes of a log: a file header, then blocks, the last of which says that nothing is missing. All
// little-endian.
//
//   header   | magic 8 "FATHOM1\n" | version u32 | header bytes u32 | schema hash u64 | crc32 of the above
//   u32 | 0 u32 | block    | mark 4 "FBLK" | kind u16 | table u16 | rows u64 | raw bytes u64 | packed bytes
//   u64 |
//            | crc32 of packed u32 | crc32 of this header u32 |  then the packed bytes (one zlib stream)
//
// docs/FORMAT.md describes all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fathom {

inline constexpr char file_magic[8] = {'F', 'A', 'T', 'H', 'O', 'M', '1', '\n'};
inline constexpr std::uint32_t format_version = 2;
inline constexpr std::size_t file_header_bytes = 32;

inline constexpr char block_mark[4] = {'F', 'B', 'L', 'K'};
inline constexpr std::size_t block_header_bytes = 40;

// Limits that a reader holds a block to before it allocates anything.
inline constexpr std::uint64_t most_raw_bytes = 256u << 20;
inline constexpr std::uint64_t most_rows = 1u << 20;

// What all blocks and rows of a log may take in memory. Of a hundred thousand files that are used alike,
// sound logs take 140 bytes for each byte of the file.
constexpr std::uint64_t most_expanded(std::uint64_t file_bytes)
{
    return (64u << 20) + 256 * file_bytes;
}

enum class BlockKind : std::uint16_t { schema = 1, table = 2, end = 3 };

struct BlockHeader {
    BlockKind kind{};
    std::uint16_t table = 0;  // number of the table in the schema
    std::uint64_t rows = 0;   // end block: number of blocks before it
    std::uint64_t raw = 0;
    std::uint64_t packed = 0;
    std::uint32_t checksum = 0;
};

// Integers in the log's byte order.
template <class Integer>
void put(std::byte*& to, Integer value)
{
    for (std::size_t at = 0; at < sizeof value; ++at)
        *to++ = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * at));
}

template <class Integer>
Integer take(const std::byte*& from)
{
    std::uint64_t value = 0;
    for (std::size_t at = 0; at < sizeof(Integer); ++at)
        value |= static_cast<std::uint64_t>(*from++) << (8 * at);
    return static_cast<Integer>(value);
}

std::uint32_t checksum_of(std::span<const std::byte> bytes);

void write_file_header(std::byte* to, std::uint64_t schema_hash);   // file_header_bytes of them
void write_block_header(std::byte* to, const BlockHeader& header);  // block_header_bytes of them

enum class HeaderState { good, foreign, newer, damaged };
HeaderState read_file_header(std::span<const std::byte> bytes, std::uint64_t& schema_hash,
                             std::size_t& header_bytes);
bool read_block_header(std::span<const std::byte> bytes, BlockHeader& header);

}  // namespace fathom
