// What R computed, and the samples that it did so from: small sets that are in the repository
// (tests/data/make_reference.R makes them), and larger ones of the same kinds, which may be elsewhere.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/skip.h"

namespace fathom::testing {

struct Reference {
    std::vector<std::vector<double>> columns;
    nlohmann::json expected;
};

struct SmallSets {
    static std::string folder() { return FATHOM_SOURCES "/tests/data/reference"; }
    static std::vector<std::string> densities()
    {
        return {"density-one-cluster", "density-two-clusters", "density-three-clusters", "density-long-tail"};
    }
};
struct LargerSets {
    static std::string folder() { return FATHOM_REFERENCE; }
    static std::vector<std::string> densities()
    {
        return {"density-one-cluster", "density-two-clusters", "density-three-clusters", "density-gamma-toy"};
    }
};

// The test is skipped where larger sets are missing.
template <class Sets>
std::optional<Reference> reference(const std::string& name)
{
    const std::string base = Sets::folder() + "/" + name;
    std::ifstream csv(base + ".csv"), json(base + ".expected.json");
    if (!csv || !json) {
        skip(base + ".csv or .expected.json is missing");
        return std::nullopt;
    }
    Reference result{.columns = {}, .expected = nlohmann::json::parse(json)};
    std::string line, field;
    for (std::getline(csv, line); std::getline(csv, line);) {
        std::istringstream fields(line);
        for (std::size_t column = 0; std::getline(fields, field, ','); ++column) {
            if (result.columns.size() == column) result.columns.emplace_back();
            result.columns[column].push_back(std::stod(field));
        }
    }
    return result;
}

inline Reference reference(const std::string& name)
{
    const auto found = reference<SmallSets>(name);
    REQUIRE(found);
    return *found;
}

}  // namespace fathom::testing
