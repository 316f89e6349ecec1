// What classes of operations are called.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

std::string TimedClass::name() const
{
    std::string size;
    if (same_size()) {
        size = " of " + report::format_bytes(*least_bytes);
    } else if (least_bytes || most_bytes) {
        const auto& bounds = SizeHistogram::upper_bounds;
        const std::size_t of = most_bytes ? SizeHistogram::class_of(*most_bytes) : bounds.size();
        size = of < bounds.size() ? " ≤ " + report::format_bytes(bounds[of])
                                  : " > " + report::format_bytes(bounds.back());
    }
    const std::string what = (operation.empty() ? "operation" : operation) + size;
    if (!layer.empty()) return layer + " " + what;
    return group.empty() ? what : group + ": " + what;
}

std::string TimedClass::plural() const
{
    std::optional<std::size_t> size_class;
    if (most_bytes)
        size_class = SizeHistogram::class_of(*most_bytes);
    else if (least_bytes)
        size_class = SizeHistogram::classes - 1;
    return plural_of(operation, same_size() ? least_bytes : std::nullopt, size_class);
}

}  // namespace fathom
