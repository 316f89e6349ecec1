// A sum for each size.
#include "analyzer/job/size_sums.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace fathom {

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

CommonSizes SizeSums::commonest() const
{
    std::vector<CommonSizes::Slot> all;
    all.reserve(by_size_.size());
    for (const auto& [size, slot] : by_size_) all.push_back(slot);
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), CommonSizes::slots));
    std::partial_sort(all.begin(), end, all.end(),
                      [](const CommonSizes::Slot& a, const CommonSizes::Slot& b) {
                          const auto rank = [](const CommonSizes::Slot& one) {
                              return std::tuple(one.count - std::min(one.count, one.error), one.size);
                          };
                          return rank(a) > rank(b);
                      });
    CommonSizes sizes;
    std::copy(all.begin(), end, sizes.slot.begin());
    return sizes;
}

}  // namespace fathom
