// Clusters of points in a plane by their density, and which points are in none.
//
// Source: METHODS section 17; Ester, Kriegel, Sander, Xu, "A Density-Based Algorithm for Discovering
// Clusters" (KDD 1996), which Yang et al. (NSDI 2019), appendix B, use on duration and volume of I/O phases.
// Cells of a grid in which all points are neighbours, as Gan and Tao have it ("DBSCAN Revisited", SIGMOD
// 2015), spare looking at all pairs. The labels are those of R's dbscan().
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

struct PlanePoint {
    double x = 0, y = 0;
};

struct DbscanChoice {
    double reach = 0.1;          // eps: points no further apart than this are neighbours
    std::size_t min_points = 5;  // a core point has so many neighbours, itself among them
};

struct Dbscan {
    std::vector<std::size_t> labels;  // of each point: its cluster, from 1 on; 0: in none
    std::vector<bool> core;           // of each point
    std::size_t clusters = 0;
};

// Clusters are numbered by their first core point. A point that is no core point and has core points of
// several clusters within reach is in the first of them. One that is not finite is in none, as are all where
// the reach is not above 0. Takes time n log n where a cell has few neighbours, memory n.
Dbscan dbscan(std::span<const PlanePoint> points, const DbscanChoice& choice = {});

// Finds the nearest of some points; a tree over them. Points that are not finite are left out.
class NearestPoint {
  public:
    // `groups`: one a point, to be passed over together; empty: all are of group 0.
    explicit NearestPoint(std::span<const PlanePoint> points, std::span<const std::size_t> groups = {});

    // Distance to the nearest one that is not of the group; infinite where there is none.
    double distance(const PlanePoint& from, std::size_t without_group = ~std::size_t{0}) const;

  private:
    struct Node {
        PlanePoint at;
        std::size_t group = 0;
    };
    void sort(std::size_t from, std::size_t to, bool by_x);
    void search(const PlanePoint& from, std::size_t without, std::size_t first, std::size_t last, bool by_x,
                double& best) const;
    std::vector<Node> nodes_;  // the middle one of each stretch divides it
};

}  // namespace fathom
