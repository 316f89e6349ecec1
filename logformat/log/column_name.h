// Columns by the members of their rows: a name in quotes that no table has would read as "recorded".
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// The name of a counter, "sync_time". Which members there are is said in column_name.cpp: one that it lacks
// does not link.
template <class Owner, class Value>
std::string_view counter_name(Value Owner::*member);

// Of its column; where it has several, of the part with this suffix ("_1_error"), or of the first:
// "read_size_0_100". std::logic_error where there is no such part.
template <class Owner, class Value>
std::string column_name(Value Owner::*member, std::string_view part = {});

// Whether a column is one of these counters.
template <class... Members>
bool is_any_of(std::string_view label, Members... members)
{
    return ((label == counter_name(members)) || ...);
}

}  // namespace fathom
