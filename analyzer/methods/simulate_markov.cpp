// A state by exp(Q t) of the one before, then a value by its mean and deviation.
#include "analyzer/methods/simulate_markov.h"

#include <cmath>
#include <numbers>
#include <random>

namespace fathom {
namespace {

// The distributions of the standard library differ between libraries; its generator does not.
class Chance {
  public:
    explicit Chance(std::uint64_t seed) : bits_(seed) {}

    // Above 0 and below 1.
    double share() { return (static_cast<double>(bits_() >> 11) + 0.5) / 9007199254740992.0; }

    // Of mean 0 and deviation 1 (Box and Muller).
    double normal()
    {
        const double far = std::sqrt(-2 * std::log(share()));
        return far * std::cos(2 * std::numbers::pi * share());
    }

    // The number of one of the shares, whose sum is 1.
    std::size_t among(std::span<const double> shares)
    {
        double left = share();
        for (std::size_t at = 0; at + 1 < shares.size(); ++at) {
            left -= shares[at];
            if (left < 0) return at;
        }
        return shares.size() - 1;
    }

  private:
    std::mt19937_64 bits_;
};

}  // namespace

Simulated simulate(const HiddenMarkovModel& model, const Observations& like, std::span<const double> start,
                   std::uint64_t seed)
{
    Chance chance(seed);
    const std::size_t n = model.states();
    const std::vector<SquareMatrix> steps = transitions_of(model, like);
    const std::vector<double> stationary = stationary_shares(model.rates);
    Simulated result;
    std::size_t state = 0;
    for (std::size_t at = 0; at < like.size(); ++at) {
        const std::size_t step = like.step()[at];
        if (at == 0)
            state = chance.among(start);
        else if (step == Observations::begins)
            state = chance.among(stationary);
        else
            state = chance.among(std::span(steps[step].values).subspan(state * n, n));
        result.path.push_back(state);
        result.values.push_back(std::exp(model.mu[state] + model.sigma[state] * chance.normal()));
    }
    return result;
}

}  // namespace fathom
