// Counts of operations by quantity: several operations of a source may be one.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/monitor/round.h"
#include "logformat/series/operations.h"

namespace fathom::monitor {

class OperationSums {
  public:
    void clear() { sums_.clear(); }
    // An operation that no quantity stands for is left out.
    void add(std::string_view operation, std::uint64_t count)
    {
        const std::string_view quantity = series::quantity_of_operation(operation);
        if (quantity.empty()) return;
        for (auto& [name, sum] : sums_)
            if (name == quantity) {
                sum += count;
                return;
            }
        sums_.emplace_back(quantity, count);
    }
    void give(const Thing& thing, Round& round) const
    {
        for (const auto& [quantity, sum] : sums_) round.total(thing, quantity, sum);
    }

  private:
    std::vector<std::pair<std::string_view, std::uint64_t>> sums_;
};

}  // namespace fathom::monitor
