// Puts a stretch in its place and joins it with those that it comes close to.
#include "parsers/shared/burst_list.h"

namespace fathom {

void BurstList::add(std::uint64_t start, std::uint64_t end)
{
    // Most go on with the last one.
    if (!stretches_.empty() && start >= stretches_.back().start && start <= stretches_.back().end + gap_) {
        stretches_.back().end = std::max(stretches_.back().end, end);
        return;
    }
    // The first one that ends late enough to be joined.
    auto first =
        std::lower_bound(stretches_.begin(), stretches_.end(), start,
                         [&](const Stretch& stretch, std::uint64_t at) { return stretch.end + gap_ < at; });
    auto last = first;
    while (last != stretches_.end() && last->start <= end + gap_) ++last;
    if (first == last) {
        stretches_.insert(first, {start, end});
        while (stretches_.size() > most) {
            gap_ *= 2;
            join();
        }
        return;
    }
    first->start = std::min(first->start, start);
    first->end = std::max((last - 1)->end, end);
    stretches_.erase(first + 1, last);
}

void BurstList::join()
{
    std::size_t kept = 0;
    for (const Stretch& stretch : stretches_) {
        if (kept > 0 && stretch.start <= stretches_[kept - 1].end + gap_)
            stretches_[kept - 1].end = std::max(stretches_[kept - 1].end, stretch.end);
        else
            stretches_[kept++] = stretch;
    }
    stretches_.resize(kept);
}

}  // namespace fathom
