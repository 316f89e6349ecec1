// Numbers and texts as bytes and back: one list of what there is serves for both directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fathom::scan {

// Appends.
class Encoder {
  public:
    static constexpr bool is_reading = false;
    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }
    void text(std::string_view value)
    {
        number(value.size());
        bytes_ += value;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

// Takes from the front; what comes in is hostile. Throws std::out_of_range where the bytes end too early.
class Decoder {
  public:
    static constexpr bool is_reading = true;
    explicit Decoder(std::string_view bytes) : left_(bytes) {}

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1).front());
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        throw std::out_of_range("a number is too long");
    }
    std::string text() { return std::string(take(number())); }
    // How many of something follow, each of at least one byte.
    std::size_t count()
    {
        const std::uint64_t n = number();
        if (n > left_.size()) throw std::out_of_range("a list is longer than the file");
        return static_cast<std::size_t>(n);
    }
    bool is_at_end() const { return left_.empty(); }

  private:
    std::string_view take(std::uint64_t n)
    {
        if (n > left_.size()) throw std::out_of_range("it ends too early");
        const std::string_view taken = left_.substr(0, static_cast<std::size_t>(n));
        left_.remove_prefix(taken.size());
        return taken;
    }

    std::string_view left_;
};

}  // namespace fathom::scan
