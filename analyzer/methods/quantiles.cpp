// Walks up the bins until it has passed as many durations as the quantile asks for.
#include "analyzer/methods/quantiles.h"

#include <algorithm>

namespace fathom {
namespace {

// ceil(n * per_mille / 1000), at least 1, without leaving 64 bits.
std::uint64_t place_of(std::uint64_t n, unsigned per_mille)
{
    const std::uint64_t place = n / 1000 * per_mille + (n % 1000 * per_mille + 999) / 1000;
    return std::max<std::uint64_t>(place, 1);
}

}  // namespace

std::uint64_t middle_of(const HistogramBin& bin)
{
    return bin.below > bin.at_least ? bin.at_least + (bin.below - bin.at_least - 1) / 2 : bin.at_least;
}

std::optional<std::uint64_t> quantile(std::span<const HistogramBin> bins, std::uint64_t longest,
                                      unsigned per_mille)
{
    std::uint64_t n = 0;
    for (const HistogramBin& bin : bins) n += bin.operations;
    if (n == 0) return std::nullopt;
    const std::uint64_t place = place_of(n, per_mille);
    if (place >= n) return longest;
    std::uint64_t passed = 0;
    for (const HistogramBin& bin : bins) {
        passed += bin.operations;
        if (passed >= place) return std::min(middle_of(bin), longest);
    }
    return longest;
}

}  // namespace fathom
