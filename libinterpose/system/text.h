// Text in memory of fixed size: what is too long is cut, never written past the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

template <std::size_t Capacity>
class FixedText {
  public:
    constexpr FixedText() = default;
    FixedText(const FixedText& other) { *this = other; }
    // Only what is in use, which is rarely much.
    FixedText& operator=(const FixedText& other)
    {
        if (this == &other) return *this;
        size_ = other.size_;
        std::memcpy(text_, other.text_, size_ + 1);
        return *this;
    }

    FixedText& operator<<(std::string_view more)
    {
        const std::size_t fits = more.size() < Capacity - 1 - size_ ? more.size() : Capacity - 1 - size_;
        std::memcpy(text_ + size_, more.data(), fits);
        size_ += fits;
        text_[size_] = '\0';
        return *this;
    }
    FixedText& operator<<(std::uint64_t number) { return based(number, 10); }
    FixedText& hex(std::uint64_t number) { return based(number, 16); }
    FixedText& hex_of_byte(unsigned char byte) { return hex(byte / 16).hex(byte % 16); }

    const char* c_str() const { return text_; }
    std::string_view view() const { return {text_, size_}; }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    // For those who write into the memory themselves.
    char* data() { return text_; }
    static constexpr std::size_t capacity() { return Capacity; }
    void resize(std::size_t size)
    {
        size_ = size < Capacity ? size : Capacity - 1;
        text_[size_] = '\0';
    }

  private:
    FixedText& based(std::uint64_t number, unsigned base)
    {
        char digits[24];
        std::size_t at = sizeof digits;
        do {
            digits[--at] = "0123456789abcdef"[number % base];
            number /= base;
        } while (number != 0);
        return *this << std::string_view(digits + at, sizeof digits - at);
    }

    std::size_t size_ = 0;  // beside the text's beginning: short texts lie in one page
    char text_[Capacity] = {};
};

using PathText = FixedText<4200>;

}  // namespace fathom
