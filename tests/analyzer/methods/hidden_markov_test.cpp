// Rates, likelihood, paths and fits: by closed forms, by looking at every path, by simulation, and by msm.
#include "analyzer/methods/hidden_markov.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "analyzer/methods/empirical.h"
#include "analyzer/methods/search_hidden_markov.h"
#include "analyzer/methods/simulate_markov.h"
#include "tests/analyzer/methods/no_numbers.h"
#include "tests/analyzer/methods/reference.h"
#include "tests/stopwatch.h"

using namespace fathom;
using fathom::testing::not_a_number;
using testing::LargerSets;
using testing::SmallSets;

namespace {

SquareMatrix rates_of(std::size_t n, std::vector<double> off_diagonal)
{
    SquareMatrix rates(n);
    std::size_t next = 0;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
            if (row != column) rates(row, column) = off_diagonal.at(next++);
    set_diagonal(rates);
    return rates;
}

// Of two states: rates a and b, of which all has a closed form.
constexpr double a = 0.3, b = 0.5;

SquareMatrix closed_form(double t)
{
    const double left = std::exp(-(a + b) * t);
    SquareMatrix p(2);
    p(0, 0) = (b + a * left) / (a + b);
    p(0, 1) = a * (1 - left) / (a + b);
    p(1, 0) = b * (1 - left) / (a + b);
    p(1, 1) = (a + b * left) / (a + b);
    return p;
}

HiddenMarkovModel two_states()
{
    return {rates_of(2, {a, b}), {-1, 0.5}, {0.6, 0.4}, {0.7, 0.3}};
}

double density(const HiddenMarkovModel& model, std::size_t state, double value)
{
    const double away = (std::log(value) - model.mu[state]) / model.sigma[state];
    return std::exp(-away * away / 2) / (value * model.sigma[state] * std::sqrt(2 * std::acos(-1)));
}

struct Small {
    std::vector<double> times{0, 0.5, 2, 2.5, 6}, values{0.3, 0.5, 1.4, 0.9, 2};
};

// The density of these samples along one path.
double along(const HiddenMarkovModel& model, const Small& samples, const std::vector<std::size_t>& path)
{
    double product = model.initial[path[0]] * density(model, path[0], samples.values[0]);
    for (std::size_t at = 1; at < path.size(); ++at)
        product *= closed_form(samples.times[at] - samples.times[at - 1])(path[at - 1], path[at]) *
                   density(model, path[at], samples.values[at]);
    return product;
}

std::vector<std::vector<std::size_t>> every_path(std::size_t length)
{
    std::vector<std::vector<std::size_t>> paths;
    for (std::size_t bits = 0; bits < (std::size_t{1} << length); ++bits) {
        paths.emplace_back();
        for (std::size_t at = 0; at < length; ++at) paths.back().push_back(bits >> at & 1);
    }
    return paths;
}

double agreement(const std::vector<std::size_t>& path, const std::vector<std::size_t>& states)
{
    std::size_t same = 0;
    for (std::size_t at = 0; at < path.size(); ++at) same += path[at] == states[at] ? 1 : 0;
    return static_cast<double>(same) / static_cast<double>(path.size());
}

}  // namespace

TEST_CASE("shares after any time are those of the closed form for two states")
{
    const SquareMatrix rates = rates_of(2, {a, b});
    for (const double t : {0., 1e-6, 0.1, 1., 30., 1e6}) {
        const SquareMatrix p = transitions(rates, t), expected = closed_form(t);
        for (std::size_t at = 0; at < 4; ++at)
            CHECK(p.values[at] == Approx(expected.values[at]).margin(1e-14));
        CHECK(p(0, 0) + p(0, 1) == Approx(1));
    }
    // By hand: from 0 to 1 at rate 2, and never back.
    const SquareMatrix one_way = transitions(rates_of(2, {2, 0}), 0.5);
    CHECK(one_way(0, 1) == Approx(1 - std::exp(-1)));
    CHECK(one_way(1, 1) == 1);
}

