// All that a scan knows of what it has seen: sums by each of the breakdowns, and what it could not see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/scan/count/breakdowns.h"
#include "analyzer/scan/count/links.h"
#include "analyzer/scan/count/sums.h"
#include "analyzer/scan/walk/walk.h"

namespace fathom::scan {

// How often each kind of trouble was met, and the first ones by their paths.
struct Troubles {
    static constexpr std::size_t most_named = 10;
    std::uint64_t unreadable_folders = 0, unreadable_entries = 0, vanished = 0, other_mounts = 0;
    std::uint64_t touched_folders =
        0;  // read by others than their owner: their access times may have changed
    std::map<std::string, int> unreadable, mounts;  // of folders and entries, errno; of other mounts, 0

    void add(const Trouble& trouble);
    void merge(const Troubles& other);
    bool is_whole() const { return unreadable_folders == 0 && unreadable_entries == 0; }
};

using Tallies = std::map<std::string, Tally, std::less<>>;

struct Counts {
    std::array<Tallies, breakdown_count> tallies;
    Troubles troubles;

    const Tallies& by(By by) const { return tallies[static_cast<std::size_t>(by)]; }
    const Tally& all() const;
    void merge(const Counts& other);
    // Joins the keys of each breakdown that are beyond what a finished scan keeps.
    void join_small_keys();
};

// Counts windows of a walk, several at the same time: one in each lane.
class Counter {
  public:
    Counter(std::size_t lanes, const Rules& rules, std::int64_t scan_began);

    void take(std::size_t lane, const Window& window);

    // What has been counted, without files of which there are still names to come; those; and both. No window
    // may come meanwhile.
    Counts counts() const;
    const Links& links() const { return links_; }
    Counts counts_with_links() const;

    // Goes on with what was counted once, before any window comes.
    void put_back(Counts&& counts);
    Links& links() { return links_; }

  private:
    struct Lane {
        Counts counts;
        Tally run;  // of neighbours that have all keys in common
        std::array<std::string, breakdown_count> keys;
        // Where the last key of each breakdown is.
        std::array<std::pair<const std::string, Tally>*, breakdown_count> last{};
    };
    Tally& tally_of(Lane& lane, By by, const std::string& key) const;
    void end_run(Lane& lane) const;
    void add_linked(Lane& lane, const LinkedFile& file) const;

    const Rules& rules_;
    std::int64_t scan_began_;
    std::vector<Lane> lanes_;
    Links links_;
};

}  // namespace fathom::scan
