// `fathom states` as users type it.
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analyzer/methods/simulate_markov.h"
#include "tests/analyzer/methods/reference.h"
#include "tests/analyzer/temporary.h"
#include "tests/run_fathom.h"

using namespace fathom;
using Catch::Contains;
using fathom::testing::Ran;
using fathom::testing::Temporary;
using Json = nlohmann::json;

namespace {

Ran states(const std::string& arguments)
{
    return fathom::testing::run_fathom("states " + arguments);
}

Json json_of(const std::string& arguments)
{
    const Ran outcome = states(arguments + " --format json");
    INFO(outcome.said);
    REQUIRE(outcome.status == 0);
    return Json::parse(outcome.said);
}

// A block of the first section that is of a target.
Json block(const Json& report, const std::string& id)
{
    for (const Json& section : report.at("sections"))
        if (section.at("id").get<std::string>().starts_with("states_"))
            for (const Json& one : section.at("blocks"))
                if (one.value("id", "") == id) return one;
    FAIL("no block " << id);
    return {};
}

// Idle for 1 ms, busy for 20 ms; changes about every 50 samples.
Simulated made_up(std::size_t size, double every)
{
    HiddenMarkovModel model{SquareMatrix(2), {std::log(1e-3), std::log(2e-2)}, {0.2, 0.3}, {1, 0}};
    model.rates(0, 1) = model.rates(1, 0) = 0.02 / every;
    set_diagonal(model.rates);
    std::vector<double> times;
    for (std::size_t at = 0; at < size; ++at) times.push_back(every * static_cast<double>(at));
    return simulate(model, *Observations::of(times, std::vector<double>(size, 1)), model.initial, 42);
}

// As `fathom probe` writes it: two operations of a target, a row of an error, one that never came back.
std::string probe_csv(const Temporary& folder, std::size_t size)
{
    const std::string path = folder.path("probe.csv");
    std::ofstream csv(path);
    csv << "time_s,target,operation,size,latency_s,mode,error,set\n";
    const Simulated values = made_up(size, 60);
    for (std::size_t at = 0; at < size; ++at) {
        const double time = 1.79e9 + 60 * static_cast<double>(at);
        csv << fmt::format("{:.6f},/scratch,write,1048576,{:.9g},direct,,{}\n", time, values.values[at],
                           values.path[at] == 0 ? "quiet" : "loud");
        csv << fmt::format("{:.6f},/scratch,read,1048576,{:.9g},direct,,{}\n", time + 1,
                           values.values[at] / 2, values.path[at] == 0 ? "quiet" : "loud");
    }
    csv << "1790900000.5,/scratch,write,1048576,,direct,No space left on device,quiet\n";
    csv << "1790900060.5,/scratch,write,1048576,,direct,,quiet\n";
    csv << "1790900120.5,/scratch,write,1048576,nan,direct,,quiet\n";
    return path;
}

void write_csv(const std::string& path, const std::string& content)
{
    std::ofstream(path) << content;
}

}  // namespace

TEST_CASE("fathom states finds the model of the reference, in its units")
{
    const testing::Reference r = testing::reference("hmm-irregular");
    const Json report = json_of(testing::SmallSets::folder() + "/hmm-irregular.csv --true-state true_state");
    CHECK(report.at("values").at("states_1.log_likelihood").get<double>() >
          r.expected.at("log_likelihood").get<double>() - 0.5);
    CHECK(report.at("values").at("states_1.agreement").get<double>() >=
          r.expected.at("viterbi_agreement").get<double>() - 1e-9);
    const Json table = block(report, "states"), rates = block(report, "rates");
    const char* const names[] = {"idle", "transitional", "busy"};
    for (std::size_t from = 0; from < 3; ++from) {
        const Json& row = table.at("rows").at(from);
        CHECK(row.at("state") == names[from]);
        CHECK(row.at("mu").get<double>() ==
              Approx(r.expected.at("mu_sigma").at(2 * from).get<double>()).epsilon(0.01));
        CHECK(row.at("sigma").get<double>() ==
              Approx(r.expected.at("mu_sigma").at(2 * from + 1).get<double>()).epsilon(0.03));
        for (std::size_t to = 0; to < 3; ++to)  // the reference has them per minute
            CHECK(60 * rates.at("rows").at(from).at(names[to]).get<double>() ==
                  Approx(r.expected.at("q_rows").at(3 * from + to).get<double>()).epsilon(0.1));
    }
    const Json path = block(report, "path");
    REQUIRE(path.at("rows").size() == r.columns.at(0).size());
    std::size_t right = 0;
    for (std::size_t at = 0; at < path.at("rows").size(); ++at)
        right += path.at("rows").at(at).at("state").get<double>() == r.columns.at(2).at(at) ? 1 : 0;
    CHECK(static_cast<double>(right) / static_cast<double>(r.columns.at(0).size()) ==
          Approx(report.at("values").at("states_1.agreement").get<double>()));
}