TEST_CASE("stationary shares balance what goes to and fro")
{
    const std::vector<double> two = stationary_shares(rates_of(2, {a, b}));
    CHECK(two[0] == Approx(b / (a + b)));
    const SquareMatrix rates = rates_of(4, {1, 2, 0, 0.1, 5, 1, 0, 3, 1e-9, 1, 1, 1});
    const std::vector<double> four = stationary_shares(rates);
    CHECK(std::accumulate(four.begin(), four.end(), 0.0) == Approx(1));
    for (std::size_t to = 0; to < 4; ++to) {
        double flow = 0;
        for (std::size_t from = 0; from < 4; ++from) flow += four[from] * rates(from, to);
        CHECK(flow == Approx(0).margin(1e-12));
    }
    CHECK(stationary_shares(rates_of(2, {1, 0}))[1] == Approx(1));
    CHECK(stationary_shares(rates_of(3, {0, 0, 0, 0, 0, 0}))[2] == Approx(1. / 3));
    CHECK(stationary_shares(SquareMatrix(1)) == std::vector<double>{1});
    CHECK(stationary_shares(SquareMatrix()).empty());
}

TEST_CASE("a state is held for the inverse of the rate at which it is left")
{
    const std::vector<double> times = holding_times(rates_of(3, {1, 3, 0.1, 0.1, 0, 0}));
    CHECK(times[0] == 0.25);
    CHECK(times[1] == 5);
    CHECK(std::isinf(times[2]));
}

TEST_CASE("expected times between two samples are the integral that defines them")
{
    const SquareMatrix rates = rates_of(2, {a, b});
    SquareMatrix weights(2);
    weights(0, 1) = 2;
    weights(1, 1) = 0.5;
    const double t = 3;
    const SquareMatrix found = time_between(rates, weights, t);
    // Simpson's rule over the closed form.
    constexpr int pieces = 2000;
    SquareMatrix sum(2);
    for (int piece = 0; piece <= pieces; ++piece) {
        const double s = t * piece / pieces;
        const double factor = (piece == 0 || piece == pieces ? 1 : piece % 2 == 1 ? 4 : 2) * t / pieces / 3;
        const SquareMatrix before = closed_form(s), after = closed_form(t - s);
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j)
                for (std::size_t from = 0; from < 2; ++from)
                    for (std::size_t to = 0; to < 2; ++to)
                        sum(i, j) += factor * before(from, i) * weights(from, to) * after(j, to);
    }
    for (std::size_t at = 0; at < 4; ++at) CHECK(found.values[at] == Approx(sum.values[at]).epsilon(1e-9));
    CHECK(time_between(rates, SquareMatrix(2), t) == SquareMatrix(2));
}

TEST_CASE("the likelihood is the sum over every path, and the likeliest of them is found")
{
    const HiddenMarkovModel model = two_states();
    const Small samples;
    const auto seen = Observations::of(samples.times, samples.values);
    REQUIRE(seen);
    double sum = 0, most = 0;
    std::vector<double> in_second(5);
    std::vector<std::size_t> likeliest;
    for (const auto& path : every_path(5)) {
        const double one = along(model, samples, path);
        sum += one;
        for (std::size_t at = 0; at < 5; ++at)
            if (path[at] == 1) in_second[at] += one;
        if (one > most) {
            most = one;
            likeliest = path;
        }
    }
    CHECK(log_likelihood(model, *seen) == Approx(std::log(sum)).epsilon(1e-12));
    const Smoothed smoothed = smooth(model, *seen);
    CHECK(smoothed.log_likelihood == Approx(std::log(sum)).epsilon(1e-12));
    for (std::size_t at = 0; at < 5; ++at) CHECK(smoothed.share[2 * at + 1] == Approx(in_second[at] / sum));
    CHECK(smoothed.at_end[1] == Approx(in_second[4] / sum));
    CHECK(likeliest_path(model, *seen) == likeliest);
}

