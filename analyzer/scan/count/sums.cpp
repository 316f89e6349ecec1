// Additions.
#include "analyzer/scan/count/sums.h"

#include <bit>

namespace fathom::scan {
namespace {

std::uint32_t class_of_age(std::int64_t instant, std::int64_t scan_began)
{
    if (instant > scan_began) return 0;
    // Instants may be as far from each other as numbers go.
    const std::uint64_t days =
        (static_cast<std::uint64_t>(scan_began) - static_cast<std::uint64_t>(instant)) /
        static_cast<std::uint64_t>(seconds_a_day);
    return static_cast<std::uint32_t>(std::upper_bound(age_days.begin(), age_days.end(), days) -
                                      age_days.begin());
}

}  // namespace

std::uint32_t class_of_size(const Entry& entry, std::int64_t)
{
    return static_cast<std::uint32_t>(std::bit_width(entry.size));
}

std::uint32_t class_of_access(const Entry& entry, std::int64_t scan_began)
{
    return class_of_age(entry.accessed, scan_began);
}

std::uint32_t class_of_change(const Entry& entry, std::int64_t scan_began)
{
    return class_of_age(entry.modified, scan_began);
}

void Sums::add(const Entry& entry)
{
    ++inodes;
    allocated = added(allocated, entry.allocated);
    if (!entry.is_regular()) return;
    ++files;
    bytes = added(bytes, entry.size);
    file_allocated = added(file_allocated, entry.allocated);
    if (entry.allocated < entry.size) {
        ++sparse_files;
        sparse_bytes = added(sparse_bytes, entry.size);
        sparse_allocated = added(sparse_allocated, entry.allocated);
    }
    if (entry.links > 1) ++linked_files;
    largest = std::max(largest, entry.size);
}

void Sums::merge(const Sums& other)
{
    for (const SumField& field : sum_fields) {
        std::uint64_t& mine = this->*field.member;
        const std::uint64_t theirs = other.*field.member;
        mine = field.is_greatest ? std::max(mine, theirs) : added(mine, theirs);
    }
}

void Histogram::add(std::uint32_t place, std::uint64_t files, std::uint64_t bytes)
{
    auto cell = cells_.begin();
    while (cell != cells_.end() && cell->place < place) ++cell;
    if (cell == cells_.end() || cell->place != place) cell = cells_.insert(cell, {place, 0, 0});
    cell->files = added(cell->files, files);
    cell->bytes = added(cell->bytes, bytes);
}

void Histogram::merge(const Histogram& other)
{
    for (const Cell& cell : other.cells_) add(cell.place, cell.files, cell.bytes);
}

Histogram::Cell Histogram::before(std::uint32_t place) const
{
    Cell sum{place, 0, 0};
    for (const Cell& cell : cells_) {
        if (cell.place >= place) break;
        sum.files = added(sum.files, cell.files);
        sum.bytes = added(sum.bytes, cell.bytes);
    }
    return sum;
}

void Tally::add(const Entry& entry, std::int64_t scan_began)
{
    sums.add(entry);
    if (!entry.is_regular()) return;
    for (const AxisRow& row : axes)
        histograms[static_cast<std::size_t>(row.axis)].add(row.class_of(entry, scan_began), 1, entry.size);
}

void Tally::merge(const Tally& other)
{
    sums.merge(other.sums);
    for (std::size_t at = 0; at < histograms.size(); ++at) histograms[at].merge(other.histograms[at]);
}

void Tally::clear()
{
    sums = {};
    for (Histogram& histogram : histograms) histogram.clear();
}

}  // namespace fathom::scan
