// Unpacks a region of a Darshan log piece by piece: zlib or bzip2 streams back to back, or plain bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/darshan/file.h"
#include "parsers/darshan/source.h"

namespace fathom::darshan {

class RegionReader {
  public:
    // The region may reach beyond the end of the file: then what is there is read. `source` must outlive it.
    RegionReader(const Source& source, Region region, Compression compression);
    ~RegionReader();
    RegionReader(const RegionReader&) = delete;
    RegionReader& operator=(const RegionReader&) = delete;

    // The next `bytes` unpacked bytes, which stay until the next call; fewer at the end of the region or
    // where it is damaged. Memory: as many bytes as there are, not as many as were asked for.
    std::span<const std::byte> take(std::size_t bytes);
    // The same without passing over them: the next take() gives them again.
    std::span<const std::byte> ahead(std::size_t bytes);

    // The bytes up to the next 0, which is passed over; nothing where there is none among the next `most`.
    std::optional<std::string_view> take_text(std::size_t most);

    // Why there was no more: empty at a proper end. With the offset in the file.
    Problem problem() const;
    // Unpacked bytes that were taken so far.
    std::uint64_t taken() const { return taken_; }

  private:
    struct Packer;
    struct Zlib;
    struct Bzip2;
    struct Plain;
    void unpack_at_once();
    std::size_t unpack(std::span<std::byte> to);
    bool more();

    const Source& source_;
    Region region_;
    std::uint64_t read_ = 0;  // packed bytes of the region that were read from the file
    std::unique_ptr<Packer> packer_;
    std::unique_ptr<std::byte[]> packed_, unpacked_;
    std::size_t packed_from_ = 0, packed_to_ = 0;
    std::size_t room_ = 0, from_ = 0, to_ = 0;
    std::uint64_t taken_ = 0;
    bool ended_ = false;
    std::string trouble_;
};

}  // namespace fathom::darshan
