// Cells first: which points are core points, which cells with core points belong together, then the rest.
#include "analyzer/methods/dbscan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "analyzer/methods/not_finite.h"

namespace fathom {
namespace {

double square_between(const PlanePoint& a, const PlanePoint& b)
{
    const double x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y;
}

struct PlaneBox {
    double left = infinity, right = -infinity, low = infinity, high = -infinity;

    void add(const PlanePoint& point)
    {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        low = std::min(low, point.y);
        high = std::max(high, point.y);
    }
    bool wide() const { return right - left >= high - low; }
};

PlaneBox box_of(std::span<const PlanePoint> points)
{
    PlaneBox box;
    for (const PlanePoint& point : points) box.add(point);
    return box;
}

// Whether any of one is within reach of any of the other: halves that cannot be, or all are, end the search.
bool any_within(std::span<PlanePoint> one, std::span<PlanePoint> other, double reach)
{
    const PlaneBox a = box_of(one), b = box_of(other);
    const auto squared = [](double x, double y) { return x * x + y * y; };
    const double near = squared(std::max({0.0, a.left - b.right, b.left - a.right}),
                                std::max({0.0, a.low - b.high, b.low - a.high}));
    if (near > reach * reach) return false;
    const double far =
        squared(std::max(a.right - b.left, b.right - a.left), std::max(a.high - b.low, b.high - a.low));
    if (far <= reach * reach) return true;
    constexpr std::size_t few = 64;
    if (one.size() * other.size() <= few) {
        for (const PlanePoint& from : one)
            for (const PlanePoint& to : other)
                if (square_between(from, to) <= reach * reach) return true;
        return false;
    }
    if (one.size() < other.size()) std::swap(one, other);
    const bool by_x = box_of(one).wide();
    const auto middle = one.begin() + static_cast<std::ptrdiff_t>(one.size() / 2);
    std::nth_element(one.begin(), middle, one.end(),
                     [&](const PlanePoint& p, const PlanePoint& q) { return by_x ? p.x < q.x : p.y < q.y; });
    return any_within(one.first(one.size() / 2), other, reach) ||
           any_within(one.subspan(one.size() / 2), other, reach);
}

// A cell's points are all within reach of each other.
struct GridCell {
    double x = 0, y = 0;                // its place in the grid
    std::size_t from = 0, to = 0;       // its points, in `order`
    std::vector<PlanePoint> core = {};  // those of them that are core points
};

class PointGrid {
  public:
    PointGrid(std::span<const PlanePoint> points, double reach) : points_(points), reach_(reach)
    {
        // Less than reach / sqrt(2) by more than rounding may add to a distance.
        const double side = reach / std::sqrt(2.0) * (1 - 1e-9);
        struct Placed {
            double x, y;
            std::size_t point;
        };
        std::vector<Placed> all;
        for (std::size_t at = 0; at < points.size(); ++at)
            if (std::isfinite(points[at].x) && std::isfinite(points[at].y))
                all.push_back({std::floor(points[at].x / side), std::floor(points[at].y / side), at});
        std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
            return std::tie(a.x, a.y, a.point) < std::tie(b.x, b.y, b.point);
        });
        for (const Placed& one : all) {
            if (cells.empty() || cells.back().x != one.x || cells.back().y != one.y)
                cells.push_back({one.x, one.y, order.size(), order.size()});
            order.push_back(one.point);
            ++cells.back().to;
        }
    }

    // Calls visit(number of the cell) for those whose points may be within reach of this cell's, without it.
    template <class Visit>
    void each_near(std::size_t cell, Visit visit) const
    {
        for (double x = -2; x <= 2; ++x) {
            const auto less = [](const GridCell& a, const std::array<double, 2>& b) {
                return std::tie(a.x, a.y) < std::tie(b[0], b[1]);
            };
            auto at = std::lower_bound(cells.begin(), cells.end(),
                                       std::array{cells[cell].x + x, cells[cell].y - 2}, less);
            for (; at != cells.end() && at->x == cells[cell].x + x && at->y <= cells[cell].y + 2; ++at)
                if (const auto number = static_cast<std::size_t>(at - cells.begin()); number != cell)
                    visit(number);
        }
    }
    bool within(std::size_t one, std::size_t other) const
    {
        return square_between(points_[one], points_[other]) <= reach_ * reach_;
    }

    std::vector<GridCell> cells;     // by place
    std::vector<std::size_t> order;  // of points, cell by cell

  private:
    std::span<const PlanePoint> points_;
    double reach_;
};

std::size_t root_of(std::vector<std::size_t>& parents, std::size_t at)
{
    while (parents[at] != at) at = parents[at] = parents[parents[at]];
    return at;
}

