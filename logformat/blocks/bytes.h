// A growable run of bytes that never touches malloc, so that the preload library may use it anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace fathom {

class Bytes {
  public:
    Bytes() = default;
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    ~Bytes();

    // False once memory ran out; what was appended since is lost.
    bool good() const { return good_; }
    std::size_t size() const { return size_; }
    std::byte* data() { return data_; }
    std::span<const std::byte> view() const { return {data_, size_}; }
    void clear() { size_ = 0; }
    void release();  // gives the memory back
    void shrink(std::size_t n) { size_ = n < size_ ? n : size_; }

    // Room for n more bytes, to be filled and then claimed with grow(); nullptr when memory ran out.
    std::byte* room(std::size_t n);
    void grow(std::size_t n) { size_ += n; }

    void append(std::span<const std::byte> bytes);
    void append(std::string_view text) { append(std::as_bytes(std::span(text.data(), text.size()))); }
    void append_byte(std::uint8_t value);
    void append_varint(std::uint64_t value);
    void append_f64(double value);

    // n more bytes of T, zeroed and suitably aligned when T is all that the buffer holds.
    template <class T>
    T* append_array(std::size_t n)
    {
        std::byte* at = room(n * sizeof(T));
        if (at != nullptr) grow(n * sizeof(T));
        return reinterpret_cast<T*>(at);
    }
    template <class T>
    void append_row(const T& row)
    {
        if (T* const kept = append_array<T>(1)) *kept = row;
    }
    template <class T>
    std::span<T> as()
    {
        return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
    }

  private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    bool good_ = true;
};

// Signed numbers as varints: small in either direction is short.
constexpr std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace fathom
