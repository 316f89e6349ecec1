// Bytes to a zlib stream, without malloc.
#pragma once

#include <cstddef>
#include <span>
#include <zlib.h>

#include "logformat/blocks/bytes.h"

namespace fathom {

// Where bytes of another kind begin: they get a table of codes of their own.
struct Cut {
    std::size_t at = 0;
    bool text = false;  // words come again in texts, and are looked for; in numbers only runs of one byte are
};

// Packs blocks one after the other, in memory that is got once.
class Packer {
  public:
    Packer() = default;
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    ~Packer();

    // Appends a zlib stream of `raw` to `out`. The cuts are in order; what lies before the first is text.
    bool pack(Bytes& out, std::span<const std::byte> raw, std::span<const Cut> cuts);

  private:
    bool pack_kind(std::span<const std::byte> raw, bool text, bool last);

    z_stream stream_{};
    bool ready_ = false;
};

}  // namespace fathom
