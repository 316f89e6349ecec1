// What R computed, and the samples that it did so from.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace fathom::testing {

struct Reference {
    std::vector<std::vector<double>> columns;
    nlohmann::json expected;
};

// Says so where it is missing.
inline std::optional<Reference> reference(const std::string& name)
{
    const std::string base = std::string(FATHOM_REFERENCE) + "/" + name;
    std::ifstream csv(base + ".csv"), json(base + ".expected.json");
    if (!csv || !json) {
        WARN("not compared with R: " << base << " is missing");
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

}  // namespace fathom::testing
