// What the spools of a node come to: a row for each step of a job that runs there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analyzer/watch/node_row.h"

namespace fathom::running {

// One spool; `spool` is its folder.
struct SpoolRow {
    std::string spool;
    watch::NodeRow row;
};

// Remembers what spools had that have gone since, so that sums never become less while their job runs.
class Tally {
  public:
    // What a look at all spools found, at a time (ns). Gives a row for each user, job and step: one that has
    // ended stays for ten minutes, with no process.
    std::vector<watch::NodeRow> add(std::span<const SpoolRow> found, std::uint64_t time);

    // Spools whose last amounts may not be known yet.
    std::set<std::string> running() const;

    // Rows and spools beyond these are left out: the ones that ended first, then the last ones by name.
    static constexpr std::size_t most_rows = 256, most_spools = 4096;

  private:
    struct Known {
        watch::NodeRow row;
        watch::Amounts before;    // of the look before
        std::uint64_t ended = 0;  // 0: it runs
    };
    void make_room();

    std::map<std::string, Known> known_;
    std::uint64_t last_ = 0;
};

}  // namespace fathom::running