TEST_CASE("fathom states takes each operation of a probe by itself, and counts what it leaves out")
{
    const Temporary folder;
    const std::string csv = probe_csv(folder, 2000);
    const Json report = json_of(csv + " --states 2 --true-state set");
    REQUIRE(report.at("sections").size() == 3);
    CHECK(report.at("sections").at(0).at("id") == "targets");
    CHECK(report.at("sections").at(1).at("title") == "/scratch, write");
    CHECK(report.at("sections").at(2).at("title") == "/scratch, read");
    CHECK(report.at("values").at("states_1.samples") == 2000);
    CHECK(report.at("values").at("states_1.agreement").get<double>() > 0.99);
    const Json rows = block(report, "states").at("rows");
    CHECK(rows.at(0).at("median").get<double>() == Approx(1e-3).epsilon(0.05));
    CHECK(rows.at(1).at("median").get<double>() == Approx(2e-2).epsilon(0.05));
    CHECK(rows.at(0).at("holding").get<double>() == Approx(3000).epsilon(0.4));
    // Quantiles of all five distributions, and the line on which they would be equal to those measured.
    CHECK(block(report, "waiting_1").at("series").size() == 6);
    const Json truth = block(report, "truth").at("rows");
    CHECK(truth.at(0).at("set") == "quiet");
    CHECK(truth.at(1).at("right").get<double>() > 0.98);

    const Ran text = states(csv + " --states 2 --operation write");
    CHECK(text.status == 0);
    CHECK_THAT(text.said, Contains("1 row of operations that failed left out") &&
                              Contains("2 rows without a latency above 0 left out") && Contains("busy") &&
                              Contains("exponential") && Contains("best"));
    CHECK_THAT(text.said, !Contains("/scratch, read") && !Contains("The likeliest path"));
}

TEST_CASE("fathom states says when it was busy")
{
    const Temporary folder;
    const std::string csv = folder.path("busy.csv");
    std::string rows = "time_s,latency_s\n";
    // A minute a sample from 12:00:00 on; busy from sample 40 to 59, and at 80.
    for (int at = 0; at < 120; ++at)
        rows += fmt::format("{},{}\n", 1'790'078'400 + 60 * at,
                            ((at >= 40 && at < 60) || at == 80 ? 1.0 : 0.001) * (1 + 0.1 * (at % 3)));
    write_csv(csv, rows);
    const std::string text = states(csv + " --states 2 --width 200").said;
    CHECK_THAT(text, Contains("Busy 17.6 % of the time, in 2 visits; the longest from 2026-09-22 12:40:00 to "
                              "12:59:00 UTC."));
}

TEST_CASE("fathom states finds no more states than can be separated")
{
    const Temporary folder;
    const std::string csv = folder.path("two.csv");
    const Simulated two = made_up(2000, 60);
    std::string rows = "time_s,latency_s\n", one = rows;
    for (std::size_t at = 0; at < two.values.size(); ++at) {
        rows += fmt::format("{},{:.9g}\n", 60 * at, two.values[at]);
        if (two.path[at] == 0) one += fmt::format("{},{:.9g}\n", 60 * at, two.values[at]);
    }
    write_csv(csv, rows);
    const Json report = json_of(csv);
    CHECK(block(report, "states").at("rows").size() == 2);
    const std::string text = states(csv + " --width 200").said;
    CHECK_THAT(text, Contains("3 states were asked for, and 2 are given") && !Contains("just one"));
    write_csv(csv, one);
    CHECK_THAT(states(csv + " --width 300").said, Contains("the storage may have had just one"));
}

TEST_CASE("fathom states compares what it simulates with what was held out")
{
    const Temporary folder;
    const std::string csv = probe_csv(folder, 3000);
    const Json by_time = json_of(csv + " --states 2 --operation write --train 25h");
    CHECK(by_time.at("values").at("states_1.samples") == 1500);
    CHECK(by_time.at("values").at("states_1.held_out_samples") == 1500);
    const double distance = by_time.at("values").at("states_1.held_out_distance").get<double>();
    CHECK(distance > 0);
    CHECK(distance < 0.3);
    CHECK(block(by_time, "held_out_quantiles").at("series").size() == 2);
    const Json by_share = json_of(csv + " --states 2 --operation write --train 50%");
    CHECK(by_share == by_time);
    CHECK(json_of(csv + " --states 2 --operation write --train 0.5 --seed 2") != by_time);
    CHECK_THAT(states(csv + " --train 100%").said, Contains("--train 100%: a part is above 0 and below 1"));
    CHECK(states(csv + " --train 100%").status == 2);
    CHECK(states(csv + " --train soon").status == 2);
    const Ran all = states(csv + " --states 2 --operation write --train 49h59min");
    CHECK(all.status != 0);
}

