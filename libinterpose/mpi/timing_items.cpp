// Packs, merges and unpacks histograms and shapes.
#include "libinterpose/mpi/timing_items.h"

#include <algorithm>
#include <tuple>

#include "logformat/duration_bins.h"

namespace fathom {
namespace {

// Four numbers that fit a byte each, in the order in which classes sort.
std::uint64_t id_of(const OperationClass& one)
{
    return one.layer << 24 | one.streams << 16 | one.kind << 8 | one.size_class;
}
OperationClass class_of(std::uint64_t id)
{
    return {id >> 24, id >> 16 & 0xff, id >> 8 & 0xff, id & 0xff};
}

// A histogram's payload; pairs of varints follow: how much larger a bin's number is than the one before (the
// first: than 0), and how many operations fell into it.
struct HistogramPayload {
    std::uint64_t operations = 0, time = 0, longest = 0;
    std::uint64_t bins = 0;
};
constexpr std::size_t most_per_bin = 12;  // bytes: bins have numbers of two

struct BinCount {
    std::size_t bin = 0;
    std::uint64_t operations = 0;
};

// Takes the bins of a payload one by one.
class Bins {
  public:
    explicit Bins(RunView payload)
    {
        std::memcpy(&head_, payload.data(), sizeof head_);
        rest_ = payload.subspan(sizeof head_);
        left_ = head_.bins + 1;
        next();
    }

    const HistogramPayload& head() const { return head_; }
    bool at_end() const { return left_ == 0; }
    const BinCount& bin() const { return bin_; }
    void next()
    {
        if (--left_ == 0) return;
        bin_.bin += static_cast<std::size_t>(varint());
        bin_.operations = varint();
    }

  private:
    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !rest_.empty(); shift += 7) {
            const auto byte = static_cast<std::uint8_t>(rest_.front());
            rest_ = rest_.subspan(1);
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if ((byte & 0x80) == 0) break;
        }
        return value;
    }

    HistogramPayload head_;
    RunView rest_;
    std::uint64_t left_ = 0;
    BinCount bin_;
};

// Makes an item of bins that come in the order of their numbers.
class HistogramItem {
  public:
    HistogramItem(Bytes& items, std::uint64_t id, std::size_t most_bins) : items_(items)
    {
        item_.file = id;
        item_.kind = ItemKind::histogram;
        start_ = items.room(head_bytes + padded(most_bins * most_per_bin));
        to_ = start_ + head_bytes;
    }

    void add(const BinCount& bin)
    {
        if (start_ == nullptr) return;
        put(bin.bin - last_);
        put(bin.operations);
        last_ = bin.bin;
        ++bins_;
    }

    void finish(HistogramPayload head)
    {
        if (start_ == nullptr) return;
        head.bins = bins_;
        const auto used = static_cast<std::size_t>(to_ - start_);
        std::memset(to_, 0, padded(used) - used);
        item_.bytes = static_cast<std::uint32_t>(padded(used) - sizeof item_);
        std::memcpy(start_, &item_, sizeof item_);
        std::memcpy(start_ + sizeof item_, &head, sizeof head);
        items_.grow(padded(used));
    }

  private:
    static constexpr std::size_t head_bytes = sizeof(Item) + sizeof(HistogramPayload);

    void put(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) *to_++ = static_cast<std::byte>(value | 0x80);
        *to_++ = static_cast<std::byte>(value);
    }

    Bytes& items_;
    Item item_;
    std::byte *start_ = nullptr, *to_ = nullptr;
    std::size_t last_ = 0;
    std::uint64_t bins_ = 0;
};

void append_rows(const Run& at, PartRows& rows)
{
    Bins bins(at.payload());
    OperationTimes* const times = rows.operations.append_array<OperationTimes>(1);
    DurationBin* durations =
        rows.durations.append_array<DurationBin>(static_cast<std::size_t>(bins.head().bins));
    if (times == nullptr || durations == nullptr) return;
    const OperationClass of = class_of(at.item().file);
    *times = {of, bins.head().operations, bins.head().time, bins.head().longest};
    for (; !bins.at_end(); bins.next()) {
        const std::size_t bin = bins.bin().bin;
        const std::uint64_t below = bin + 1 < bins::count ? bins::at_least(bin + 1) : UINT64_MAX;
        *durations++ = {of, bins::at_least(bin), below, bins.bin().operations};
    }
}

}  // namespace

