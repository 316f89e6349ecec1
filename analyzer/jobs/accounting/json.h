// Files of JSON, an object at a time, so that their size does not matter.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/jobs/accounting/sources.h"

namespace fathom::jobs {

// Calls take(key, object) for each object that lies `depth` objects and arrays below the outermost one, where
// `key` is the last name at depth 1. Where take() throws Unusable, it says so with the line and goes on;
// where the text is no JSON, it says where that begins.
using TakeObject = std::function<void(const std::string& key, const nlohmann::json& object)>;
void each_object(const std::string& path, int depth, const Reading& reading, const TakeObject& take);

// What lies there: at(job, {"state", "current"}); a null where there is none.
const nlohmann::json& at(const nlohmann::json& object, std::initializer_list<std::string_view> names);

// A text, or the first of a list of them, or a number as a text; empty where it is none of these.
std::string text_in(const nlohmann::json& value);
// A number, or {"set": true, "infinite": false, "number": 5}, or a text that is one. Nothing inside where it
// is not set. Throws Unusable where it is no whole number.
std::optional<std::uint64_t> number_in(const nlohmann::json& value);
Known count_in(const nlohmann::json& value);
Number time_in(const nlohmann::json& value);

}  // namespace fathom::jobs