TEST_CASE("fathom states does not take the state to be known across a gap")
{
    const Temporary folder;
    const std::string csv = folder.path("gap.csv");
    std::ofstream out(csv);
    out << "t_min,latency_s\n";
    const Simulated values = made_up(1000, 1);
    for (std::size_t at = 0; at < 1000; ++at)
        out << (at < 600 ? at : at + 500) << ',' << values.values[at] << '\n';
    out.close();
    const Json report = json_of(csv + " --states 2");
    CHECK(report.at("values").at("states_1.gaps") == 1);
    CHECK(report.at("values").at("states_1.interval") == 60);
    CHECK(json_of(csv + " --states 2 --gap 10h").at("values").at("states_1.gaps") == 0);
    CHECK_THAT(states(csv + " --states 2 --width 200").said,
               Contains("nothing is taken to be known of the state"));
    CHECK_THAT(states(csv + " --states 2 --gap 1s").said, Contains("say a longer --gap"));
    CHECK_THAT(states(csv + " --states 2 --waiting labels").said, Contains("five distributions"));
}

TEST_CASE("fathom states takes rows in any order, and of equal times the first")
{
    const Temporary folder;
    std::string ordered = "when_ms,took_us\n", shuffled = ordered;
    const Simulated values = made_up(500, 1);
    for (std::size_t at = 0; at < 500; ++at)
        ordered += fmt::format("{},{:.9g}\n", at * 1000, values.values[at] * 1e6);
    for (std::size_t at = 500; at-- > 0;)
        shuffled += fmt::format("{},{:.9g}\n", at * 1000, values.values[at] * 1e6);
    shuffled += "5000,9999\n";
    write_csv(folder.path("ordered.csv"), ordered);
    write_csv(folder.path("shuffled.csv"), shuffled);
    const std::string options = " --states 2 --time when_ms --latency took_us";
    const Json one = json_of(folder.path("ordered.csv") + options),
               other = json_of(folder.path("shuffled.csv") + options);
    CHECK(block(one, "path") == block(other, "path"));
    CHECK(block(one, "states").at("rows").at(0).at("median").get<double>() == Approx(1e-3).epsilon(0.1));
    CHECK_THAT(
        states(folder.path("shuffled.csv") + options).said,
        Contains("1 row with the time of the row before left out") && Contains("not in the order of time"));
}

TEST_CASE("fathom states says what is wrong with a CSV, and what to do")
{
    const Temporary folder;
    const std::string csv = folder.path("some.csv");
    write_csv(csv, "time_s,latency_s\n1,0.1\n2,0.2\n3,0.1\n");
    CHECK(states(csv).status == 1);
    CHECK_THAT(states(csv).said, Contains("some.csv") &&
                                     Contains("3 samples with a latency are too few for 3 states") &&
                                     Contains("at least 30"));
    std::string equal = "time_s,latency_s\n";
    for (int at = 0; at < 100; ++at) equal += fmt::format("{},0.25\n", at);
    write_csv(csv, equal);
    CHECK(states(csv).status == 1);
    CHECK_THAT(states(csv).said, Contains("fewer than 3 different values"));
    write_csv(csv, "time_s,latency_s\n1,fast\n");
    CHECK(states(csv).status == 1);
    CHECK_THAT(states(csv).said, Contains("line 2") && Contains("latency_s"));
    write_csv(csv, "a,b\n1,2\n");
    CHECK_THAT(states(csv).said, Contains("time_s"));
    CHECK(states(csv).status == 1);
    CHECK(states(folder.path("none.csv")).status == 1);
    CHECK_THAT(states(probe_csv(folder, 300) + " --operation erase").said,
               Contains("no row of what was asked for"));
    CHECK(states(csv + " --states 1").status == 2);
    CHECK(states(csv + " --gap never").status == 2);
}

TEST_CASE("fathom states writes every form")
{
    const Temporary folder;
    const std::string csv = probe_csv(folder, 400);
    const std::string files = " -o " + folder.path("s.html") + " -o " + folder.path("s.pdf") + " -o " +
                              folder.path("s.json") + " -o " + folder.path("s.txt");
    const Ran outcome = states(csv + " --states 2 --operation read" + files);
    INFO(outcome.said);
    CHECK(outcome.status == 0);
    CHECK(outcome.said.empty());
    for (const char* const name : {"s.html", "s.pdf", "s.json", "s.txt"}) {
        std::ifstream file(folder.path(name));
        const std::string content(std::istreambuf_iterator<char>(file), {});
        INFO(name);
        CHECK(content.size() > 1000);
        if (name != std::string("s.pdf")) CHECK_THAT(content, Contains("Latency over time, by state"));
    }
}
