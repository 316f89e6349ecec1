// Sums of records by process, layer and scope.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "logformat/rows.h"

namespace fathom {

class TotalsTable {
  public:
    explicit TotalsTable(std::vector<Totals>& rows) : rows_(rows) {}

    // `files`: how many the record stands for.
    void add(std::int64_t process, Layer layer, Scope scope, const Transfers& record, std::uint64_t files = 1)
    {
        const auto of_layer = static_cast<std::uint64_t>(layer), of_scope = static_cast<std::uint64_t>(scope);
        const auto [found, fresh] = places_.try_emplace(key_of(process, of_layer, of_scope), rows_.size());
        if (fresh) {
            Totals& row = rows_.emplace_back();
            row.process = process;
            row.layer = of_layer;
            row.scope = of_scope;
        }
        Totals& row = rows_[found->second];
        merge_same(row, record);
        row.files += files;
    }

    // By process, layer and scope: by keys, since rows are large to swap.
    void sort()
    {
        std::vector<std::pair<std::uint64_t, std::size_t>> order;
        order.reserve(rows_.size());
        for (const Totals& row : rows_)
            order.emplace_back(key_of(row.process, row.layer, row.scope), order.size());
        if (std::is_sorted(order.begin(), order.end())) return;
        std::sort(order.begin(), order.end());
        std::vector<Totals> sorted;
        sorted.reserve(rows_.size());
        for (const auto& [key, row] : order) sorted.push_back(rows_[row]);
        rows_ = std::move(sorted);
    }

  private:
    static std::uint64_t key_of(std::int64_t process, std::uint64_t layer, std::uint64_t scope)
    {
        return static_cast<std::uint64_t>(process + 1) << 4 | layer << 2 | scope;
    }

    std::vector<Totals>& rows_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace fathom
