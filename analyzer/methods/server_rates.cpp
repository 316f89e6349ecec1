// Normal equations, solved coordinate by coordinate.
#include "analyzer/methods/server_rates.h"

#include <Eigen/Dense>
#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace fathom {
namespace {

double bytes_of(const FileOnServers& file)
{
    double sum = 0;
    for (const FileOnServers::Part& part : file.parts) sum += part.bytes;
    return sum;
}

struct NormalEquations {
    Eigen::MatrixXd left;  // symmetric: columns are read, which lie in one piece
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
                const double rest = left.col(at).dot(rates) - left(at, at) * rates(at);
                const double rate = std::max((right(at) - rest) / own, 0.0);
                moved = std::max(moved, std::abs(rate - rates(at)));
                rates(at) = rate;
            }
            if (moved <= close_enough * rates.maxCoeff()) break;
        }
        return rates;
    }
};

// Servers of which every file has as many bytes as of one another: nothing separates them, and they have one
// rate. Gives the group of each server.
std::vector<std::size_t> groups_of(std::span<const FileOnServers> files, std::size_t servers)
{
    std::vector<std::vector<std::pair<std::size_t, double>>> columns(servers);
    for (std::size_t at = 0; at < files.size(); ++at)
        for (const FileOnServers::Part& part : files[at].parts)
            columns[part.server].emplace_back(at, part.bytes);
    std::map<std::vector<std::pair<std::size_t, double>>, std::size_t> numbers;
    std::vector<std::size_t> groups;
    for (auto& column : columns)
        groups.push_back(numbers.try_emplace(std::move(column), numbers.size()).first->second);
    return groups;
}

std::vector<FileOnServers> on_groups(std::span<const FileOnServers> files,
                                     std::span<const std::size_t> groups)
{
    std::vector<FileOnServers> grouped;
    for (const FileOnServers& file : files) {
        std::map<std::size_t, double> bytes;
        for (const FileOnServers::Part& part : file.parts) bytes[groups[part.server]] += part.bytes;
        FileOnServers& one = grouped.emplace_back(FileOnServers{file.time, {}});
        for (const auto& [group, sum] : bytes) one.parts.push_back({group, sum});
    }
    return grouped;
}

double at_part(const std::vector<double>& sorted, double part)
{
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

std::vector<ServerRate> server_rates(std::span<const FileOnServers> files, std::size_t servers, Bounds bounds)
{
    const std::size_t drawings = bounds == Bounds::none ? 0 : 100;
    constexpr double low = 0.025, high = 0.975;
    std::vector<ServerRate> rates(servers);
    for (const FileOnServers& file : files)
        for (const FileOnServers::Part& part : file.parts) {
            rates[part.server].bytes += part.bytes;
            rates[part.server].files += part.bytes > 0;
        }
    if (servers == 0 || files.empty() || bounds == Bounds::no_rates) return rates;
    const std::vector<std::size_t> group = groups_of(files, servers);
    const std::vector<FileOnServers> grouped = on_groups(files, group);
    const std::size_t groups = 1 + *std::max_element(group.begin(), group.end());
    NormalEquations all(groups);
    for (const FileOnServers& file : grouped) all.add(file);
    const Eigen::VectorXd found = all.solved();
    std::mt19937_64 bits(1);
    std::vector<std::vector<double>> drawn(groups);
    for (std::size_t drawing = 0; drawing < drawings; ++drawing) {
        NormalEquations some(groups);
        for (std::size_t at = 0; at < grouped.size(); ++at) some.add(grouped[bits() % grouped.size()]);
        const Eigen::VectorXd of_these = some.solved();
        for (std::size_t at = 0; at < groups; ++at)
            drawn[at].push_back(of_these(static_cast<Eigen::Index>(at)));
    }
    for (auto& of_group : drawn) std::sort(of_group.begin(), of_group.end());
    for (std::size_t at = 0; at < servers; ++at) {
        rates[at].ns_per_byte = found(static_cast<Eigen::Index>(group[at]));
        rates[at].low = drawings == 0 ? rates[at].ns_per_byte : at_part(drawn[group[at]], low);
        rates[at].high = drawings == 0 ? rates[at].ns_per_byte : at_part(drawn[group[at]], high);
    }
    return rates;
}

}  // namespace fathom
