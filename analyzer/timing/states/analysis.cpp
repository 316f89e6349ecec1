// The steps in their order: stretches, cuts, model, path, stays, truth, held-out samples.
#include "analyzer/timing/states/analysis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <stdexcept>

#include "analyzer/document/units.h"

namespace fathom {
namespace {

// So many samples a state are needed to say anything of its changes.
constexpr std::size_t least_samples_of_state = 10;
constexpr std::size_t least_stays = 5;  // to fit a distribution to
// A probe that was away for so many of its usual intervals may have missed whole states.
constexpr double intervals_of_gap = 30;
constexpr std::size_t least_held_out = 10;

using report::format_count;
using report::format_seconds;

double median_of(std::vector<double> values)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return quantile_of_sorted(values, 0.5);
}

std::vector<double> lengths_of(std::span<const double> times)
{
    std::vector<double> lengths;
    for (std::size_t at = 1; at < times.size(); ++at) lengths.push_back(times[at] - times[at - 1]);
    return lengths;
}

std::vector<std::size_t> stretches_of(std::span<const double> times, double gap)
{
    std::vector<std::size_t> begins;
    for (std::size_t at = 1; at < times.size(); ++at)
        if (times[at] - times[at - 1] > gap) begins.push_back(at);
    return begins;
}

// How many samples the model is made of.
std::size_t trained(const SampleGroup& group, const StatesChoice& choice)
{
    const std::vector<double>& times = group.times;
    if (choice.train_seconds > 0)
        return static_cast<std::size_t>(
            std::lower_bound(times.begin(), times.end(), times.front() + choice.train_seconds) -
            times.begin());
    return static_cast<std::size_t>(std::llround(choice.train_share * static_cast<double>(times.size())));
}

bool held_out_is_asked(const StatesChoice& choice)
{
    return choice.train_seconds > 0 || choice.train_share < 1;
}

StateStays describe(Stays stays)
{
    StateStays result{.stays = std::move(stays), .fits = {}};
    if (result.stays.whole.size() < least_stays) return result;
    for (const Family family : families)
        if (const auto fit = fitted(family, result.stays.whole)) result.fits.push_back(*fit);
    for (std::size_t at = 1; at < result.fits.size(); ++at)
        if (result.fits[at].akaike() < result.fits[result.best].akaike()) result.best = at;
    return result;
}

Truth compare_with_truth(const SampleGroup& group, const StatesResult& result)
{
    std::map<std::string, std::vector<double>> latencies;
    for (std::size_t at = 0; at < result.path.size(); ++at)
        latencies[group.truths[at]].push_back(group.latencies[at]);
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [name, values] : latencies) order.emplace_back(median_of(values), name);
    std::sort(order.begin(), order.end());

    const std::size_t states = result.stationary.size();
    Truth truth;
    std::map<std::string, std::size_t> row_of;
    for (const auto& [median, name] : order) {
        row_of[name] = truth.names.size();
        truth.names.push_back(name);
    }
    truth.rows.assign(order.size(), std::vector<std::uint64_t>(states));
    std::uint64_t same = 0;
    for (std::size_t at = 0; at < result.path.size(); ++at) {
        const std::size_t row = row_of[group.truths[at]];
        ++truth.rows[row][result.path[at]];
        if (row == result.path[at]) ++same;
    }
    if (order.size() == states)
        truth.agreement = static_cast<double>(same) / static_cast<double>(result.path.size());
    return truth;
}

// Whether the means of two neighbours are no further apart than the standard deviation that they have in
// common.
bool has_alike_states(const HiddenMarkovModel& model)
{
    for (std::size_t state = 0; state + 1 < model.states(); ++state) {
        const double a = model.sigma[state], b = model.sigma[state + 1];
        if (std::fabs(model.mu[state + 1] - model.mu[state]) <= std::sqrt((a * a + b * b) / 2)) return true;
    }
    return false;
}

// Schwarz 1978: the less, the better.
double bayes_criterion(const Fit& fit, std::size_t samples)
{
    const auto states = static_cast<double>(fit.model.states());
    const double parameters = states * (states - 1) + 2 * states + states - 1;
    return parameters * std::log(static_cast<double>(samples)) - 2 * fit.smoothed.log_likelihood;
}

// From the model of as many states as were asked for on, as long as one state less says as much.
std::optional<Fit> fit_states_that_differ(const Observations& seen, std::size_t states, bool& alike)
{
    auto fit = fit_hidden_markov(seen, states);
    const auto one_less_will_do = [&](const std::optional<Fit>& fewer) {
        return fewer && (has_alike_states(fit->model) ||
                         bayes_criterion(*fewer, seen.size()) <= bayes_criterion(*fit, seen.size()));
    };
    for (; fit && states > 2; --states) {
        auto fewer = fit_hidden_markov(seen, states - 1);
        if (!one_less_will_do(fewer)) return fit;
        fit = std::move(fewer);
    }
    if (fit)
        alike =
            one_less_will_do(fit_from(model_of_labels(std::vector<std::size_t>(seen.size()), 1, seen), seen));
    return fit;
}

