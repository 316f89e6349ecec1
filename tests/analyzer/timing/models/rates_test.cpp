// What models say of how fast requests are, for the costs of findings.
#include "analyzer/timing/models/rates.h"

#include <catch2/catch.hpp>

using namespace fathom;

namespace {

IoModel model_of(std::string_view state, std::string_view operation, double factor)
{
    IoModel model;
    model.state = state;
    model.operation = operation;
    model.typical = {Line{1e-6, 0}, Line{2e-6, factor}};
    return model;
}

}  // namespace

TEST_CASE("rates of a model: of the slowest of a state, and nothing of a state that was not measured")
{
    ModelFile file;
    file.made.host = "node7";
    file.models = {model_of("cached", "read", 1e-9), model_of("cached", "read", 3e-9),
                   model_of("cached", "read", 2e-9), model_of("uncached", "write", 5e-9),
                   model_of("discard", "write", 9e-9)};
    MeasuredRates rates = rates_of(file, "here.json");
    CHECK(rates.name == "here.json");
    CHECK(rates.where == "node7");
    CHECK(rates.of[0].cached.at(100) == Approx(1e-6));
    CHECK(rates.of[0].cached.at(1e6) == Approx(2e-6 + 3e-3));
    CHECK_FALSE(rates.of[0].uncached.known);
    CHECK_FALSE(rates.of[1].cached.known);
    CHECK(rates.of[1].uncached.at(1e6) == Approx(2e-6 + 5e-3));
    file.made.file_system = "ext4";
    CHECK(rates_of(file, "").where == "node7, ext4");
    file.made.host.clear();
    CHECK(rates_of(file, "").where == "ext4");
}

TEST_CASE("rates of a model: without usual times its limits stand for them")
{
    ModelFile file;
    IoModel model = model_of("cached", "read", 1e-9);
    model.limit = {Line{5e-6, 0}, Line{5e-6, 4e-9}};
    model.typical = {};
    file.models = {model};
    CHECK(rates_of(file, "").of[0].cached.at(1e6) == Approx(5e-6 + 4e-3));
    file.models[0].limit.large.reset();
    CHECK_FALSE(rates_of(file, "").of[0].cached.known);
}