TEST_CASE("stretches are independent of each other")
{
    const HiddenMarkovModel model = two_states();
    const Small samples;
    const std::vector<std::size_t> stretches{3};
    const auto both = Observations::of(samples.times, samples.values, stretches);
    const std::span<const double> times = samples.times, values = samples.values;
    const auto first = Observations::of(times.first(3), values.first(3));
    const auto second = Observations::of(times.subspan(3), values.subspan(3));
    CHECK(log_likelihood(model, *both) ==
          Approx(log_likelihood(model, *first) + log_likelihood(model, *second)));
    std::vector<std::size_t> path = likeliest_path(model, *first);
    for (const std::size_t state : likeliest_path(model, *second)) path.push_back(state);
    CHECK(likeliest_path(model, *both) == path);
}

TEST_CASE("one step of the fit is the expectation over every path")
{
    const HiddenMarkovModel model = two_states();
    const Small samples;
    const auto seen = Observations::of(samples.times, samples.values);
    // Along each path, between each two samples: time in the first state and changes from it, by Simpson.
    double sum = 0, in_first = 0, from_first = 0, weight = 0, of_logs = 0, of_squares = 0;
    for (const auto& path : every_path(5)) {
        const double one = along(model, samples, path);
        sum += one;
        for (std::size_t at = 0; at < 5; ++at)
            if (path[at] == 0) {
                weight += one;
                of_logs += one * std::log(samples.values[at]);
                of_squares += one * std::pow(std::log(samples.values[at]), 2);
            }
        for (std::size_t at = 1; at < 5; ++at) {
            const double t = samples.times[at] - samples.times[at - 1];
            const double all = closed_form(t)(path[at - 1], path[at]);
            constexpr int pieces = 400;
            for (int piece = 0; piece <= pieces; ++piece) {
                const double s = t * piece / pieces;
                const double factor = one / all *
                                      (piece == 0 || piece == pieces ? 1
                                       : piece % 2 == 1              ? 4
                                                                     : 2) *
                                      t / pieces / 3;
                const double before = closed_form(s)(path[at - 1], 0);
                in_first += factor * before * closed_form(t - s)(0, path[at]);
                from_first += factor * before * a * closed_form(t - s)(1, path[at]);
            }
        }
    }
    FitChoice once;
    once.most_steps = 1;
    const Fit fit = fit_from(model, *seen, once);
    CHECK(fit.steps == 1);
    CHECK(fit.model.rates(0, 1) == Approx(from_first / in_first).epsilon(1e-8));
    CHECK(fit.model.rates(0, 0) == -fit.model.rates(0, 1));
    CHECK(fit.model.mu[0] == Approx(of_logs / weight));
    CHECK(fit.model.sigma[0] == Approx(std::sqrt(of_squares / weight - std::pow(of_logs / weight, 2))));
    CHECK(fit.smoothed.log_likelihood > std::log(sum));
}

TEST_CASE("lengths of time of a real clock are few, and their sum stays")
{
    std::mt19937_64 random(5);
    std::normal_distribution<double> jitter(0.2, 0.002);
    std::vector<double> times{0}, values{1};
    for (int one = 0; one < 20000; ++one) {
        times.push_back(times.back() + std::max(jitter(random), 0.01));
        values.push_back(1);
    }
    const auto seen = Observations::of(times, values);
    CHECK(seen->lengths().size() < 40);
    double sum = 0;
    for (const std::size_t step : seen->step())
        if (step != Observations::begins) sum += seen->lengths()[step];
    CHECK(sum == Approx(times.back()).epsilon(1e-9));
    const auto regular =
        Observations::of(std::vector<double>{0, 1, 2, 4, 5}, std::vector<double>{1, 1, 1, 1, 1});
    CHECK(regular->lengths() == std::vector<double>{1, 2});
}

