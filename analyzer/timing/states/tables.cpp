// States, rates, waiting times, and the path, row by row.
#include <cmath>
#include <fmt/format.h>

#include "analyzer/timing/states/blocks.h"

namespace fathom {
namespace {

using namespace report;

std::size_t states_of(const StatesResult& result)
{
    return result.fit.model.states();
}

std::string id_of_state(std::size_t state, std::size_t states)
{
    return states <= 3 ? name_of_state(state, states) : fmt::format("state_{}", state + 1);
}

Cell finite_seconds(double time)
{
    return std::isfinite(time) ? seconds(time) : unknown(Measure::seconds);
}

}  // namespace

DataTable state_table(const StatesResult& result, bool whole)
{
    const std::size_t states = states_of(result);
    DataTable table{
        .id = "states",
        .title = "States",
        .columns = {{"state", "state", Measure::text},
                    {"median", "median", Measure::seconds},
                    {"sigma", "deviation of ln", Measure::number},
                    {"share", "share", Measure::share},
                    {"stationary", "in the long run", Measure::share},
                    {"holding", "mean stay", Measure::seconds},
                    {"visits", "visits", Measure::count},
                    {"samples", "samples", Measure::count}},
        .rows = {},
        .remark =
            "Median: of the latencies in the state. About two thirds of them are within a factor e^deviation "
            "of it; ln "
            "is the natural logarithm. Share, visits and samples are those of the likeliest path; in the "
            "long run and mean stay follow from the rates of change."};
    if (whole) {
        table.columns.push_back({"mu", "mean of ln", Measure::number});
        table.columns.push_back({"initial", "where a stretch begins", Measure::share});
    }
    const HiddenMarkovModel& model = result.fit.model;
    for (std::size_t state = 0; state < states; ++state) {
        std::size_t samples = 0;
        std::uint64_t visits = 0;
        for (std::size_t at = 0; at < result.path.size(); ++at) {
            if (result.path[at] != state) continue;
            ++samples;
            if (at == 0 || result.path[at - 1] != state) ++visits;
        }
        table.rows.push_back({text(name_of_state(state, states)), seconds(std::exp(model.mu[state])),
                              number(model.sigma[state]),
                              share(static_cast<double>(samples) / static_cast<double>(result.path.size())),
                              share(result.stationary[state]), finite_seconds(result.holding[state]),
                              count(visits), count(samples)});
        if (!whole) continue;
        table.rows.back().push_back(number(model.mu[state]));
        table.rows.back().push_back(share(model.initial[state]));
    }
    return table;
}

DataTable rate_table(const StatesResult& result)
{
    const std::size_t states = states_of(result);
    DataTable table{
        .id = "rates",
        .title = "Changes of state per second",
        .columns = {{"from", "from", Measure::text}},
        .rows = {},
        .remark =
            "How often a second the state of the row changes to that of the column; on the diagonal less "
            "the sum of the row, so that -1 / it is the mean stay."};
    for (std::size_t to = 0; to < states; ++to)
        table.columns.push_back(
            {id_of_state(to, states), "to " + name_of_state(to, states), Measure::number});
    for (std::size_t from = 0; from < states; ++from) {
        table.rows.push_back({text(name_of_state(from, states))});
        for (std::size_t to = 0; to < states; ++to)
            table.rows.back().push_back(number(result.fit.model.rates(from, to)));
    }
    return table;
}

DataTable waiting_table(const StatesResult& result)
{
    DataTable table{
        .id = "waiting_times",
        .title = "How long the states lasted: five distributions",
        .columns = {{"state", "state", Measure::text},
                    {"stays", "stays", Measure::count},
                    {"mean", "mean", Measure::seconds},
                    {"distribution", "distribution", Measure::text},
                    {"log_likelihood", "log-likelihood", Measure::number},
                    {"distance", "K-S", Measure::number},
                    {"best", "fit", Measure::text},
                    {"first", "first", Measure::number},
                    {"second", "second", Measure::number}},
        .rows = {},
        .remark =
            "Stays whose beginning and end were both seen, in seconds, fitted by maximum likelihood. Best: "
            "by Akaike's criterion (log-likelihood less the number of parameters). K-S distance: the "
            "greatest "
            "difference between the shares of stays that were at most so long and what the distribution "
            "says. Stays that fell between two samples were not seen. Where the exponential is best or close "
            "to it, changes come without memory, as the model "
            "takes them to."};
    table.remark += " Parameters:";
    for (const Family family : families) {
        const ParameterNames names = parameters_of(family);
        table.remark += fmt::format("{} {}: {}{}{}", family == families.front() ? "" : ";", name_of(family),
                                    names.first, names.second.empty() ? "" : ", ", names.second);
    }
    table.remark += ".";
    const std::size_t states = states_of(result);
    for (std::size_t state = 0; state < states; ++state) {
        const StateStays& one = result.stays[state];
        double sum = 0;
        for (const double stay : one.stays.whole) sum += stay;
        const std::uint64_t stays = one.stays.whole.size();
        const Cell mean = stays > 0 ? seconds(sum / static_cast<double>(stays)) : unknown(Measure::seconds);
        if (one.fits.empty()) {
            table.rows.push_back({text(name_of_state(state, states)), count(stays), mean,
                                  text("too few or too much alike"), unknown(Measure::number),
                                  unknown(Measure::number), unknown(), unknown(Measure::number),
                                  unknown(Measure::number)});
            continue;
        }
        for (std::size_t at = 0; at < one.fits.size(); ++at) {
            const FittedDistribution& fit = one.fits[at];
            const ParameterNames names = parameters_of(fit.distribution.family);
            table.rows.push_back(
                {text(name_of_state(state, states)), count(stays), mean,
                 text(name_of(fit.distribution.family)), number(fit.log_likelihood), number(fit.distance),
                 at == one.best ? text("best") : unknown(), number(fit.distribution.first),
                 names.second.empty() ? unknown(Measure::number) : number(fit.distribution.second)});
        }
    }
    return table;
}

DataTable truth_table(const StatesResult& result, const Truth& truth)
{
    const std::size_t states = states_of(result);
    DataTable table{
        .id = "truth",
        .title = "States found beside those that were set",
        .columns = {{"set", "set", Measure::text}},
        .rows = {},
        .remark = truth.agreement
                      ? "Samples. The states that were set are in the order of their median latencies, "
                        "and belong to those found in that order."
                      : "Samples. There are not as many states that were set as were looked for, so "
                        "that they are not matched."};
    for (std::size_t to = 0; to < states; ++to)
        table.columns.push_back(
            {id_of_state(to, states), "found " + name_of_state(to, states), Measure::count});
    if (truth.agreement) table.columns.push_back({"right", "right", Measure::share});
    for (std::size_t row = 0; row < truth.names.size(); ++row) {
        table.rows.push_back({text(truth.names[row])});
        std::uint64_t sum = 0;
        for (const std::uint64_t samples : truth.rows[row]) {
            table.rows.back().push_back(count(samples));
            sum += samples;
        }
        if (truth.agreement)
            table.rows.back().push_back(
                share_of(static_cast<double>(truth.rows[row][row]), static_cast<double>(sum)));
    }
    return table;
}

DataTable path_table(const StatesResult& result)
{
    DataTable table{
        .id = "path",
        .title = "The likeliest path",
        .columns = {{"time", "time", Measure::number},
                    {"latency", "latency", Measure::seconds},
                    {"state", "state", Measure::count}},
        .rows = {},
        .remark =
            "A row a sample: seconds as the CSV counts them, latency, and the state by its number from 1."};
    for (std::size_t at = 0; at < result.path.size(); ++at)
        table.rows.push_back(
            {number(result.times[at]), seconds(result.latencies[at]), count(result.path[at] + 1)});
    return table;
}

}  // namespace fathom
