// What the texts of both of Darshan's tools share: the head, the mount of a file, and lines written fast.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/dump/dump.h"
#include "parsers/darshan/file.h"

namespace fathom {

// Writes the digits of a number so that they end before `end`, of which 20 places must be there; returns
// where they begin.
inline char* digits_before(char* end, std::uint64_t value)
{
    static constexpr auto pairs = [] {
        std::array<char, 200> digits{};
        for (std::size_t at = 0; at < 100; ++at) {
            digits[2 * at] = static_cast<char>('0' + at / 10);
            digits[2 * at + 1] = static_cast<char>('0' + at % 10);
        }
        return digits;
    }();
    for (; value >= 100; value /= 100) std::memcpy(end -= 2, &pairs[2 * (value % 100)], 2);
    if (value >= 10) return static_cast<char*>(std::memcpy(end - 2, &pairs[2 * value], 2));
    *--end = static_cast<char>('0' + value);
    return end;
}

// Of seconds and the like, with so many decimals (0 to 6) as printf's %.4f has them; null where the nearest
// such number is not certain at a glance, or not that simple.
inline char* real_before(char* end, double value, int decimals)
{
    constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};
    // The product is that far from what it should be at most: 2^40 times 2^-53.
    constexpr double most = 0x1p40, sure = 0.499;
    const std::uint64_t unit = powers[decimals];
    const double scaled = static_cast<double>(unit) * value;
    if (!(scaled < most) || !(value > 0 || std::bit_cast<std::uint64_t>(value) == 0)) return nullptr;
    const auto whole = static_cast<std::int64_t>(scaled + 0.5);
    const double off = scaled - static_cast<double>(whole);
    if (off > sure || off < -sure) return nullptr;
    const auto number = static_cast<std::uint64_t>(whole);
    char* const point = end - decimals;
    char* const begin = digits_before(end, number % unit);
    std::fill(point, begin, '0');
    char* const dot = decimals > 0 ? point - 1 : point;
    if (decimals > 0) *dot = '.';
    return digits_before(dot, number / unit);
}

// As printf's %.4f and the like: the number of bytes written to `to`, of which there must be 400.
std::size_t print_real(char* to, double value, int decimals);

// Collects text in a large piece before it gives it on. Numbers are as printf's %ld, %lu and %lf.
class DarshanLines {
  public:
    explicit DarshanLines(const Sink& sink) : sink_(sink) {}
    DarshanLines(const DarshanLines&) = delete;
    DarshanLines& operator=(const DarshanLines&) = delete;
    ~DarshanLines() { give(); }

    void add(std::string_view text)
    {
        char* const to = room_for(text.size());
        std::memcpy(to, text.data(), text.size());
        used_ += text.size();
    }
    template <class Whole>
    void number(Whole value)
    {
        char* const to = room_for(longest_whole);
        used_ += static_cast<std::size_t>(std::to_chars(to, to + longest_whole, value).ptr - to);
    }
    void real(double value, int decimals = 6)
    {
        used_ += print_real(room_for(longest_real), value, decimals);
    }
    // Texts and whole numbers, one after the other.
    template <class... Values>
    void all(const Values&... values)
    {
        const auto one = [&]<class Value>(const Value& value) {
            if constexpr (std::is_integral_v<Value>)
                number(value);
            else
                add(value);
        };
        (one(values), ...);
    }
    template <class... Values>
    void line(fmt::format_string<Values...> form, Values&&... values)
    {
        line_.clear();
        fmt::format_to(std::back_inserter(line_), form, std::forward<Values>(values)...);
        line_ += '\n';
        add(line_);
    }
    // At least so many bytes, to be written to until the next call of anything here; end_at() says how far
    // they were.
    char* room(std::size_t bytes) { return room_for(bytes); }
    void end_at(const char* end) { used_ = static_cast<std::size_t>(end - room_.get()); }
    // What was added last and not given on: it was added by itself, or behind room for as much.
    void take_back(std::size_t bytes) { used_ -= bytes; }
    // False once nobody reads on.
    bool open() const { return open_; }
    void give()
    {
        if (used_ > 0) open_ = sink_({room_.get(), used_}) && open_;
        used_ = 0;
    }

  private:
    static constexpr std::size_t piece = 256 * 1024, longest_whole = 24, longest_real = 400;
    char* room_for(std::size_t bytes)
    {
        if (size_ - used_ < bytes) {
            give();
            if (size_ < bytes) {
                size_ = bytes < piece ? piece : bytes;
                room_ = std::make_unique_for_overwrite<char[]>(size_);
            }
        }
        return room_.get() + used_;
    }

    const Sink& sink_;
    std::unique_ptr<char[]> room_;
    std::size_t size_ = 0, used_ = 0;
    std::string line_;
    bool open_ = true;
};

// The mounts of the log by length of their paths, and which of them a file is on.
class DarshanMounts {
  public:
    explicit DarshanMounts(const darshan::JobRecord& job);
    const std::vector<darshan::MountEntry>& all() const { return mounts_; }
    // Null: on none that is known.
    const darshan::MountEntry* of(std::string_view path) const;

  private:
    std::vector<darshan::MountEntry> mounts_;
};

// The job, the log's regions and the mounts.
void add_darshan_head(const darshan::File& file, const DarshanMounts& mounts, DarshanLines& out);

// The remark that a module's data is not all there.
void add_darshan_incomplete(std::string_view module, DarshanLines& out);

}  // namespace fathom
