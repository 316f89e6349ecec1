// Sums of records by process, layer and scope.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_map>
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
        const std::uint64_t key = static_cast<std::uint64_t>(process + 1) << 4 | of_layer << 2 | of_scope;
        const auto [found, fresh] = places_.try_emplace(key, rows_.size());
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

    // By places, since rows are large to swap.
    void sort()
    {
        std::vector<const Totals*> order;
        order.reserve(rows_.size());
        for (const Totals& row : rows_) order.push_back(&row);
        const auto before = [](const Totals* a, const Totals* b) {
            return std::tie(a->process, a->layer, a->scope) < std::tie(b->process, b->layer, b->scope);
        };
        if (std::is_sorted(order.begin(), order.end(), before)) return;
        std::sort(order.begin(), order.end(), before);
        std::vector<Totals> sorted;
        sorted.reserve(rows_.size());
        for (const Totals* const row : order) sorted.push_back(*row);
        rows_ = std::move(sorted);
    }

  private:
    std::vector<Totals>& rows_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace fathom
