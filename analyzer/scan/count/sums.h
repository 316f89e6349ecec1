// What is added up of inodes: in all, and of regular files by size and by age.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/scan/walk/entry.h"

namespace fathom::scan {

// Sums that would be too large for 64 bits stay at their greatest: files of 8 EiB that hold nothing can be
// made.
constexpr std::uint64_t added(std::uint64_t a, std::uint64_t b)
{
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max()
                                                             : a + b;
}

// All but the first two are of regular files alone.
struct Sums {
    std::uint64_t inodes = 0;
    std::uint64_t allocated = 0;  // bytes on the device, of inodes of every kind
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;             // as programs see them
    std::uint64_t file_allocated = 0;    // bytes on the device
    std::uint64_t sparse_files = 0;      // that have less on the device than programs see
    std::uint64_t sparse_bytes = 0;      // of these, as programs see them
    std::uint64_t sparse_allocated = 0;  // of these, on the device
    std::uint64_t linked_files = 0;      // that have several names
    std::uint64_t largest = 0;           // bytes of the largest file

    void add(const Entry& entry);
    void merge(const Sums& other);
};

// A row a member: its name in files, and whether the greatest is kept instead of the sum.
struct SumField {
    std::string_view name;
    std::uint64_t Sums::*member;
    bool is_greatest = false;
};
inline constexpr SumField sum_fields[] = {
    {"inodes", &Sums::inodes},
    {"allocated", &Sums::allocated},
    {"files", &Sums::files},
    {"bytes", &Sums::bytes},
    {"file_allocated", &Sums::file_allocated},
    {"sparse_files", &Sums::sparse_files},
    {"sparse_bytes", &Sums::sparse_bytes},
    {"sparse_allocated", &Sums::sparse_allocated},
    {"linked_files", &Sums::linked_files},
    {"largest", &Sums::largest, true},
};

// Files and bytes by class, of classes that have any, in ascending order.
class Histogram {
  public:
    struct Cell {
        std::uint32_t place = 0;
        std::uint64_t files = 0, bytes = 0;
        bool operator==(const Cell&) const = default;
    };

    void add(std::uint32_t place, std::uint64_t files, std::uint64_t bytes);
    void merge(const Histogram& other);
    void clear() { cells_.clear(); }
    std::span<const Cell> cells() const { return cells_; }
    // Of the classes before `place`.
    Cell before(std::uint32_t place) const;

  private:
    std::vector<Cell> cells_;
};

// Ages have classes between these: the first is of instants after the scan began, class i of ages from
// age_days[i - 1] to less than age_days[i], the last of age_days.back() and more. Powers of two are those of
// Carns et al. 2011, figure 9.
inline constexpr std::array<std::uint32_t, 19> age_days = {0,  1,   2,   4,   7,   8,   16,  30,   32,  64,
                                                           90, 128, 180, 256, 365, 512, 730, 1024, 2048};
inline constexpr std::int64_t seconds_a_day = 86400;

// The class of a size is its length in bits: 0 B, 1 B, 2 to 3 B, 4 to 7 B …: those of class i are less than
// 2^i.
std::uint32_t class_of_size(const Entry& entry, std::int64_t scan_began);
std::uint32_t class_of_access(const Entry& entry, std::int64_t scan_began);
std::uint32_t class_of_change(const Entry& entry, std::int64_t scan_began);

enum class Axis : std::uint8_t { size, accessed, modified };
struct AxisRow {
    Axis axis;
    std::string_view id;
    std::uint32_t (*class_of)(const Entry& entry, std::int64_t scan_began);
    std::uint32_t classes;
};
inline constexpr AxisRow axes[] = {
    {Axis::size, "size", class_of_size, 65},
    {Axis::accessed, "accessed", class_of_access, age_days.size() + 1},
    {Axis::modified, "modified", class_of_change, age_days.size() + 1},
};

struct Tally {
    Sums sums;
    std::array<Histogram, std::size(axes)> histograms;

    void add(const Entry& entry, std::int64_t scan_began);
    void merge(const Tally& other);
    void clear();
    const Histogram& by(Axis axis) const { return histograms[static_cast<std::size_t>(axis)]; }
};

}  // namespace fathom::scan
