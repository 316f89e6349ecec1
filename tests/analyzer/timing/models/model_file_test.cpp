// Model files: what is written comes back, what is no model is refused with its place, and the paper's own
// one.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analyzer/timing/models/judge.h"
#include "analyzer/timing/models/model.h"
#include "analyzer/timing/models/train.h"
#include "tests/analyzer/temporary.h"
#include "tests/analyzer/timing/models/synthetic_measurement.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

std::string content_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal_of(const std::string& content)
{
    const Temporary folder;
    const std::string path = folder.path("model.json");
    std::ofstream(path, std::ios::binary) << content;
    try {
        read_model_file(path);
    } catch (const std::runtime_error& error) {
        const std::string said = error.what();
        CHECK_THAT(said, Contains(path));
        CHECK(said.find('\n') == std::string::npos);
        return said.substr(path.size());
    }
    return "was taken";
}

// Of the example with one member put in place of another.
std::string refusal_with(const std::string& pointer, const Json& value)
{
    Json json = Json::parse(content_of(example_model));
    json[Json::json_pointer(pointer)] = value;
    return refusal_of(json.dump());
}

std::string served_by(const ModelFile& file, std::string_view operation, double size, double duration)
{
    Judge judge(file, usual_rule(file));
    return judge.classes()[judge.judge(operation, "", size, duration).served.value()].name();
}

}  // namespace

TEST_CASE("a model that was trained is the same when it is read again")
{
    const Temporary folder;
    write_measurement(folder.path("m.csv"), 1);
    const ModelFile made = train_models(folder.path("m.csv"), {}).file;
    std::ofstream(folder.path("m.json")) << model_text(made);
    const ModelFile back = read_model_file(folder.path("m.json"));
    CHECK(model_text(back) == model_text(made));
    CHECK(back.made.measurement == "m.csv");
    CHECK(back.models.size() == 12);
    CHECK(back.models.front().sizes.size() == 11);
    CHECK(back.has_typical());
}

TEST_CASE("the paper's models are table 3 of the paper")
{
    const ModelFile file = read_model_file(example_model);
    REQUIRE(file.models.size() == 6);
    CHECK(!file.has_typical());
    for (const IoModel& model : file.models) {
        INFO(model.state << " " << model.operation << " " << model.memory);
        REQUIRE(model.limit.small);
        REQUIRE(model.limit.large);
        // The table gives the larger sizes' line the other one's value at a page, of numbers with two or
        // three digits.
        CHECK(model.limit.large->intercept == Approx(model.limit.small->at(page_bytes)).epsilon(0.006));
        CHECK(model.small_errors.relative.value() > 0.09);
    }
    const IoModel& cached = file.models[1];
    CHECK(cached.state == "cached");
    CHECK(cached.limit.large->slope == 1.44e-10);
    CHECK(cached.large_errors.outliers_of_model.value() == 0.102);
}

TEST_CASE("the paper's models say of a read of 32 KiB what figure 5 says")
{
    const ModelFile file = read_model_file(example_model);
    // discard off0 up to 4.75e-7 + 7.67e-11 * 32768 = 2.99 us, cached off0 up to 9.71e-6 + 1.44e-10 * 32768
    // = 14.43 us, cached rnd up to 1.04e-5 + 2.99e-10 * 32768 = 20.2 us.
    CHECK(served_by(file, "read", 32768, 2.9e-6) == "discard off0");
    CHECK(served_by(file, "read", 32768, 3.1e-6) == "cached off0");
    CHECK(served_by(file, "read", 32768, 14.4e-6) == "cached off0");
    CHECK(served_by(file, "read", 32768, 14.5e-6) == "cached rnd");
    CHECK(served_by(file, "read", 32768, 20.3e-6) == "uncached");
    CHECK(served_by(file, "write", 1, 3.2e-7) == "discard rnd");
    Judge judge(file, JudgeRule::limit);
    CHECK(judge.judge("read", "", 32768, 1e-3).lost.value() == Approx(1e-3 - (1.04e-5 + 2.99e-10 * 32768)));
    CHECK(judge.judge("read", "off0", 32768, 1e-3).lost.value() ==
          Approx(1e-3 - (9.71e-6 + 1.44e-10 * 32768)));
    CHECK(judge.judge("read", "", 32768, 1e-5).lost.value() == 0);
    CHECK(!judge.judge("open", "", 32768, 1e-5).served);
}