TEST_CASE("what is no measurement over time is none")
{
    const std::vector<double> two{1, 2};
    CHECK_FALSE(Observations::of({}, {}));
    CHECK_FALSE(Observations::of(std::vector<double>{0}, two));
    CHECK_FALSE(Observations::of(std::vector<double>{0, 0}, two));
    CHECK_FALSE(Observations::of(std::vector<double>{1, 0}, two));
    CHECK_FALSE(Observations::of(std::vector<double>{0, not_a_number}, two));
    CHECK_FALSE(Observations::of(std::vector<double>{0, 1}, std::vector<double>{1, 0}));
    CHECK_FALSE(Observations::of(std::vector<double>{0, 1}, std::vector<double>{1, -1}));
    CHECK_FALSE(Observations::of(std::vector<double>{0, 1}, std::vector<double>{1, not_a_number}));
    CHECK_FALSE(Observations::of(std::vector<double>{0, 1}, two, std::vector<std::size_t>{2}));
}

TEST_CASE("what cannot be separated into states has no fit")
{
    const auto one = Observations::of(std::vector<double>{0}, std::vector<double>{1});
    CHECK_FALSE(fit_hidden_markov(*one, 1));
    CHECK(log_likelihood(two_states(), *one) < 0);
    CHECK(likeliest_path(two_states(), *one).size() == 1);
    const auto equal = Observations::of(std::vector<double>{0, 1, 2, 3}, std::vector<double>{2, 2, 2, 2});
    CHECK_FALSE(fit_hidden_markov(*equal, 2));
    CHECK_FALSE(fit_hidden_markov(*equal, 0));
    const auto single = fit_hidden_markov(*equal, 1);
    REQUIRE(single);
    CHECK(single->model.mu[0] == Approx(std::log(2)));
    CHECK(single->model.sigma[0] == FitChoice{}.least_sigma);
    CHECK(std::isfinite(single->smoothed.log_likelihood));
}

TEST_CASE("the fit stays finite where a state has few samples, equal samples or none")
{
    std::vector<double> times, values;
    for (int at = 0; at < 300; ++at) {
        times.push_back(at);
        values.push_back(at == 150 ? 1e6 : at % 50 < 25 ? 1 : 2);
    }
    const auto seen = Observations::of(times, values);
    for (std::size_t states = 1; states <= 3; ++states) {
        const auto fit = fit_hidden_markov(*seen, states);
        REQUIRE(fit);
        CHECK(std::isfinite(fit->smoothed.log_likelihood));
        for (const double rate : fit->model.rates.values) CHECK(std::isfinite(rate));
        for (const double sigma : fit->model.sigma) CHECK(sigma >= FitChoice{}.least_sigma);
    }
    CHECK(fit_hidden_markov(*seen, 3)->model.mu[2] == Approx(std::log(1e6)));
    CHECK_FALSE(fit_hidden_markov(*seen, 4));
    // A state far from all samples keeps its place, and what it cannot tell is not made up.
    HiddenMarkovModel far{rates_of(2, {1, 1}), {0, 500}, {1, 0.1}, {0.5, 0.5}};
    const Fit fit = fit_from(far, *seen);
    CHECK(std::isfinite(fit.smoothed.log_likelihood));
    for (const double rate : fit.model.rates.values) CHECK(std::isfinite(rate));
}

TEST_CASE("simulated values are those of the model, and equal for equal seeds")
{
    const HiddenMarkovModel model = two_states();
    std::vector<double> times;
    for (int at = 0; at < 40000; ++at) times.push_back(at * 4.0);
    const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
    const Simulated first = simulate(model, *like, model.initial, 9),
                    again = simulate(model, *like, model.initial, 9);
    CHECK(first.values == again.values);
    CHECK(first.path == again.path);
    CHECK(first.values != simulate(model, *like, model.initial, 10).values);
    double in_first = 0, logs = 0;
    for (std::size_t at = 0; at < times.size(); ++at)
        if (first.path[at] == 0) {
            ++in_first;
            logs += std::log(first.values[at]);
        }
    CHECK(in_first / 40000 == Approx(b / (a + b)).margin(0.01));
    CHECK(logs / in_first == Approx(-1).margin(0.015));
    const std::vector<double> second_only{0, 1};
    const auto short_like = Observations::of(std::vector<double>{0, 4}, std::vector<double>{1, 1});
    for (std::uint64_t seed = 0; seed < 30; ++seed)
        CHECK(simulate(model, *short_like, second_only, seed).path[0] == 1);
}