void find_core(const PointGrid& grid, std::size_t cell, std::size_t least, std::vector<bool>& core)
{
    const GridCell& own = grid.cells[cell];
    for (std::size_t at = own.from; at < own.to; ++at) {
        std::size_t near = own.to - own.from;
        if (near < least)
            grid.each_near(cell, [&](std::size_t other) {
                for (std::size_t to = grid.cells[other].from; to < grid.cells[other].to && near < least; ++to)
                    near += grid.within(grid.order[at], grid.order[to]);
            });
        core[grid.order[at]] = near >= least;
    }
}

}  // namespace

Dbscan dbscan(std::span<const PlanePoint> points, const DbscanChoice& choice)
{
    Dbscan found;
    found.labels.assign(points.size(), 0);
    found.core.assign(points.size(), false);
    if (!(choice.reach > 0) || !std::isfinite(choice.reach)) return found;
    PointGrid grid(points, choice.reach);
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell)
        find_core(grid, cell, choice.min_points, found.core);
    for (GridCell& cell : grid.cells)
        for (std::size_t at = cell.from; at < cell.to; ++at)
            if (found.core[grid.order[at]]) cell.core.push_back(points[grid.order[at]]);

    std::vector<std::size_t> parents(grid.cells.size());
    std::iota(parents.begin(), parents.end(), std::size_t{0});
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell) {
        if (grid.cells[cell].core.empty()) continue;
        grid.each_near(cell, [&](std::size_t other) {
            if (other < cell || grid.cells[other].core.empty()) return;
            const std::size_t one = root_of(parents, cell), two = root_of(parents, other);
            if (one != two && any_within(grid.cells[cell].core, grid.cells[other].core, choice.reach))
                parents[two] = one;
        });
    }

    std::vector<std::size_t> cell_of(points.size(), grid.cells.size()), label_of(grid.cells.size(), 0);
    for (std::size_t cell = 0; cell < grid.cells.size(); ++cell)
        for (std::size_t at = grid.cells[cell].from; at < grid.cells[cell].to; ++at)
            cell_of[grid.order[at]] = cell;
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (!found.core[at]) continue;
        std::size_t& label = label_of[root_of(parents, cell_of[at])];
        if (label == 0) label = ++found.clusters;
        found.labels[at] = label;
    }
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (found.core[at] || cell_of[at] == grid.cells.size()) continue;
        std::size_t best = 0;
        const auto look_at = [&](std::size_t cell) {
            if (grid.cells[cell].core.empty()) return;
            const std::size_t label = label_of[root_of(parents, cell)];
            if (best != 0 && label >= best) return;
            for (const PlanePoint& core : grid.cells[cell].core)
                if (square_between(points[at], core) <= choice.reach * choice.reach) {
                    best = label;
                    return;
                }
        };
        look_at(cell_of[at]);
        grid.each_near(cell_of[at], look_at);
        found.labels[at] = best;
    }
    return found;
}

NearestPoint::NearestPoint(std::span<const PlanePoint> points, std::span<const std::size_t> groups)
{
    for (std::size_t at = 0; at < points.size(); ++at)
        if (std::isfinite(points[at].x) && std::isfinite(points[at].y))
            nodes_.push_back({points[at], groups.empty() ? 0 : groups[at]});
    sort(0, nodes_.size(), true);
}

void NearestPoint::sort(std::size_t from, std::size_t to, bool by_x)
{
    if (to - from < 2) return;
    const std::size_t middle = from + (to - from) / 2;
    const auto begin = nodes_.begin();
    std::nth_element(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(middle),
                     begin + static_cast<std::ptrdiff_t>(to),
                     [&](const Node& a, const Node& b) { return by_x ? a.at.x < b.at.x : a.at.y < b.at.y; });
    sort(from, middle, !by_x);
    sort(middle + 1, to, !by_x);
}

void NearestPoint::search(const PlanePoint& from, std::size_t without, std::size_t first, std::size_t last,
                          bool by_x, double& best) const
{
    if (first >= last) return;
    const std::size_t middle = first + (last - first) / 2;
    const Node& node = nodes_[middle];
    if (node.group != without) best = std::min(best, square_between(from, node.at));
    const double ahead = by_x ? from.x - node.at.x : from.y - node.at.y;
    const bool left_first = ahead < 0;
    if (left_first)
        search(from, without, first, middle, !by_x, best);
    else
        search(from, without, middle + 1, last, !by_x, best);
    if (ahead * ahead > best) return;
    if (left_first)
        search(from, without, middle + 1, last, !by_x, best);
    else
        search(from, without, first, middle, !by_x, best);
}

double NearestPoint::distance(const PlanePoint& from, std::size_t without_group) const
{
    double best = infinity;
    search(from, without_group, 0, nodes_.size(), true, best);
    return std::sqrt(best);
}

}  // namespace fathom
