// A counter is looked for behind the last one first, by name only where it is not there.
#include "analyzer/monitor/round.h"

#include <algorithm>

namespace fathom::monitor {

void Round::begin()
{
    counts_.clear();
    next_ = 0;
    left_out_ = 0;
}

void Round::total(const Thing& thing, std::string_view quantity, std::uint64_t value, double scale,
                  unsigned bits)
{
    add(thing, quantity, value, true, bits, scale);
}

void Round::level(const Thing& thing, std::string_view quantity, std::uint64_t value, double scale)
{
    add(thing, quantity, value, false, 64, scale);
}

void Round::add(const Thing& thing, std::string_view quantity, std::uint64_t value, bool total, unsigned bits,
                double scale)
{
    const auto is_it = [&](const series::Counter& counter) {
        return counter.quantity == quantity && counter.component == thing.name &&
               counter.type == thing.type && counter.system == thing.system;
    };
    std::uint32_t place = next_;
    if (place >= counters_.size() || !is_it(counters_[place])) {
        const auto [found, added] = places_.try_emplace(
            {thing.type, std::string(thing.system), std::string(thing.name), std::string(quantity)},
            static_cast<std::uint32_t>(counters_.size()));
        if (added && counters_.size() == most_counters) {
            places_.erase(found);
            ++left_out_;
            return;
        }
        place = found->second;
        if (added)
            counters_.push_back({thing.type, std::string(thing.name), std::string(thing.system),
                                 std::string(quantity), total, bits, scale});
    }
    next_ = place + 1;
    counts_.push_back({place, value});
}

void Round::end()
{
    const auto before = [](const series::Count& a, const series::Count& b) { return a.counter < b.counter; };
    if (!std::is_sorted(counts_.begin(), counts_.end(), before))
        std::stable_sort(counts_.begin(), counts_.end(), before);
    counts_.erase(
        std::unique(counts_.begin(), counts_.end(),
                    [](const series::Count& a, const series::Count& b) { return a.counter == b.counter; }),
        counts_.end());
}

}  // namespace fathom::monitor
