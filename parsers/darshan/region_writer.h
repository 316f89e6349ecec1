// One region of a log: what is put into it is packed at once and goes on to the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "logformat/log/whole_file.h"
#include "parsers/darshan/file.h"

namespace fathom::darshan {

class RegionWriter {
  public:
    // Begins where the file ends now. Throws LogError.
    explicit RegionWriter(WholeFile& file);
    ~RegionWriter();
    RegionWriter(const RegionWriter&) = delete;
    RegionWriter& operator=(const RegionWriter&) = delete;

    void put(std::span<const std::byte> bytes);
    void put(std::string_view text) { put(std::as_bytes(std::span(text))); }
    void put_zeros(std::size_t count);
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void put(Number number) { put(std::as_bytes(std::span(&number, 1))); }
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void put(std::span<const Number> numbers) { put(std::as_bytes(numbers)); }

    // Ends the packed stream: where the region lies.
    Region finish();

  private:
    struct Stream;

    void pack(std::span<const std::byte> bytes, bool last);

    WholeFile& file_;
    std::uint64_t offset_;
    std::unique_ptr<Stream> stream_;
    std::vector<std::byte> waiting_;  // many small pieces are packed at once
};

}  // namespace fathom::darshan