TEST_CASE("a model of 2, 3 or 4 states comes back from what it made up")
{
    const double mus[] = {-6, -5, -4, -2.8}, sigmas[] = {0.2, 0.15, 0.25, 0.2};
    for (std::size_t states = 2; states <= 4; ++states) {
        HiddenMarkovModel model{SquareMatrix(states), {}, {}, std::vector<double>(states)};
        for (std::size_t from = 0; from < states; ++from) {
            model.mu.push_back(mus[from]);
            model.sigma.push_back(sigmas[from]);
            for (std::size_t to = 0; to < states; ++to)
                model.rates(from, to) = 0.02 + 0.01 * static_cast<double>(from);
        }
        set_diagonal(model.rates);
        model.initial[0] = 1;
        // Irregular instants, as if of a clock: no two lengths are equal.
        std::mt19937_64 random(states);
        std::exponential_distribution<double> length(1);
        std::vector<double> times{0};
        for (int at = 1; at < 16000; ++at) times.push_back(times.back() + 0.2 + length(random));
        const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
        const Simulated made_up = simulate(model, *like, model.initial, 100 + states);
        const auto seen = Observations::of(times, made_up.values);
        const auto fit = fit_hidden_markov(*seen, states);
        INFO(states << " states");
        REQUIRE(fit);
        CHECK(fit->settled);
        CHECK(fit->smoothed.log_likelihood >= log_likelihood(model, *seen));
        for (std::size_t from = 0; from < states; ++from) {
            CHECK(fit->model.mu[from] == Approx(model.mu[from]).margin(0.03));
            CHECK(fit->model.sigma[from] == Approx(model.sigma[from]).epsilon(0.1));
            CHECK(fit->model.rates(from, from) == Approx(model.rates(from, from)).epsilon(0.25));
        }
        CHECK(agreement(likeliest_path(fit->model, *seen), made_up.path) > 0.97);
        CHECK(distance_between(made_up.values, simulate(fit->model, *seen, fit->model.initial, 1).values) <
              0.06);
    }
}

TEST_CASE("two narrow states beside a wide one are separated")
{
    // As a throttled device has them: the density of all is too smooth to show the two.
    HiddenMarkovModel model{rates_of(3, {0.05, 0.05, 0.05, 0.05, 0.05, 0.05}),
                            {-6, std::log(0.13), std::log(0.25)},
                            {1.2, 0.02, 0.02},
                            {1, 0, 0}};
    std::vector<double> times;
    for (int at = 0; at < 1500; ++at) times.push_back(at * 0.4);
    const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
    const Simulated made_up = simulate(model, *like, model.initial, 5);
    const auto seen = Observations::of(times, made_up.values);
    const auto fit = fit_hidden_markov(*seen, 3);
    REQUIRE(fit);
    CHECK(fit->smoothed.log_likelihood >= log_likelihood(model, *seen));
    CHECK(agreement(likeliest_path(fit->model, *seen), made_up.path) > 0.99);
}

TEST_CASE(
    "three narrow states in the tail of a wide one, which equal parts of the values do not show, are found")
{
    HiddenMarkovModel model{
        rates_of(4, {0.02, 0.02, 0.02, 0.2, 0.002, 0.002, 0.2, 0.002, 0.002, 0.2, 0.002, 0.002}),
        {0, 3, 3.2, 3.4},
        {1, 0.02, 0.02, 0.02},
        {1, 0, 0, 0}};
    std::vector<double> times;
    for (int at = 0; at < 1500; ++at) times.push_back(at * 0.4);
    const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
    const auto seen = Observations::of(times, simulate(model, *like, model.initial, 5).values);
    const auto fit = fit_hidden_markov(*seen, 4);
    REQUIRE(fit);
    CHECK(fit->smoothed.log_likelihood >= log_likelihood(model, *seen));
}