std::string too_few(std::size_t samples, std::size_t states)
{
    return fmt::format(
        "{} with a latency {} too few for {} states: at least {} are needed; probe for longer, or "
        "ask for fewer --states",
        report::counted(samples, "sample", "samples"), samples == 1 ? "is" : "are", states,
        states * least_samples_of_state);
}

}  // namespace

std::string name_of_state(std::size_t state, std::size_t states)
{
    if (states == 2) return state == 0 ? "idle" : "busy";
    constexpr const char* of_three[] = {"idle", "transitional", "busy"};
    return states == std::size(of_three) ? of_three[state] : fmt::format("state {}", state + 1);
}

StatesResult find_states(const SampleGroup& group, const StatesChoice& choice)
{
    const std::size_t all = group.times.size();
    std::size_t states = choice.states;
    if (all < states * least_samples_of_state) throw std::invalid_argument(too_few(all, states));
    const std::size_t size = trained(group, choice);
    if (size < states * least_samples_of_state)
        throw std::invalid_argument("the part named by --train: " + too_few(size, states));
    if (held_out_is_asked(choice) && all < size + least_held_out)
        throw std::invalid_argument(
            fmt::format("--train leaves {} of {} to compare with: name a shorter part",
                        report::counted(all - size, "sample", "samples"), format_count(all)));

    const std::span<const double> times = group.times, latencies = group.latencies;
    StatesResult result;
    result.times.assign(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(size));
    result.latencies.assign(latencies.begin(), latencies.begin() + static_cast<std::ptrdiff_t>(size));
    const std::vector<double> lengths = lengths_of(result.times);
    result.interval = median_of(lengths);
    result.gap = choice.gap > 0 ? choice.gap : intervals_of_gap * result.interval;
    result.stretches = stretches_of(result.times, result.gap);
    if (!result.stretches.empty()) result.longest_gap = *std::max_element(lengths.begin(), lengths.end());

    const auto seen = Observations::of(result.times, result.latencies, result.stretches);
    auto fit = seen ? fit_states_that_differ(*seen, states, result.alike) : std::nullopt;
    result.asked_for = states;
    if (fit) states = fit->model.states();
    const auto cuts = seen ? start_splits(seen->log_values(), states) : std::nullopt;
    if (!cuts || !fit)
        throw std::invalid_argument(
            seen && seen->lengths().empty()
                ? std::string("no two samples are close enough in time: say a longer --gap")
                : fmt::format("the latencies have fewer than {} different values: ask for fewer --states",
                              states));
    result.cuts = *cuts;
    result.fit = std::move(*fit);
    result.stationary = stationary_shares(result.fit.model.rates);
    result.holding = holding_times(result.fit.model.rates);
    result.path = likeliest_path(result.fit.model, *seen);

    std::vector<std::size_t> labels;
    for (const double value : seen->log_values()) labels.push_back(result.cuts.of(value));
    const auto& waiting = choice.waiting_from == WaitingFrom::path ? result.path : labels;
    auto all_stays = stays_of(result.times, waiting, states, result.stretches);
    for (Stays& stays : all_stays.value()) result.stays.push_back(describe(std::move(stays)));
    if (!group.truths.empty()) result.truth = compare_with_truth(group, result);
    if (held_out_is_asked(choice)) {
        const std::span<const double> later = times.subspan(size);
        result.held_out = compare_held_out(result.fit, times[size - 1], later, latencies.subspan(size),
                                           stretches_of(later, result.gap), choice.seed);
    }
    return result;
}

BusyTime busy_time_of(const StatesResult& result)
{
    const std::size_t busy = result.fit.model.states() - 1, size = result.path.size();
    BusyTime all;
    double time = 0, busy_time = 0, longest = -1;
    std::size_t first = 0;  // of the visit
    const auto is_busy = [&](std::size_t at) { return result.path[at] == busy; };
    for (std::size_t at = 0; at < size; ++at) {
        const bool begins =
            at == 0 || std::binary_search(result.stretches.begin(), result.stretches.end(), at);
        if (!begins) {
            const double length = result.times[at] - result.times[at - 1];
            time += length;
            busy_time += length * (is_busy(at) + is_busy(at - 1)) / 2;
        }
        if (!is_busy(at)) continue;
        if (begins || !is_busy(at - 1)) first = at, ++all.visits;
        if (result.times[at] - result.times[first] <= longest) continue;
        longest = result.times[at] - result.times[first];
        all.longest_from = result.times[first];
        all.longest_to = result.times[at];
    }
    all.share = time > 0 ? busy_time / time : 0;
    return all;
}

}  // namespace fathom
