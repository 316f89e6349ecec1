// A sum for each size.
#include "analyzer/job/size_sums.h"

#include <algorithm>
#include <tuple>

namespace fathom {
namespace {

void sort(std::vector<CommonSizes::Slot>& sizes)
{
    std::sort(sizes.begin(), sizes.end(), [](const CommonSizes::Slot& a, const CommonSizes::Slot& b) {
        const auto rank = [](const CommonSizes::Slot& one) {
            return std::tuple(one.count - std::min(one.count, one.error), one.size);
        };
        return rank(a) > rank(b);
    });
}

}  // namespace

void SizeSums::add(const CommonSizes::Slot& slot)
{
    if (slot.count == 0) return;
    CommonSizes::Slot& sum = by_size_[slot.size];
    sum.size = slot.size;
    sum.count += slot.count;
    sum.error += slot.error;
}

void SizeSums::add(const CommonSizes& sizes)
{
    for (const CommonSizes::Slot& slot : sizes.slot) add(slot);
}

void SizeSums::add(const SizeSums& other)
{
    for (const auto& [size, slot] : other.by_size_) add(slot);
}

std::vector<CommonSizes::Slot> SizeSums::commonest() const
{
    std::vector<CommonSizes::Slot> all;
    all.reserve(by_size_.size());
    for (const auto& [size, slot] : by_size_) all.push_back(slot);
    sort(all);
    return all;
}

std::vector<CommonSizes::Slot> SizeSums::commonest_in(std::size_t size_class) const
{
    std::vector<CommonSizes::Slot> some;
    for (const auto& [size, slot] : by_size_)
        if (SizeHistogram::class_of(size) == size_class) some.push_back(slot);
    sort(some);
    return some;
}

}  // namespace fathom
