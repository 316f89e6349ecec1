// `fathom model` as users type it, from a measurement that was made up to what is said of operations.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "analyzer/timing/models/model.h"
#include "tests/analyzer/synthetic.h"
#include "tests/analyzer/temporary.h"
#include "tests/analyzer/timing/models/synthetic_measurement.h"
#include "tests/run_fathom.h"

using namespace fathom;
using namespace fathom::testing;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

Json json_said(const std::string& arguments)
{
    const Ran outcome = run_fathom(arguments + " --format json");
    INFO(outcome.said);
    REQUIRE(outcome.status == 0);
    return Json::parse(outcome.said);
}

// A block of the document, by its id.
Json block(const Json& document, const std::string& id)
{
    for (const Json& section : document["sections"])
        for (const Json& one : section["blocks"])
            if (one.contains("id") && one["id"] == id) return one;
    FAIL("no block " << id);
    return {};
}

// A folder with a measurement, a model of it, and a measurement afresh.
struct Trained : Temporary {
    std::string model = path("model.json"), fresh = path("fresh.csv");
    Json document;
    Trained()
    {
        write_measurement(path("m.csv"), 1);
        write_measurement(fresh, 2);
        document = json_said("model train " + path("m.csv") + " -o " + model);
    }
};

// Ten reads of 4 KiB, two of which took 10 ms.
std::string write_log(const Temporary& folder)
{
    Synthetic made;
    made.ranks(1);
    std::vector<std::uint64_t> durations(8, 2000);
    durations.insert(durations.end(), 2, 10'000'000);
    made.operations(Layer::posix, Kind::read, SizeHistogram::class_of(4096), durations);
    auto& row = made.io<PosixRecord>(made.file("/in"), 0, {.bytes_read = 10 * 4096});
    row.reads = 10;
    row.read_size = {};
    row.read_size.add(4096, 10);
    row.common_size.add(4096, 10);
    fathom::write_log(made.log, folder.path("job.fathom"));
    return folder.path("job.fathom");
}

}  // namespace

TEST_CASE("a model that is trained has the lines that were measured")
{
    const Trained trained;
    const ModelFile file = read_model_file(trained.model);
    REQUIRE(file.models.size() == 12);
    const IoModel& cached = file.models[2];
    CHECK(cached.state + " " + cached.operation + " " + cached.memory == "cached read off0");
    CHECK(*cached.typical.at(1) == Approx(6e-7).epsilon(0.03));
    CHECK(*cached.typical.at(1048576) == Approx(6e-7 + 3e-11 * 1048576).epsilon(0.03));
    // A limit lies above the usual time by what 5 % of spread, the density's width and the margin make of it.
    CHECK(*cached.limit.at(1) > 1.1 * 6e-7);
    CHECK(*cached.limit.at(1) < 1.5 * 6e-7);
    CHECK(!file.made.host.empty());
    CHECK(!file.made.date.empty());

    const Json table = block(trained.document, "models");
    REQUIRE(table["rows"].size() == 24);
    CHECK(table["rows"][4]["model"] == "cached read off0");
    CHECK(table["rows"][4]["intercept"].get<double>() == cached.limit.small->intercept);
    for (const Json& row : table["rows"]) {
        CHECK(row["relative_error"].get<double>() > 0.02);
        CHECK(row["relative_error"].get<double>() < 0.2);
        CHECK(row["outliers_of_model"].get<double>() <= row["outliers"].get<double>() + 0.01);
    }
    CHECK(block(trained.document, "limits_cached_read")["series"].size() == 4);
}

TEST_CASE("fresh operations are found to be what they are known to be")
{
    const Trained trained;
    const std::string words = "model classify " + trained.fresh + " --model " + trained.model;
    const Json any = json_said(words), given = json_said(words + " --memory given"),
               limit = json_said(words + " --memory given --rule limit");
    for (const Json& document : {given, limit})
        for (const char* const state : {"discard", "cached", "uncached"})
            CHECK(document["values"][fmt::format("served_from.right_{}", state)].get<double>() > 0.95);
    CHECK(any["values"]["served_from.right"].get<double>() > 0.9);
    // 12 experiments of 11 sizes, 60 operations each.
    CHECK(any["values"]["served_from.operations"] == 12 * 11 * 60);
    const Json table = block(given, "confusion");
    REQUIRE(table["rows"].size() == 3);
    for (const Json& row : table["rows"]) {
        CHECK(row["operations"] == 4 * 11 * 60);
        CHECK(row["found_discard"].get<double>() + row["found_cached"].get<double>() +
                  row["found_uncached"].get<double>() ==
              Approx(1));
        CHECK(row["right"] == row["found_" + row["known"].get<std::string>()]);
    }
    CHECK(block(given, "groups")["rows"][0]["group"] == "discard-off0-off0 read");
    CHECK(block(given, "groups")["rows"].size() == 12);
    CHECK(block(given, "timeline")["series"].size() == 5);
}