TEST_CASE("what is no model is refused, with its place and what is wrong there")
{
    CHECK_THAT(refusal_of(""), Contains("no JSON"));
    CHECK_THAT(refusal_of("{\"fathom_model\": 1"), Contains("no JSON"));
    CHECK_THAT(refusal_of("[]"), Contains("no \"fathom_model\""));
    CHECK_THAT(refusal_of("null"), Contains("no \"fathom_model\""));
    CHECK_THAT(refusal_of("{}"), Contains("no \"fathom_model\""));
    CHECK_THAT(refusal_with("/fathom_model", 2), Contains("version 2"));
    CHECK_THAT(refusal_with("/fathom_model", "1"), Contains("fathom_model is not a whole number"));
    CHECK_THAT(refusal_with("/models", Json::array()), Contains("models is empty"));
    CHECK_THAT(refusal_with("/models", 7), Contains("models is not a list"));
    CHECK_THAT(refusal_with("/models/1", 7), Contains("models[1] is not an object"));
    CHECK_THAT(refusal_with("/models/1/sort", 7), Contains("models[1] has a member \"sort\""));
    CHECK_THAT(refusal_with("/models/1/operation", "append"), Contains("models[1].operation is neither"));
    CHECK_THAT(refusal_with("/models/1/state", "a b"), Contains("models[1].state is not a name"));
    CHECK_THAT(refusal_with("/models/1/state", ""), Contains("models[1].state is not a name"));
    CHECK_THAT(refusal_with("/models/1/memory", nullptr), Contains("models[1].memory is not a text"));
    CHECK_THAT(refusal_with("/models/1/limit", Json::object()), Contains("models[1].limit has neither"));
    CHECK_THAT(refusal_with("/models/1/limit/small/factor", "2"),
               Contains("models[1].limit.small.factor is not a number"));
    CHECK_THAT(refusal_with("/models/1/errors/small/outliers", 1.5),
               Contains("models[1].errors.small.outliers is above 1"));
    CHECK_THAT(refusal_with("/models/1/errors/small/absolute", -1), Contains("is below 0"));
    CHECK_THAT(refusal_with("/units/factor", "ns/B"), Contains("units.factor is not \"s/B\""));
    CHECK_THAT(refusal_with("/about", std::string(2000, 'x')), Contains("about has 2000 bytes"));
    const Json first = Json::parse(content_of(example_model))["models"][0];
    CHECK_THAT(refusal_with("/models/1", first), Contains("models[1] is there twice"));
    const Json size = {{"size", 4},       {"limit", 1e-6}, {"typical", 1e-7},
                       {"operations", 9}, {"outliers", 1}, {"outliers_of_model", 1}};
    CHECK_THAT(refusal_with("/models/1/sizes", Json{size, size}),
               Contains("models[1].sizes[1] is not above"));
    Json many = size;
    many["outliers"] = 10;
    CHECK_THAT(refusal_with("/models/1/sizes", Json{many}), Contains("more outliers than operations"));
    many["size"] = -4;
    CHECK_THAT(refusal_with("/models/1/sizes", Json{many}),
               Contains("models[1].sizes[0].size is not a whole"));
}

TEST_CASE("hostile model files are harmless")
{
    CHECK_THAT(refusal_of(std::string(1 << 20, '[')), Contains("no JSON"));
    std::string deep = "{\"fathom_model\":1,\"about\":";
    deep.append(200'000, '[').append(200'000, ']').append(",\"made\":{},\"models\":[]}");
    CHECK_THAT(refusal_of(deep), Contains("about is not a text"));
    CHECK_THAT(refusal_of(std::string(9 << 20, ' ')), Contains("larger than any model"));
    CHECK_THAT(refusal_of("{\"fathom_model\":1e999}"), Contains("out of range"));
    CHECK_THAT(refusal_of("{\"fathom_model\":-1}"), Contains("not a whole number"));
    CHECK_THAT(refusal_of(std::string("\0\0\0", 3)), Contains("no JSON"));
    CHECK_THAT(refusal_with("/models", Json(std::vector<int>(1001))), Contains("more than 1000"));
    CHECK_THROWS_WITH(read_model_file("/nowhere/model.json"),
                      Contains("/nowhere/model.json: cannot be read"));
    CHECK_THROWS_WITH(read_model_file("/"), Contains("cannot be read"));
}
