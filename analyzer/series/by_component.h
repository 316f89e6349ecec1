// The series of each component of a table, without a look at all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "logformat/series/table.h"

namespace fathom::series {

class ByComponent {
  public:
    // The table must outlive it.
    explicit ByComponent(const Table& table);

    const Table& table() const { return table_; }
    std::span<const Series* const> of(std::uint32_t component) const;
    // Those of these components with this quantity, of that kind, that have samples.
    std::vector<const Series*> of(std::span<const std::uint32_t> components, std::string_view quantity,
                                  Kind kind = Kind::amount) const;

  private:
    const Table& table_;
    std::vector<const Series*> series_;  // by component
    std::vector<std::size_t> from_;      // where those of each component begin; one more at the end
};

}  // namespace fathom::series