TEST_CASE("a million samples have a model in good time, whatever their instants", "[million]")
{
    HiddenMarkovModel model = two_states();
    model.rates = rates_of(2, {0.01, 0.02});
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> length(0.9, 1.1);
    std::vector<double> times{0};
    for (int at = 1; at < 1'000'000; ++at) times.push_back(times.back() + length(random));
    const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
    const Simulated made_up = simulate(model, *like, model.initial, 1);
    const auto seen = Observations::of(times, made_up.values);
    std::optional<Fit> fit;
    CHECK(testing::seconds_of([&] { fit = fit_hidden_markov(*seen, 2); }) < testing::good_time);
    REQUIRE(fit);
    CHECK(fit->model.rates(0, 1) == Approx(0.01).epsilon(0.1));
    CHECK(fit->model.rates(1, 0) == Approx(0.02).epsilon(0.1));
    CHECK(fit->model.mu[1] == Approx(0.5).margin(0.01));
}

TEST_CASE("pieces of samples are stretches of their own, evenly spread")
{
    std::vector<double> times, values;
    for (int at = 0; at < 100; ++at) {
        times.push_back(at);
        values.push_back(std::exp(at));
    }
    const Observations pieces = Observations::of(times, values)->pieces(3, 10);
    REQUIRE(pieces.size() == 30);
    for (const std::size_t piece : {0, 1, 2}) {
        CHECK(pieces.step()[10 * piece] == Observations::begins);
        CHECK(pieces.step()[10 * piece + 1] != Observations::begins);
        CHECK(pieces.log_values()[10 * piece] == Approx(45. * static_cast<double>(piece)).margin(1e-9));
    }
    CHECK(Observations::of(times, values)->pieces(10, 10).size() == 100);
}

TEMPLATE_TEST_CASE("models are as likely as those of msm, and paths as often right", "", SmallSets,
                   LargerSets)
{
    for (const std::string name : {"hmm-regular", "hmm-irregular"}) {
        const std::optional<testing::Reference> r = testing::reference<TestType>(name);
        if (!r) return;
        INFO(name);
        const auto seen = Observations::of(r->columns.at(0), r->columns.at(1));
        REQUIRE(seen);
        FitChoice choice;
        choice.first_state = 0;
        const auto fit = fit_hidden_markov(*seen, 3, choice);
        REQUIRE(fit);
        CHECK(fit->settled);
        CHECK(fit->smoothed.log_likelihood > r->expected.at("log_likelihood").get<double>() - 0.01);
        for (std::size_t state = 0; state < 3; ++state) {
            CHECK(fit->model.mu[state] ==
                  Approx(r->expected.at("mu_sigma").at(2 * state).get<double>()).epsilon(0.001));
            CHECK(fit->model.sigma[state] ==
                  Approx(r->expected.at("mu_sigma").at(2 * state + 1).get<double>()).epsilon(0.003));
        }
        for (std::size_t at = 0; at < 9; ++at)
            CHECK(fit->model.rates.values[at] ==
                  Approx(r->expected.at("q_rows").at(at).get<double>()).epsilon(0.03));
        std::vector<std::size_t> truth;
        for (const double state : r->columns.at(2)) truth.push_back(static_cast<std::size_t>(state) - 1);
        CHECK(agreement(likeliest_path(fit->model, *seen), truth) >=
              r->expected.at("viterbi_agreement").get<double>() - 1e-9);
    }
}

TEST_CASE("the steps of a search count those that compared where to start")
{
    const HiddenMarkovModel model = two_states();
    std::vector<double> times;
    for (int at = 0; at < 400; ++at) times.push_back(at);
    const auto like = Observations::of(times, std::vector<double>(times.size(), 1));
    const auto seen = Observations::of(times, simulate(model, *like, model.initial, 4).values);
    FitChoice no_more;
    no_more.most_steps = 0;
    CHECK(fit_from(two_states(), *seen, no_more).steps == 0);
    CHECK(fit_hidden_markov(*seen, 1, no_more)->steps > 0);
    CHECK(fit_hidden_markov(*seen, 2, no_more)->steps > 0);
}
