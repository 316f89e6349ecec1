// A table's rows in another order than they lie in memory: large rows need not be copied to be sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

// Rows in an order of their own. `order` has their places among `rows`; none: as they lie there.
template <class Row>
class OrderedRows {
  public:
    OrderedRows() = default;
    explicit OrderedRows(std::span<const Row> rows) : rows_(rows.data()), size_(rows.size()) {}
    OrderedRows(std::span<const Row> rows, std::span<const std::uint32_t> order)
        : rows_(rows.data()), order_(order.data()), size_(order.size())
    {}

    std::size_t size() const { return size_; }
    const Row& operator[](std::size_t at) const { return rows_[order_ == nullptr ? at : order_[at]]; }
    const Row* rows() const { return rows_; }
    const std::uint32_t* order() const { return order_; }

    OrderedRows first(std::size_t count) const
    {
        OrderedRows some = *this;
        some.size_ = count;
        return some;
    }
    OrderedRows behind(std::size_t count) const
    {
        OrderedRows rest = *this;
        rest.size_ -= count;
        if (order_ == nullptr)
            rest.rows_ += count;
        else
            rest.order_ += count;
        return rest;
    }

  private:
    const Row* rows_ = nullptr;
    const std::uint32_t* order_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace fathom
