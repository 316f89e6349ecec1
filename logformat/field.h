// A counter is a row: its name, its member, how two of it merge, its unit and what it means.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
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

// The counters of Row, made once by the compiler: what goes over them then costs no more than the members.
template <class Row>
inline constexpr auto fields_of = Row::fields();

// Calls visit(field) for each counter of Row, in the order of its table.
template <class Row, class Visit>
constexpr void each_field(Visit visit)
{
    std::apply([&](const auto&... field) { (visit(field), ...); }, fields_of<Row>);
}

// Merges every counter of `from` into `into`, each by its own rule. The keys must be equal.
template <class Row>
constexpr void merge(Row& into, const Row& from)
{
    each_field<Row>(
        [&](const auto& field) { merge_value(into.*field.member, from.*field.member, field.rule); });
}

}  // namespace fathom