void append_histograms(std::span<OperationTimes> operations, std::span<DurationBin> durations, Bytes& items)
{
    const auto by_class = [](const OperationClass& a, const OperationClass& b) {
        return id_of(a) < id_of(b);
    };
    std::sort(operations.begin(), operations.end(), by_class);
    std::sort(durations.begin(), durations.end(), [](const DurationBin& a, const DurationBin& b) {
        return std::tuple(id_of(a), a.at_least) < std::tuple(id_of(b), b.at_least);
    });
    for (std::size_t at = 0; at < operations.size();) {
        OperationTimes times = operations[at++];
        while (at < operations.size() && id_of(operations[at]) == id_of(times))
            merge(times, operations[at++]);
        const auto [from, to] = std::equal_range(durations.begin(), durations.end(), times, by_class);
        HistogramItem item(items, id_of(times), static_cast<std::size_t>(to - from));
        for (auto row = from; row != to;) {
            BinCount bin{bins::bin_of(row->at_least).number(), 0};
            for (; row != to && bins::bin_of(row->at_least).number() == bin.bin; ++row)
                bin.operations += row->operations;
            item.add(bin);
        }
        item.finish({times.operations, times.time, times.longest});
    }
}

void append_merged_histogram(const Run& a, const Run& b, Bytes& merged)
{
    Bins one(a.payload()), other(b.payload());
    HistogramItem item(merged, a.item().file, static_cast<std::size_t>(one.head().bins + other.head().bins));
    while (!one.at_end() || !other.at_end()) {
        const bool in_one = !one.at_end() && (other.at_end() || one.bin().bin <= other.bin().bin);
        const bool in_other = !other.at_end() && (one.at_end() || other.bin().bin <= one.bin().bin);
        item.add({in_one ? one.bin().bin : other.bin().bin,
                  (in_one ? one.bin().operations : 0) + (in_other ? other.bin().operations : 0)});
        if (in_one) one.next();
        if (in_other) other.next();
    }
    item.finish({one.head().operations + other.head().operations, one.head().time + other.head().time,
                 std::max(one.head().longest, other.head().longest)});
}

// Its payload: how long the code is, then the code, padded.
void append_shape(const TraceShape& shape, Bytes& items)
{
    const std::uint64_t length = shape.code.size();
    const std::size_t used = sizeof(Item) + sizeof length + shape.code.size();
    const Item item{shape.shape, reduced, ItemKind::shape,
                    static_cast<std::uint32_t>(padded(used) - sizeof(Item))};
    std::byte* const to = items.room(padded(used));
    if (to == nullptr) return;
    std::memcpy(to, &item, sizeof item);
    std::memcpy(to + sizeof item, &length, sizeof length);
    if (length > 0) std::memcpy(to + sizeof item + sizeof length, shape.code.data(), shape.code.size());
    std::memset(to + used, 0, padded(used) - used);
    items.grow(padded(used));
}

void sort_shapes(std::span<TraceShape> shapes)
{
    std::sort(shapes.begin(), shapes.end(),
              [](const TraceShape& a, const TraceShape& b) { return a.shape < b.shape; });
}

void read_timings(RunView runs, PartRows& rows)
{
    for (Bytes* const table : {&rows.operations, &rows.durations, &rows.trace_shapes}) table->clear();
    for (Run at(runs); !at.at_end(); at.next()) {
        if (at.item().kind == ItemKind::histogram) append_rows(at, rows);
        if (at.item().kind != ItemKind::shape) continue;
        std::uint64_t length = 0;
        std::memcpy(&length, at.payload().data(), sizeof length);
        const char* const code = reinterpret_cast<const char*>(at.payload().data() + sizeof length);
        if (TraceShape* const row = rows.trace_shapes.append_array<TraceShape>(1))
            *row = {at.item().file, {code, static_cast<std::size_t>(length)}};
    }
}

}  // namespace fathom
