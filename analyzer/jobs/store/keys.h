// Questions about many keys at once.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/jobs/schema/database.h"

namespace fathom::jobs {

// In `sql` the word @keys stands for the keys: "select a from t where b in (@keys)".
void each_of(Database& database, std::string_view sql, std::span<const Value> keys,
             std::span<const ValueType> types, const Database::Visit& visit);
// The same for what gives no rows; `before` are values that stand before the keys.
void run_of(Database& database, std::string_view sql, std::span<const Value> keys, const Values& before = {});

}  // namespace fathom::jobs
