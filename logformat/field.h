// A counter is a row: its name, its member, how two of it merge, its unit and what it means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace fathom {

// How the values of two records of one file become one. Zero means "never" to earliest.
enum class Rule : std::uint8_t { key, sum, largest, earliest, own };

// Durations are nanoseconds, instants nanoseconds of UNIX time (both are clock ticks inside a running
// process).
enum class Unit : std::uint8_t {
    none,
    count,
    bytes,
    duration,
    instant,
    rank,
    code
};  // code: of a text, bytes that are none

template <class Owner, class Value>
struct Field {
    std::string_view name;
    Value Owner::*member;
    Rule rule;
    Unit unit;
    std::string_view meaning;
};

template <class Owner, class Value>
Field(std::string_view, Value Owner::*, Rule, Unit, std::string_view) -> Field<Owner, Value>;

// Types whose values belong together carry their own merge and name their parts; a plain number is neither.
template <class Value>
concept Composite = requires(Value& value, const Value& other)
{
    value.merge(other);
};

template <class Value>
constexpr void merge_value(Value& into, const Value& from, Rule rule)
{
    if constexpr (Composite<Value>) {
        into.merge(from);
    } else if constexpr (std::is_arithmetic_v<Value>) {  // a text is a key or the same in both
        switch (rule) {
            case Rule::sum:
                into += from;
                break;
            case Rule::largest:
                into = from > into ? from : into;
                break;
            case Rule::earliest:
                into = (into == Value{} || (from != Value{} && from < into)) ? from : into;
                break;
            case Rule::key:
            case Rule::own:
                break;
        }
    }
}

// Calls visit(field) for each counter of Row, in the order of its table. Row::fields(visit) lists them, a
// call each: the compiler takes a second longer for every file where they are a std::tuple.
template <class Row, class Visit>
constexpr void each_field(Visit visit)
{
    Row::fields(visit);
}

// Merges every counter of `from` into `into`, each by its own rule. The keys must be equal.
template <class Row>
constexpr void merge(Row& into, const Row& from)
{
    each_field<Row>(
        [&](const auto& field) { merge_value(into.*field.member, from.*field.member, field.rule); });
}

// Whether some number of a row that is summed is not 0.
template <class Row>
constexpr bool any_counted(const Row& row)
{
    bool any = false;
    each_field<Row>([&]<class Owner, class Value>(const Field<Owner, Value>& field) {
        if constexpr (std::is_arithmetic_v<Value>)
            any = any || (field.rule == Rule::sum && row.*field.member != 0);
    });
    return any;
}

namespace detail {

template <class Row>
consteval std::size_t count_fields()
{
    std::size_t count = 0;
    each_field<Row>([&](const auto&) { ++count; });
    return count;
}

template <class To, class From>
struct SameCounter {
    std::uint64_t To::*to;
    std::uint64_t From::*from;
    Rule rule;
};

template <class To, class From>
struct SameCounters {
    std::array<SameCounter<To, From>, count_fields<To>()> one{};
    std::size_t count = 0;

    constexpr SameCounters()
    {
        each_field<To>([&]<class A, class Number>(const Field<A, Number>& to) {
            each_field<From>([&]<class B, class Other>(const Field<B, Other>& from) {
                if constexpr (std::is_same_v<Number, std::uint64_t> && std::is_same_v<Other, std::uint64_t>)
                    if (to.name == from.name && to.rule != Rule::key)
                        one[count++] = {to.member, from.member, to.rule};
            });
        });
    }
};
template <class To, class From>
inline constexpr SameCounters<To, From> same_counters{};

}  // namespace detail

// Merges every number of `from` into that of `to` of the same name, where it has one, by the rule of `to`.
template <class To, class From>
constexpr void merge_same(To& to, const From& from)
{
    constexpr auto& same = detail::same_counters<To, From>;
    static_assert(same.count > 0, "no counter of the two has the same name");
    for (std::size_t at = 0; at < same.count; ++at)
        merge_value(to.*same.one[at].to, from.*same.one[at].from, same.one[at].rule);
}

}  // namespace fathom
