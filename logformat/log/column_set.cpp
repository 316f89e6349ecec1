// A bit a column.
#include "logformat/log/column_set.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <string>

#include "logformat/blocks/columns.h"
#include "logformat/tables.h"

namespace fathom {
namespace {

constexpr std::size_t word_bits = 64;

const std::vector<std::string>& sorted_names()
{
    static const std::vector<std::string> sorted = [] {
        std::vector<std::string> names;
        each_table([&]<class Row>(const Table<Row>& table, std::size_t) {
            const Columns columns = columns_of<Row>();
            for (const Column& column : columns.all())
                names.push_back(std::string(table.name) + "." + std::string(column.label()));
        });
        std::sort(names.begin(), names.end());
        return names;
    }();
    return sorted;
}

std::optional<std::size_t> number_of(std::string_view name)
{
    const std::vector<std::string>& names = sorted_names();
    const auto found = std::lower_bound(names.begin(), names.end(), name);
    if (found == names.end() || *found != name) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

std::uint64_t bit_of(std::size_t number)
{
    return std::uint64_t{1} << number % word_bits;
}

}  // namespace

bool is_column(std::string_view name)
{
    return number_of(name).has_value();
}

ColumnSet::ColumnSet(std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) insert(name);
}

bool ColumnSet::empty() const
{
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

bool ColumnSet::contains(std::string_view name) const
{
    if (words_.empty()) return false;
    const auto number = number_of(name);
    return number && *number / word_bits < words_.size() &&
           (words_[*number / word_bits] & bit_of(*number)) != 0;
}

void ColumnSet::insert(std::string_view name)
{
    const auto number = number_of(name);
    if (!number) throw std::logic_error("no table has the column " + std::string(name));
    if (*number / word_bits >= words_.size()) words_.resize(*number / word_bits + 1);
    words_[*number / word_bits] |= bit_of(*number);
}

void ColumnSet::erase(std::string_view name)
{
    if (contains(name)) words_[*number_of(name) / word_bits] &= ~bit_of(*number_of(name));
}

void ColumnSet::merge(const ColumnSet& other)
{
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    for (std::size_t at = 0; at < other.words_.size(); ++at) words_[at] |= other.words_[at];
}

std::vector<std::string_view> ColumnSet::names() const
{
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at < words_.size(); ++at)
        for (std::uint64_t left = words_[at]; left != 0; left &= left - 1)
            names.emplace_back(
                sorted_names()[at * word_bits + static_cast<std::size_t>(std::countr_zero(left))]);
    return names;
}

}  // namespace fathom
