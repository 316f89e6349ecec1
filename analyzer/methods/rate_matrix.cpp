// Matrix exponentials by Eigen.
#include "analyzer/methods/rate_matrix.h"

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

namespace fathom {
namespace {

// What each state goes to each other by at least, as a part of the fastest rate: then there is one stationary
// distribution whatever the rates.
constexpr double rare = 1e-15;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> as_eigen(const SquareMatrix& matrix)
{
    const auto n = static_cast<Eigen::Index>(matrix.size);
    return {matrix.values.data(), n, n};
}

SquareMatrix from_eigen(const Matrix& matrix)
{
    SquareMatrix result(static_cast<std::size_t>(matrix.rows()));
    Eigen::Map<Matrix>(result.values.data(), matrix.rows(), matrix.cols()) = matrix;
    return result;
}

// Rounding may leave -1e-17, and after many doublings sums that are not quite 1.
void make_shares(SquareMatrix& matrix)
{
    for (std::size_t row = 0; row < matrix.size; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < matrix.size; ++column)
            sum += matrix(row, column) = std::max(matrix(row, column), 0.0);
        for (std::size_t column = 0; column < matrix.size; ++column) matrix(row, column) /= sum;
    }
}

}  // namespace

void set_diagonal(SquareMatrix& rates)
{
    for (std::size_t row = 0; row < rates.size; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < rates.size; ++column)
            if (column != row) sum += rates(row, column);
        rates(row, row) = -sum;
    }
}

SquareMatrix transitions(const SquareMatrix& rates, double time)
{
    SquareMatrix shares = from_eigen((as_eigen(rates) * time).eval().exp());
    make_shares(shares);
    return shares;
}

SquareMatrix time_between(const SquareMatrix& rates, const SquareMatrix& weights, double time)
{
    const auto n = static_cast<Eigen::Index>(rates.size);
    Matrix block = Matrix::Zero(2 * n, 2 * n);
    block.topLeftCorner(n, n) = block.bottomRightCorner(n, n) = as_eigen(rates).transpose() * time;
    // Linear in the weights: scaled to the rates they do not cost the exponential extra doublings.
    const double largest = as_eigen(weights).cwiseAbs().maxCoeff();
    if (!(largest > 0)) return SquareMatrix(rates.size);
    block.topRightCorner(n, n) = as_eigen(weights) / largest;
    const Matrix whole = block.exp();
    return from_eigen(whole.topRightCorner(n, n) * (largest * time));
}

std::vector<double> stationary_shares(const SquareMatrix& rates)
{
    const std::size_t n = rates.size;
    const double fastest = n == 0 ? 0 : *std::max_element(rates.values.begin(), rates.values.end());
    // One state after the other is taken out, and its visits become changes between those that remain: this
    // subtracts nothing (Grassmann, Taksar and Heyman, 1985).
    SquareMatrix q = rates;
    for (double& rate : q.values) rate += fastest > 0 ? fastest * rare : 1;
    for (std::size_t out = n; out-- > 1;) {
        double leaving = 0;
        for (std::size_t to = 0; to < out; ++to) leaving += q(out, to);
        for (std::size_t from = 0; from < out; ++from) {
            q(from, out) /= leaving;
            for (std::size_t to = 0; to < out; ++to) q(from, to) += q(from, out) * q(out, to);
        }
    }
    std::vector<double> shares(n, 1);
    double sum = 1;
    for (std::size_t in = 1; in < n; ++in) {
        shares[in] = 0;
        for (std::size_t from = 0; from < in; ++from) shares[in] += shares[from] * q(from, in);
        sum += shares[in];
    }
    for (double& share : shares) share /= sum;
    return shares;
}

std::vector<double> holding_times(const SquareMatrix& rates)
{
    std::vector<double> times(rates.size);
    for (std::size_t state = 0; state < rates.size; ++state)
        times[state] =
            rates(state, state) < 0 ? -1 / rates(state, state) : std::numeric_limits<double>::infinity();
    return times;
}

}  // namespace fathom
