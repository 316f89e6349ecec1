// All bytes of a Darshan log that are written by us, as they are before packing.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <zlib.h>

namespace fathom::testing {

inline std::string bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Regions are zlib streams, one after the other.
inline std::string inflated_regions(const std::string& path)
{
    constexpr std::size_t header_bytes = 1328;
    std::string file = bytes_of(path), all = file.substr(0, header_bytes);
    std::string piece(1 << 16, '\0');
    z_stream z{};
    z.next_in = reinterpret_cast<Bytef*>(file.data() + header_bytes);
    z.avail_in = static_cast<uInt>(file.size() - header_bytes);
    while (z.avail_in > 0) {
        REQUIRE(inflateInit(&z) == Z_OK);
        int status = Z_OK;
        while (status == Z_OK) {
            z.next_out = reinterpret_cast<Bytef*>(piece.data());
            z.avail_out = static_cast<uInt>(piece.size());
            status = inflate(&z, Z_NO_FLUSH);
            all.append(piece, 0, piece.size() - z.avail_out);
        }
        REQUIRE(status == Z_STREAM_END);
        inflateEnd(&z);
    }
    return all;
}

}  // namespace fathom::testing
