// What travels between ranks: items, one behind the other, in runs that are sorted by what they are of.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "logformat/rows.h"

namespace fathom {

// What an item carries behind its header. Of one file the name comes first.
enum class ItemKind : std::uint32_t {
    name,
    posix,
    stdio,
    mpiio,
    data_file,
    dataset,
    layout,
    hints,
    failed_paths,
    histogram,
    shape
};
// What follows a file's name in its run.
constexpr bool is_of_file(ItemKind kind)
{
    return kind == ItemKind::posix || kind == ItemKind::stdio || kind == ItemKind::mpiio ||
           kind == ItemKind::data_file || kind == ItemKind::dataset || kind == ItemKind::layout ||
           kind == ItemKind::hints;
}

struct Item {
    std::uint64_t file = 0;          // or whatever else it is of: ranks and runs go by the bits of this
    std::int64_t process = reduced;  // of a record: whose it is
    ItemKind kind{};
    std::uint32_t bytes = 0;  // of the payload, a multiple of 8
};

using RunView = std::span<const std::byte>;

constexpr std::size_t padded(std::size_t bytes)
{
    constexpr std::size_t word = sizeof(std::uint64_t);
    return (bytes + word - 1) & ~(word - 1);
}

// Walks a run.
class Run {
  public:
    explicit Run(RunView bytes) : rest_(bytes) { look(); }

    bool at_end() const { return rest_.size() < sizeof(Item); }
    const Item& item() const { return item_; }
    RunView rest() const { return rest_; }
    RunView whole() const { return rest_.first(sizeof(Item) + item_.bytes); }
    RunView payload() const { return rest_.subspan(sizeof(Item), item_.bytes); }
    void next()
    {
        rest_ = rest_.subspan(sizeof(Item) + item_.bytes);
        look();
    }

  private:
    void look()
    {
        if (!at_end()) std::memcpy(&item_, rest_.data(), sizeof item_);
    }

    RunView rest_;
    Item item_;
};

}  // namespace fathom
