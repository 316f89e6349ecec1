// Clusters by density beside R's, and beside the definition on all pairs.
#include "analyzer/methods/dbscan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/analyzer/methods/reference.h"
#include "tests/stopwatch.h"

using namespace fathom;
using namespace fathom::testing;

namespace {

// As Ester et al. have it, point by point.
Dbscan by_all_pairs(const std::vector<PlanePoint>& points, const DbscanChoice& choice)
{
    Dbscan found;
    found.labels.assign(points.size(), 0);
    found.core.assign(points.size(), false);
    const auto near = [&](std::size_t at) {
        std::vector<std::size_t> all;
        for (std::size_t to = 0; to < points.size(); ++to) {
            const double x = points[at].x - points[to].x, y = points[at].y - points[to].y;
            if (x * x + y * y <= choice.reach * choice.reach) all.push_back(to);
        }
        return all;
    };
    for (std::size_t at = 0; at < points.size(); ++at) found.core[at] = near(at).size() >= choice.min_points;
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (!found.core[at] || found.labels[at] != 0) continue;
        std::vector<std::size_t> todo{at};
        found.labels[at] = ++found.clusters;
        while (!todo.empty()) {
            const std::size_t from = todo.back();
            todo.pop_back();
            if (!found.core[from]) continue;
            for (const std::size_t to : near(from)) {
                if (found.labels[to] != 0) continue;
                found.labels[to] = found.clusters;
                todo.push_back(to);
            }
        }
    }
    return found;
}

}  // namespace

TEST_CASE("clusters of phases are those of R's dbscan")
{
    const auto all = reference<LargerSets>("dbscan-phases");
    if (!all) return;
    std::vector<PlanePoint> points;
    for (std::size_t at = 0; at < all->columns[0].size(); ++at)
        points.push_back({all->columns[0][at] / all->expected["scale"][0].get<double>(),
                          all->columns[1][at] / all->expected["scale"][1].get<double>()});
    const Dbscan found = dbscan(points, {all->expected["eps"], all->expected["min_pts"]});
    CHECK(found.labels == all->expected["labels"].get<std::vector<std::size_t>>());
    CHECK(found.clusters == 2);
}

TEST_CASE("clusters by a grid are those of all pairs")
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 60; ++round) {
        // Blobs, a line, noise; in some rounds all on a coarse lattice, so that distances equal the reach.
        std::normal_distribution<double> normal;
        std::uniform_real_distribution<double> uniform(0, 3);
        std::vector<PlanePoint> points;
        for (int at = 0; at < 60; ++at)
            points.push_back({1 + 0.1 * (1 + round % 5) * normal(random), 1 + 0.1 * normal(random)});
        for (int at = 0; at < 40; ++at) points.push_back({2 + 0.05 * normal(random), 0.04 * at});
        for (int at = 0; at < 60; ++at) points.push_back({uniform(random), uniform(random)});
        std::shuffle(points.begin(), points.end(), random);
        DbscanChoice choice{0.05 + 0.02 * (round % 7), 3 + static_cast<std::size_t>(round % 4)};
        if (round % 3 == 0) {
            for (PlanePoint& point : points)
                point = {std::round(point.x * 8) / 8, std::round(point.y * 8) / 8};
            choice.reach = 0.125 * (1 + round % 2);
        }
        const Dbscan expected = by_all_pairs(points, choice), found = dbscan(points, choice);
        CAPTURE(round, choice.reach, choice.min_points);
        CHECK(found.labels == expected.labels);
        CHECK(found.core == expected.core);
        CHECK(found.clusters == expected.clusters);
    }
}

TEST_CASE("no points, points that are the same and points that are no numbers have clusters or none")
{
    CHECK(dbscan({}).clusters == 0);
    const std::vector<PlanePoint> same(5, {1, 1});
    CHECK(dbscan(same).labels == std::vector<std::size_t>(5, 1));
    CHECK(dbscan(same, {0.1, 6}).labels == std::vector<std::size_t>(5, 0));
    CHECK(dbscan(same, {0, 2}).clusters == 0);
    std::vector<PlanePoint> odd(same);
    odd.insert(odd.begin(), {std::numeric_limits<double>::quiet_NaN(), 1});
    odd.push_back({std::numeric_limits<double>::infinity(), 1});
    odd.push_back({1e300, -1e300});
    CHECK(dbscan(odd).labels == std::vector<std::size_t>{0, 1, 1, 1, 1, 1, 0, 0});
}

TEST_CASE("a hundred thousand phases are clustered without looking at all pairs")
{
    // What makes all pairs costly: most points in a few dense heaps, two of them nearly within reach.
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<PlanePoint> points;
    for (int at = 0; at < 40000; ++at)
        points.push_back({1 + 0.01 * normal(random), 1 + 0.01 * normal(random)});
    for (int at = 0; at < 30000; ++at) points.push_back({3 + 0.3 * normal(random), 3 + 0.3 * normal(random)});
    for (int at = 0; at < 10000; ++at) points.push_back({5 + 0.01 * uniform(random), uniform(random)});
    for (int at = 0; at < 10000; ++at) points.push_back({5.1101 + 0.01 * uniform(random), uniform(random)});
    for (int at = 0; at < 10000; ++at) points.push_back({20 * uniform(random), 6 + 20 * uniform(random)});
    Dbscan found;
    CHECK(seconds_of([&] { found = dbscan(points); }) < 2);  // with sanitizers, too
    CHECK(found.labels[0] == 1);
    CHECK(found.labels[75000] != found.labels[85000]);
    CHECK(found.clusters >= 4);
}

TEST_CASE("the nearest point is that of all pairs, with a group left out")
{
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<PlanePoint> points;
    std::vector<std::size_t> groups;
    for (std::size_t at = 0; at < 300; ++at) {
        points.push_back({uniform(random), std::round(uniform(random) * 9) / 9});
        groups.push_back(at % 7);
    }
    const NearestPoint nearest(points, groups);
    for (int round = 0; round < 200; ++round) {
        const PlanePoint from{uniform(random) * 1.2, uniform(random) * 1.2};
        const std::size_t without = static_cast<std::size_t>(round % 8);
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t at = 0; at < points.size(); ++at)
            if (groups[at] != without)
                best = std::min(best, std::hypot(points[at].x - from.x, points[at].y - from.y));
        CHECK(nearest.distance(from, without) == Approx(best));
    }
    CHECK(std::isinf(NearestPoint({}).distance({0, 0})));
}
