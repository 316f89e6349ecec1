// Tables of throughput: sizes beside one another, layouts below.
#include "analyzer/timing/measure/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "analyzer/document/units.h"

namespace fathom::measure {
namespace {

using namespace report;

constexpr std::array<std::uint64_t, 7> sizes_of_paper = {1,         kib,     4 * kib, 64 * kib,
                                                         256 * kib, 1 * mib, 16 * mib};
constexpr std::array<std::uint64_t, 2> with_outliers = {4 * kib, 256 * kib};  // as in the paper
constexpr std::size_t most_sizes = 9;

std::string title_of(State state, Operation operation, unsigned threads)
{
    return fmt::format("{} {}s{}", name_of(state), name_of(operation),
                       threads > 1 ? fmt::format(", {} threads", threads) : "");
}

Cell rate_cell(double bytes_per_second)
{
    return cell_of(Measure::bytes, bytes_per_second);
}

bool shown(std::span<const std::uint64_t> sizes, std::uint64_t size)
{
    return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

}  // namespace

std::vector<std::uint64_t> sizes_to_show(std::span<const std::uint64_t> sizes)
{
    if (sizes.size() <= most_sizes) return {sizes.begin(), sizes.end()};
    std::set<std::uint64_t> chosen = {sizes.front(), sizes.back()};
    for (const std::uint64_t size : sizes_of_paper)
        if (shown(sizes, size)) chosen.insert(size);
    constexpr std::size_t few = 5;
    if (chosen.size() < few) {
        chosen.clear();
        for (std::size_t at = 0; at < most_sizes; ++at)
            chosen.insert(sizes[at * (sizes.size() - 1) / (most_sizes - 1)]);
    }
    return {chosen.begin(), chosen.end()};
}

void Summary::add(const Configuration& one, double seconds)
{
    groups_[{one.state, one.operation, one.threads}][{one.memory, one.file}][one.size].add(seconds);
    ++operations_;
}

DataTable Summary::table_of(const Group& group, const Rows& rows)
{
    const auto& [state, operation, threads] = group;
    std::set<std::uint64_t> all;
    for (const auto& [place, by_size] : rows)
        for (const auto& [size, durations] : by_size) all.insert(size);
    const std::vector<std::uint64_t> ascending(all.begin(), all.end()), sizes = sizes_to_show(ascending);

    DataTable table{.id = fmt::format("{}_{}_{}", name_of(state), name_of(operation), threads),
                    .title = title_of(state, operation, threads)};
    table.columns = {{"layouts", "memory, file", Measure::text}};
    for (const std::uint64_t size : sizes)
        table.columns.push_back({fmt::format("size_{}", size), format_bytes(size), Measure::bytes});
    for (const std::uint64_t size : with_outliers)
        if (shown(sizes, size))
            table.columns.push_back(
                {fmt::format("all_{}", size), fmt::format("all {}", format_bytes(size)), Measure::bytes});
    table.columns.push_back({"outliers", "outliers", Measure::share});
    for (const auto& [place, by_size] : rows) {
        std::vector<Cell> row = {
            text(fmt::format("{}, {}", name_of(std::get<0>(place)), name_of(std::get<1>(place))))};
        std::map<std::uint64_t, Throughput> found;
        double outliers = 0, operations = 0;
        for (const auto& [size, durations] : by_size) {
            const Throughput one = found[size] = durations.throughput(size);
            outliers += static_cast<double>(one.outliers);
            operations += static_cast<double>(one.operations);
        }
        const auto cell = [&](std::uint64_t size, double Throughput::*which) {
            const auto one = found.find(size);
            return one == found.end() ? unknown(Measure::bytes) : rate_cell(one->second.*which);
        };
        for (const std::uint64_t size : sizes) row.push_back(cell(size, &Throughput::purged));
        for (const std::uint64_t size : with_outliers)
            if (shown(sizes, size)) row.push_back(cell(size, &Throughput::of_all));
        row.push_back(share_of(outliers, operations));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Section Summary::throughput_section() const
{
    Section section{"throughput", "Throughput by layout and size", {}};
    section.blocks.push_back(Paragraph{
        "Bytes per second: the size of an access divided by the mean of its durations, without outliers; "
        "columns \"all\" have it with them. Outliers are operations beyond the last hill of the density of "
        "durations; their column has their share of the operations of all sizes. Of several threads, each "
        "one's throughput is given."});
    for (const auto& [group, rows] : groups_) section.blocks.push_back(table_of(group, rows));
    return section;
}

}  // namespace fathom::measure
