// What a measurement found, as a document like table 1 of Kunkel 2015, and whether its states were as asked.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/grid.h"
#include "analyzer/timing/measure/throughput.h"

namespace fathom::measure {

// Collects operations while they come; memory is that of the configurations, not of the operations.
class Summary {
  public:
    void add(const Configuration& one, double seconds);

    std::uint64_t operations() const { return operations_; }

    // A table for each state, operation and number of threads; a row for each pair of layouts.
    report::Section throughput_section() const;

    // A plot for each operation: mean durations over sizes, a colour a state; a line for the first layout in
    // memory, points for rnd. Of the first layout in the file, and the fewest threads.
    report::Section durations_section() const;

  private:
    using Group = std::tuple<State, Operation, unsigned>;              // a table
    using Place = std::tuple<Layout, Layout>;                          // a row: in memory, in the file
    using Rows = std::map<Place, std::map<std::uint64_t, Durations>>;  // by size

    report::Plot plot_of(Operation operation) const;
    static report::DataTable table_of(const Group& group, const Rows& rows);

    std::map<Group, Rows> groups_;
    std::uint64_t operations_ = 0;
};

// A row for each state, operation and way; which runs were not as asked, and why.
report::Section checks_section(std::span<const Check> checks);

// At most nine sizes to show: all, or those of the paper's table with the smallest and the largest, or, where
// there are few of these, some that are evenly spread. `sizes` ascend.
std::vector<std::uint64_t> sizes_to_show(std::span<const std::uint64_t> sizes);

}  // namespace fathom::measure
