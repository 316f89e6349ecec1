// The states of one target: which there are, when it was in each, and how long.
//
// Source: METHODS section 7, with analyzer/methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/methods/distributions.h"
#include "analyzer/methods/search_hidden_markov.h"
#include "analyzer/methods/start_labels.h"
#include "analyzer/methods/waiting_times.h"
#include "analyzer/timing/states/held_out.h"
#include "analyzer/timing/states/samples.h"

namespace fathom {

// Where the times between changes of state are taken from: the likeliest path, or the cuts between latencies.
enum class WaitingFrom : std::uint8_t { path, labels };

struct StatesChoice {
    std::size_t states = 3;
    std::uint64_t seed = 1;
    double train_seconds = 0;  // the model is of the first so many seconds; 0: of all, or a share
    double train_share = 1;    // of the samples
    double gap = 0;            // seconds without a sample that break the chain; 0: by the usual interval
    WaitingFrom waiting_from = WaitingFrom::path;
};

// What one state's stays look like.
struct StateStays {
    Stays stays;
    std::vector<FittedDistribution> fits;  // of families; none of few stays
    std::size_t best = 0;                  // of fits: the least by Akaike's criterion
};

// Found states beside those that were given.
struct Truth {
    std::vector<std::string> names;                // by median latency
    std::vector<std::vector<std::uint64_t>> rows;  // of each name: samples in each found state
    std::optional<double> agreement;               // where there are as many names as states
};

struct StatesResult {
    std::vector<double> times, latencies;  // of the samples that the model is of
    std::vector<std::size_t> stretches;    // where one begins behind a gap
    double gap = 0, interval = 0;          // seconds: what counts as a gap; median between samples
    double longest_gap = 0;                // 0: none
    StartSplits cuts;                      // of the natural logarithm
    std::size_t asked_for = 0;             // states; there are fewer where some could not be distinguished
    bool alike = false;                    // nor can the two that are left
    Fit fit;
    std::vector<double> stationary, holding;
    std::vector<std::size_t> path;
    std::vector<StateStays> stays;
    std::optional<Truth> truth;
    std::optional<HeldOut> held_out;
};

// How long the storage was in its slowest state, by the likeliest path: a change lies in the middle between
// two samples.
struct BusyTime {
    double share = 0;  // of the time between samples, gaps left out
    std::size_t visits = 0;
    double longest_from = 0, longest_to = 0;  // first and last sample of the longest visit
};
BusyTime busy_time_of(const StatesResult& result);

// "idle", "transitional" and "busy" of three states, the first and last of two, else "state 1" and so on.
std::string name_of_state(std::size_t state, std::size_t states);

// Throws std::invalid_argument with a sentence where the samples are too few or all alike.
StatesResult find_states(const SampleGroup& group, const StatesChoice& choice);

}  // namespace fathom
