// Normal equations, solved coordinate by coordinate.
#include "analyzer/methods/server_rates.h"

#include <Eigen/Dense>
#include <algorithm>
#include <random>

namespace fathom {
namespace {

double bytes_of(const FileOnServers& file)
{
    double sum = 0;
    for (const FileOnServers::Part& part : file.parts) sum += part.bytes;
    return sum;
}

struct NormalEquations {
    Eigen::MatrixXd left;
    Eigen::VectorXd right;

    explicit NormalEquations(std::size_t servers)
        : left(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(servers), static_cast<Eigen::Index>(servers))),
          right(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(servers)))
    {}
    void add(const FileOnServers& file)
    {
        const double bytes = bytes_of(file);
        if (bytes <= 0) return;
        for (const FileOnServers::Part& one : file.parts) {
            const auto row = static_cast<Eigen::Index>(one.server);
            right(row) += one.bytes * file.time / bytes;
            for (const FileOnServers::Part& other : file.parts)
                left(row, static_cast<Eigen::Index>(other.server)) += one.bytes * other.bytes / bytes;
        }
    }
    // No component below 0. A little is added to the diagonal, for servers that are never seen apart.
    Eigen::VectorXd solved() const
    {
        constexpr int most_sweeps = 500;
        constexpr double ridge = 1e-6, close_enough = 1e-9;
        Eigen::VectorXd rates = Eigen::VectorXd::Zero(right.size());
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            double moved = 0;
            for (Eigen::Index at = 0; at < rates.size(); ++at) {
                const double own = left(at, at) * (1 + ridge);
                if (own <= 0) continue;
                const double rest = left.row(at).dot(rates) - left(at, at) * rates(at);
                const double rate = std::max((right(at) - rest) / own, 0.0);
                moved = std::max(moved, std::abs(rate - rates(at)));
                rates(at) = rate;
            }
            if (moved <= close_enough * rates.maxCoeff()) break;
        }
        return rates;
    }
};

double at_part(std::vector<double>& sorted, double part)
{
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

std::vector<ServerRate> server_rates(std::span<const FileOnServers> files, std::size_t servers)
{
    constexpr std::size_t drawings = 100;
    constexpr double low = 0.025, high = 0.975;
    std::vector<ServerRate> rates(servers);
    NormalEquations all(servers);
    for (const FileOnServers& file : files) {
        all.add(file);
        for (const FileOnServers::Part& part : file.parts) {
            rates[part.server].bytes += part.bytes;
            rates[part.server].files += part.bytes > 0;
        }
    }
    if (servers == 0 || files.empty()) return rates;
    const Eigen::VectorXd found = all.solved();
    std::mt19937_64 bits(1);
    std::vector<std::vector<double>> drawn(servers);
    for (std::size_t drawing = 0; drawing < drawings; ++drawing) {
        NormalEquations some(servers);
        for (std::size_t at = 0; at < files.size(); ++at) some.add(files[bits() % files.size()]);
        const Eigen::VectorXd of_these = some.solved();
        for (std::size_t at = 0; at < servers; ++at)
            drawn[at].push_back(of_these(static_cast<Eigen::Index>(at)));
    }
    for (std::size_t at = 0; at < servers; ++at) {
        std::sort(drawn[at].begin(), drawn[at].end());
        rates[at].ns_per_byte = found(static_cast<Eigen::Index>(at));
        rates[at].low = at_part(drawn[at], low);
        rates[at].high = at_part(drawn[at], high);
    }
    return rates;
}

}  // namespace fathom