TEST_CASE("what was lost is what slow operations took longer than from the cache")
{
    const Trained trained;
    std::ofstream(trained.path("three.csv"))
        << "duration_s,operation,size\n0.0000006,read,1\n0.005,read,1\n0.01,read,1\n0.5,open,0\n";
    const Json document =
        json_said("model classify " + trained.path("three.csv") + " --model " + trained.model);
    const ModelFile file = read_model_file(trained.model);
    const double cached = *file.models[3].typical.at(1);
    CHECK(file.models[3].memory == "rnd");
    CHECK(document["values"]["served_from.operations"] == 3);
    CHECK(document["values"]["served_from.share_uncached"].get<double>() == Approx(2.0 / 3));
    CHECK(document["values"]["served_from.seconds_lost"].get<double>() == Approx(0.015 - 2 * cached));
}

TEST_CASE("a log without a trace is judged by its histograms, and the report says so where a model is given")
{
    const Trained trained;
    const std::string log = write_log(trained);
    const Json document = json_said("model classify " + log + " --model " + trained.model);
    CHECK(document["values"]["served_from.operations"] == 10);
    CHECK(document["values"]["served_from.share_uncached"].get<double>() == Approx(0.2));
    CHECK(document["values"]["served_from.seconds_lost"].get<double>() == Approx(0.02).epsilon(0.03));

    const Json report = json_said("report " + log + " --model " + trained.model);
    for (const auto& [name, value] : document["values"].items())
        if (name.starts_with("served_from.")) CHECK(report["values"][name] == value);
    CHECK(!json_said("report " + log)["values"].contains("served_from.operations"));
    CHECK_THAT(run_fathom("report " + log + " --model " + example_model).said,
               Contains("mistral-lustre.json"));
    std::ofstream(trained.path("report.json")) << report.dump();
    const int valid =
        std::system((PYTHON " " FATHOM_SOURCES "/tests/analyzer/document/validate_json.py" " " FATHOM_SOURCES "/docs/report.schema.json" " " + trained.path("report.json")).c_str());
    CHECK((WEXITSTATUS(valid) == 0 || WEXITSTATUS(valid) == 77));
}

TEST_CASE("what was not in the state that was asked for trains nothing and is judged as nothing")
{
    const Trained trained;
    std::ofstream(trained.path("fresh.checks.csv"))
        << "state,operation,memory,file,size,threads,repeat,as_asked\nuncached,read,off0,rnd,64,1,0,no\n"
           "uncached,read,off0,rnd,256,1,0,unknown\n";
    const Json document = json_said("model classify " + trained.fresh + " --model " + trained.model);
    CHECK(document["values"]["served_from.operations"] == 12 * 11 * 60 - 60);
    CHECK_THAT(document.dump(), Contains("60 operations are left out"));
}

TEST_CASE("what a model file says of itself does not steer the terminal")
{
    const Trained trained;
    ModelFile file = read_model_file(trained.model);
    file.made.host = "\x1b[31mred\nline";
    std::ofstream(trained.path("odd.json")) << model_text(file);
    const Ran outcome =
        run_fathom("model classify " + trained.fresh + " --model " + trained.path("odd.json"));
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.said, Contains("red"));
    CHECK(outcome.said.find('\x1b') == std::string::npos);
}

TEST_CASE("what cannot be done is said, and leaves no file")
{
    const Trained trained;
    const auto fails = [](const Ran& outcome, int status, const std::string& words) {
        INFO(outcome.said);
        CHECK(outcome.status == status);
        CHECK_THAT(outcome.said, Contains(words));
        CHECK(std::count(outcome.said.begin(), outcome.said.end(), '\n') == 1);
    };
    const std::string out = trained.path("none.json"), train = "model train -o " + out + " ",
                      m = trained.path("m.csv");
    fails(run_fathom(train + trained.path("nowhere.csv")), 1, "nowhere.csv");
    fails(run_fathom("model train " + m + " -o " + m), 2, "this is the measurement");
    fails(run_fathom(train + m + " --threads 7"), 1, "no model can be made");
    fails(run_fathom(train + m + " --report x.doc"), 2, "x.doc");
    std::ofstream(trained.path("bad.csv")) << "state,operation,size,duration_s\ncached,read,1,-1\n";
    fails(run_fathom(train + trained.path("bad.csv")), 1, "bad.csv, line 2");
    std::ofstream(trained.path("few.csv")) << "state,operation,size,duration_s\ncached,read,1,1\n";
    fails(run_fathom(train + trained.path("few.csv")), 1, "fewer than 20 operations");
    write_measurement(trained.path("names.csv"), 1, 30, {{"cached", "read", "far away", "off0", 1e-6, 0}});
    fails(run_fathom(train + trained.path("names.csv")), 1, "models[0].memory is not a name");
    CHECK(!std::filesystem::exists(out));
    fails(run_fathom("model train " + m + " -o " + trained.path("no/m.json")), 1, "create the folder first");

    const std::string log = write_log(trained), classify = "model classify " + log + " --model ";
    fails(run_fathom(classify + log), 1, "this is no JSON");
    fails(run_fathom(classify + example_model + " --rule nearest"), 2, "--rule limit");
    fails(run_fathom(classify + example_model + " --memory given"), 2, "does not have where buffers lay");
    fails(run_fathom("model"), 2, "model");
    fails(run_fathom("report --csv --model " + trained.model + " " + log), 2, "--model");
}
