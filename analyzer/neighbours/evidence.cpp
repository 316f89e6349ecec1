// Pairs of jobs that ran side by side before, and how far off both models are in them.
#include "analyzer/neighbours/evidence.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/methods/quartiles.h"

namespace fathom::neighbours {
namespace {

constexpr std::size_t most_pairs = 8, tried_runs = 8, with_model = 2;
// The model is of two jobs; where more ran, some third one was active, and to look at all of them takes long.
constexpr std::size_t most_beside = 20;
// Models that differ by less in both jobs say the same.
constexpr double says_the_same = 0.05;

double median_of(std::span<const PairErrors> pairs, double PairErrors::*error)
{
    std::vector<double> values;
    for (const PairErrors& pair : pairs) values.push_back(pair.*error);
    const auto numbers = five_numbers_of(std::move(values));
    return numbers ? numbers->median : 0;
}

}  // namespace

bool tells(const ModelledPair& model, PairErrors& errors)
{
    if (model.lack != ModelledPair::Lack::nothing) return false;
    errors = {};
    bool differ = false;
    for (std::size_t at = 0; at < 2; ++at) {
        const double one = std::abs(relative_error(model.predicted[at], model.observed[at])),
                     other = std::abs(relative_error(model.by_nodes[at], model.observed[at]));
        if (!std::isfinite(one) || !std::isfinite(other)) return false;
        differ = differ || std::abs(relative_error(model.by_nodes[at], model.predicted[at])) > says_the_same;
        errors.processes = std::max(errors.processes, one);
        errors.nodes = std::max(errors.nodes, other);
    }
    return differ;
}

Evidence evidence_of(std::span<const PairErrors> pairs)
{
    return {pairs.size(), median_of(pairs, &PairErrors::processes), median_of(pairs, &PairErrors::nodes)};
}

Evidence find_evidence(jobs::Database& database, std::span<const RunningJob> like)
{
    std::vector<PairErrors> pairs;
    std::set<std::pair<Number, Number>> seen;
    for (const RunningJob& job : like) {
        if (job.places.empty()) continue;
        std::vector<Number> runs = runs_alike(database, job, tried_runs);
        runs.insert(runs.begin(), job.id);
        for (const Number run : runs) {
            if (pairs.size() == most_pairs) break;
            const RunningJob one_run = job_of(database, run);
            if (ids_between(database, one_run.start, one_run.end, run).size() > most_beside) continue;
            const Beside beside = look_beside(database, run, with_model);
            for (const Neighbour& one : beside.neighbours) {
                PairErrors errors;
                Sources sources;
                sources.add(job.places[0]);
                sources.add(one.place);
                if (!one.model || !tells(*one.model, errors) ||
                    compare(one.place, job.places[0], sources.is_one_at(one.place)) != Sameness::same ||
                    !seen.insert(std::minmax(run, one.job.id)).second)
                    continue;
                pairs.push_back(errors);
            }
        }
    }
    return evidence_of(pairs);
}

}  // namespace fathom::neighbours
