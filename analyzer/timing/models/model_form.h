// The names in a model file, for the one who writes it and the one who reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/timing/models/model.h"

namespace fathom {

inline constexpr int model_version = 1;

template <class Of>
struct TextMember {
    std::string_view name;
    std::string Of::*value;
};

inline constexpr TextMember<ModelOrigin> origin_texts[] = {
    {"host", &ModelOrigin::host},
    {"kernel", &ModelOrigin::kernel},
    {"file_system", &ModelOrigin::file_system},
    {"date", &ModelOrigin::date},
    {"measurement", &ModelOrigin::measurement},
};

inline constexpr TextMember<IoModel> model_texts[] = {
    {"state", &IoModel::state},
    {"operation", &IoModel::operation},
    {"memory", &IoModel::memory},
    {"file", &IoModel::file},
};

struct ErrorMember {
    std::string_view name;
    std::optional<double> ModelErrors::*value;
    double most;  // 1 for a share; 0: any
};

inline constexpr ErrorMember error_members[] = {
    {"absolute", &ModelErrors::absolute, 0},
    {"relative", &ModelErrors::relative, 0},
    {"outliers", &ModelErrors::outliers, 1},
    {"outliers_of_model", &ModelErrors::outliers_of_model, 1},
};

// What the numbers are in; written for people.
inline constexpr std::pair<std::string_view, std::string_view> model_units[] = {
    {"intercept", "s"},
    {"factor", "s/B"},
    {"size", "B"},
    {"limit", "s"},
    {"typical", "s"},
    {"absolute", "s"},
    {"relative", "share of 1"},
    {"outliers", "share of 1, or operations of a size"},
};

// More than these no file of ours has: what claims so is none.
inline constexpr std::size_t most_model_bytes = std::size_t{8} << 20, most_models = 1000,
                             most_trained_sizes = 1000, most_text_bytes = 1000;

}  // namespace fathom
