// Values that belong together and merge as one: the slowest call with its size, the commonest sizes, moments.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "logformat/field.h"

namespace fathom {

// A part of a composite value: parts() calls visit(suffix, scalar, unit) for each, in column order.
struct SlowestCall {
    std::uint64_t time = 0;
    std::uint64_t size = 0;

    constexpr void merge(const SlowestCall& other)
    {
        if (other.time > time) *this = other;
    }
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        visit("_time", self.time, Unit::duration);
        visit("_size", self.size, Unit::bytes);
    }
};

// Access sizes in ten classes; a size equal to a class's upper bound belongs to it.
struct SizeHistogram {
    static constexpr std::size_t classes = 10;
    static constexpr std::array<std::uint64_t, classes - 1> upper_bounds = {
        100, 1u << 10, 10u << 10, 100u << 10, 1u << 20, 4u << 20, 10u << 20, 100u << 20, 1u << 30};
    static constexpr std::array<std::string_view, classes> names = {
        "_0_100", "_100_1K", "_1K_10K",   "_10K_100K", "_100K_1M",
        "_1M_4M", "_4M_10M", "_10M_100M", "_100M_1G",  "_1G_plus"};

    std::array<std::uint64_t, classes> count{};

    static constexpr std::size_t class_of(std::uint64_t size);
    constexpr void add(std::uint64_t size, std::uint64_t times = 1) { count[class_of(size)] += times; }
    constexpr void merge(const SizeHistogram& other)
    {
        for (std::size_t at = 0; at < classes; ++at) count[at] += other.count[at];
    }
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        for (std::size_t at = 0; at < classes; ++at) visit(names[at], self.count[at], Unit::count);
    }
};

namespace detail {

// For each number of binary digits, the class of the smallest size that has so many, and its upper bound.
// Sizes of as many digits lie in that class or the next.
struct ClassOfDigits {
    std::size_t least_class = 0;
    std::uint64_t upper_bound = ~std::uint64_t{0};
};
inline constexpr auto class_of_digits = [] {
    std::array<ClassOfDigits, 65> classes{};
    for (std::size_t digits = 1; digits < classes.size(); ++digits) {
        ClassOfDigits& one = classes[digits];
        while (one.least_class < SizeHistogram::upper_bounds.size() &&
               std::uint64_t{1} << (digits - 1) > SizeHistogram::upper_bounds[one.least_class])
            ++one.least_class;
        if (one.least_class < SizeHistogram::upper_bounds.size())
            one.upper_bound = SizeHistogram::upper_bounds[one.least_class];
    }
    return classes;
}();

}  // namespace detail

constexpr std::size_t SizeHistogram::class_of(std::uint64_t size)
{
    const auto& one = detail::class_of_digits[static_cast<std::size_t>(std::bit_width(size | 1))];
    return one.least_class + (size > one.upper_bound ? 1 : 0);
}

// The commonest access sizes, by the space-saving method (Metwally, Agrawal, El Abbadi 2005): exact while no
// more than `slots` sizes occur; after that `error` bounds how far a count may be too high. Not sorted.
struct CommonSizes {
    static constexpr std::size_t slots = 8;
    struct Slot {
        std::uint64_t size = 0;
        std::uint64_t count = 0;
        std::uint64_t error = 0;
    };
    std::array<Slot, slots> slot{};

    // One more of this size; quick where it is the first that ever occurred, as it often is.
    constexpr void count(std::uint64_t size)
    {
        if (slot[0].size == size)
            ++slot[0].count;
        else
            add(size);
    }
    [[gnu::noinline]] constexpr void add(std::uint64_t size, std::uint64_t times = 1, std::uint64_t error = 0)
    {
        std::size_t rarest = 0;
        for (std::size_t at = 0; at < slots; ++at) {
            if (slot[at].size == size && slot[at].count != 0) {
                slot[at].count += times;
                slot[at].error += error;
                return;
            }
            if (slot[at].count < slot[rarest].count) rarest = at;
        }
        const std::uint64_t taken_over = slot[rarest].count;
        slot[rarest] = {size, taken_over + times, taken_over + error};
    }
    constexpr void merge(const CommonSizes& other)
    {
        for (const Slot& from : other.slot)
            if (from.count != 0) add(from.size, from.count, from.error);
    }
    static constexpr std::string_view part_names[slots][3] = {
        {"_1", "_1_count", "_1_error"}, {"_2", "_2_count", "_2_error"}, {"_3", "_3_count", "_3_error"},
        {"_4", "_4_count", "_4_error"}, {"_5", "_5_count", "_5_error"}, {"_6", "_6_count", "_6_error"},
        {"_7", "_7_count", "_7_error"}, {"_8", "_8_count", "_8_error"}};
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        for (std::size_t at = 0; at < slots; ++at) {
            visit(part_names[at][0], self.slot[at].size, Unit::bytes);
            visit(part_names[at][1], self.slot[at].count, Unit::count);
            visit(part_names[at][2], self.slot[at].error, Unit::count);
        }
    }
};

// One process's I/O time on a file and the bytes it moved. A process of -1 means "none yet".
struct ProcessShare {
    std::int64_t process = -1;
    std::uint64_t time = 0;
    std::uint64_t bytes = 0;

    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        visit("", self.process, Unit::rank);
        visit("_time", self.time, Unit::duration);
        visit("_bytes", self.bytes, Unit::bytes);
    }
};

struct Slowest : ProcessShare {
    constexpr void merge(const Slowest& other)
    {
        if (other.process >= 0 && (process < 0 || other.time > time)) *this = other;
    }
};

struct Fastest : ProcessShare {
    constexpr void merge(const Fastest& other)
    {
        if (other.process >= 0 && (process < 0 || other.time < time)) *this = other;
    }
};

// Number, sum and sum of squared deviations of whole numbers, merged pairwise (Chan, Golub, LeVeque 1979).
struct Moments {
    std::uint64_t n = 0;
    std::uint64_t sum = 0;
    double squares = 0;

    static constexpr Moments of(std::uint64_t sample) { return {1, sample, 0}; }
    constexpr double mean() const { return n == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(n); }
    constexpr double variance() const { return n == 0 ? 0 : squares / static_cast<double>(n); }
    constexpr void merge(const Moments& other)
    {
        if (n != 0 && other.n != 0) {
            const double apart = other.mean() - mean();
            squares += other.squares + apart * apart * static_cast<double>(n) * static_cast<double>(other.n) /
                                           static_cast<double>(n + other.n);
        } else if (other.n != 0) {
            squares = other.squares;
        }
        n += other.n;
        sum += other.sum;
    }
    // Keeps 12 binary digits of the squares, an error of at most one in 4096: a log has no use for more.
    void round()
    {
        constexpr unsigned dropped = 52 - 12;
        const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
        squares = std::bit_cast<double>((std::bit_cast<std::uint64_t>(squares) + half) >> dropped << dropped);
    }
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        visit("_n", self.n, Unit::count);
        visit("_sum", self.sum, Unit::none);
        visit("_squares", self.squares, Unit::none);
    }
};

}  // namespace fathom
