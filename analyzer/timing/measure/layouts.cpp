// A position, and the rule for the next one.
#include "analyzer/timing/measure/layouts.h"

namespace fathom::measure {
namespace {

constexpr std::uint64_t skip = 8u << 20;

}  // namespace

Places::Places(Layout layout, std::uint64_t size, std::uint64_t span, std::uint64_t align, std::uint64_t seed)
    : layout_(layout), size_(size), span_(span), align_(align), random_(seed)
{
    if (layout == Layout::reverse) at_ = span - size;
}

std::uint64_t Places::anywhere(std::uint64_t steps)
{
    return std::uniform_int_distribution<std::uint64_t>(0, steps - 1)(random_);
}

std::uint64_t Places::next()
{
    const std::uint64_t here = at_, places = (span_ - size_) / align_ + 1;
    const auto fitting = [&](std::uint64_t at) { return at + size_ <= span_ ? at : 0; };
    switch (layout_) {
        case Layout::off0:
            return 0;
        case Layout::seq:
            at_ = fitting(here + size_);
            return here;
        case Layout::stride8MiB:
            at_ = fitting((here + size_ + skip) % span_);
            return here;
        case Layout::reverse:
            at_ = here >= size_ ? here - size_ : span_ - size_;
            return here;
        case Layout::rnd:
            return anywhere(places) * align_;
        case Layout::rnd8MiB: {
            const std::uint64_t further = anywhere(2 * skip / align_ + 1);
            at_ = (here / align_ + size_ / align_ + further) % places * align_;
            return here;
        }
    }
    return 0;
}

}  // namespace fathom::measure
