// What a column of a database can hold.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace fathom::database {

// Nothing inside: not known (NULL).
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;
using Values = std::vector<Value>;

enum class ValueType : std::uint8_t { integer, real, text };

}  // namespace fathom::database
