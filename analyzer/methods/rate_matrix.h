// A Markov process in continuous time: how it goes from state to state over any length of time.
//
// Source: METHODS section 7; Wan et al. (2017), section IV.A: P(t) = exp(Q t). Integrals by Van Loan,
// "Computing integrals involving the matrix exponential" (1978).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

// A square matrix, row by row.
struct SquareMatrix {
    std::size_t size = 0;
    std::vector<double> values = {};

    SquareMatrix() = default;
    explicit SquareMatrix(std::size_t n, double value = 0) : size(n), values(n * n, value) {}

    double& operator()(std::size_t row, std::size_t column) { return values[row * size + column]; }
    double operator()(std::size_t row, std::size_t column) const { return values[row * size + column]; }
    bool operator==(const SquareMatrix&) const = default;
};

// Below, Q is a matrix of rates: beside its diagonal how often per unit of time the process goes from the
// row's state to the column's (finite, 0 or more), and on the diagonal what makes the row's sum 0.

// Sets the diagonal so.
void set_diagonal(SquareMatrix& rates);

// exp(Q t): the shares of processes in the row's state that are in the column's a time t (0 or more) later.
// None is below 0, and each row's sum is 1.
SquareMatrix transitions(const SquareMatrix& rates, double time);

// The integral of exp(Q s)^T weights exp(Q (t - s))^T over s from 0 to t. With the weights w of pairs (state
// before, state after) divided by their entries of exp(Q t), its diagonal has the expected time in each
// state, and (i, j) times q_ij is the expected number of changes from i to j.
SquareMatrix time_between(const SquareMatrix& rates, const SquareMatrix& weights, double time);

// The share of its time that the process is in each state in the long run: Q's stationary distribution. Where
// not every state leads to every other, it is as if each did by a rate of 1e-15 of the fastest.
std::vector<double> stationary_shares(const SquareMatrix& rates);

// The mean time that the process stays in each state: -1 / q_ii, infinite where it never leaves.
std::vector<double> holding_times(const SquareMatrix& rates);

}  // namespace fathom
