// Finds members in the tables of counters. The members that are asked for are listed at the end.
#include "logformat/log/column_name.h"

#include <optional>
#include <stdexcept>

#include "logformat/tables.h"

namespace fathom {

template <class Owner, class Value>
std::string_view counter_name(Value Owner::*member)
{
    std::string_view name;  // every member of a row is in its table: tests say so
    each_field<Owner>([&](const auto& field) {
        if constexpr (std::is_same_v<decltype(field), const Field<Owner, Value>&>)
            if (field.member == member) name = field.name;
    });
    return name;
}

template <class Owner, class Value>
std::string column_name(Value Owner::*member, std::string_view part)
{
    const std::string name(counter_name(member));
    if constexpr (Composite<Value>) {
        std::optional<std::string_view> found;
        const Value value{};
        Value::parts(value, [&](std::string_view suffix, const auto&, Unit) {
            if (!found && (part.empty() || part == suffix)) found = suffix;
        });
        if (found) return name + std::string(*found);
    } else if (part.empty()) {
        return name;
    }
    throw std::logic_error(name + " has no part " + std::string(part));
}

#define FATHOM_NAMES(Owner, Value)                                \
    template std::string_view counter_name(Value Owner::*member); \
    template std::string column_name(Value Owner::*member, std::string_view);
FATHOM_NAMES(Transfers, std::uint64_t)
FATHOM_NAMES(Transfers, SlowestCall)
FATHOM_NAMES(Transfers, SizeHistogram)
FATHOM_NAMES(Transfers, CommonSizes)
FATHOM_NAMES(Pattern, std::uint64_t)
FATHOM_NAMES(Content, std::uint64_t)
FATHOM_NAMES(PosixCounters, std::uint64_t)
FATHOM_NAMES(StdioCounters, std::uint64_t)
FATHOM_NAMES(MpiioCounters, std::uint64_t)
FATHOM_NAMES(DataFileCounters, std::uint64_t)
FATHOM_NAMES(DatasetCounters, std::uint64_t)
FATHOM_NAMES(DatasetCounters, SlowestCall)
FATHOM_NAMES(DatasetCounters, SizeHistogram)
FATHOM_NAMES(DatasetCounters, CommonSizes)
FATHOM_NAMES(DatasetCounters, CommonShape)
FATHOM_NAMES(DatasetCounters, Extents)
FATHOM_NAMES(Beneath, std::uint64_t)
FATHOM_NAMES(Sharing, std::uint64_t)
FATHOM_NAMES(Sharing, Slowest)
FATHOM_NAMES(Sharing, Fastest)
FATHOM_NAMES(Sharing, Moments)
FATHOM_NAMES(Totals, std::uint64_t)
FATHOM_NAMES(Slice, std::uint64_t)
FATHOM_NAMES(Process, std::uint64_t)
FATHOM_NAMES(Process, std::int64_t)
FATHOM_NAMES(Process, std::string_view)
FATHOM_NAMES(Mount, std::string_view)
#undef FATHOM_NAMES

}  // namespace fathom
