// Where the level of a series of values changes for good, and whether it rises or falls all along.
//
// Source: METHODS section 17. The largest standardized difference of the mean ranks before and after a point
// (Pettitt 1979), its chance by permutation (Good, "Permutation Tests"), several
// changes by splitting at the surest one first (Vostrikova 1981). Trend: Theil 1950 and Sen 1968, with the
// test of Mann 1945 and Kendall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fathom {

struct ChangePoint {
    std::size_t at = 0;            // the first value of the new level
    double before = 0, after = 0;  // medians of the level that ends here and of the one that begins
    // Of a difference this large somewhere in the values of both levels, and those beside them, had they
    // come in any other order; no less than one in the drawings.
    double chance = 1;
};

struct ChangePointChoice {
    double chance = 0.005;        // what is likelier is no change
    std::size_t shortest = 3;     // fewest values of a level
    std::size_t fewest = 8;       // values that tell anything
    std::size_t drawings = 9999;  // permutations; fewer of more than 4,000 values
};

// In ascending order. Values count by their rank, so that single ones far away decide nothing. They are taken
// to be independent of each other within a level, and all of them must be finite. None of values that are all
// the same. The same values have the same changes.
std::vector<ChangePoint> change_points_of(std::span<const double> values,
                                          const ChangePointChoice& choice = {});

// The same for many series of the same values in other orders: ranks once, and the difference that has the
// chance. change_statistic(ranks in their order) > change_threshold(ranks) says that there is a change.
std::vector<double> change_ranks(std::span<const double> values);  // empty where they are all the same
double change_threshold(const std::vector<double>& ranks, const ChangePointChoice& choice = {});
struct ChangeStatistic {
    double largest = 0;
    std::size_t at = 0;
};
ChangeStatistic change_statistic(std::span<const double> ranks, const ChangePointChoice& choice = {});

struct Trend {
    double slope = 0;   // median of the slopes between all pairs of values
    double chance = 1;  // of a rise or fall this even by chance, two-sided
};

// `x` ascend, a value each. Nothing of fewer than three values or where all x are the same. Takes time n^2;
// of more than 2,000 values as many are taken, at even distances.
std::optional<Trend> trend_of(std::span<const double> x, std::span<const double> y);

// Random numbers that are the same everywhere.
class Drawings {
  public:
    explicit Drawings(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next()  // splitmix64 (Steele, Lea, Flood 2014)
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
    template <class Values>
    void shuffle(Values& values)
    {
        for (std::size_t left = values.size(); left > 1; --left)
            std::swap(values[left - 1], values[below(left)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace fathom
