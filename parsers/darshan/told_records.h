// The records of a layer as Darshan has them: those of ranks, one for each file and rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "logformat/log/log.h"
#include "parsers/darshan/log_view.h"

namespace fathom::darshan {

// In our logs a rank may have several of a file: for what it did after MPI_Finalize, or once it had become
// another program. Where the ranks of MPI have one together, that takes in what each did later.
template <class Row>
class ToldRecords {
  public:
    explicit ToldRecords(const LogView& view) : rows_(view.log().rows<Row>()), ranks_(rows_.size(), no_rank)
    {
        std::vector<std::size_t> order;
        std::unordered_set<std::uint64_t> shared;
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            const std::int64_t rank = view.rank_of(rows_[at]).value_or(no_rank);
            if (rank == no_rank) continue;
            without_some_files_ |= view.is_overflow(rows_[at].file);
            if (!view.tells_file(rows_[at].file)) continue;
            ranks_[at] = rank;
            order.push_back(at);
            if (rank == reduced && view.ranks().mpi()) shared.insert(rows_[at].file);
        }
        for (const std::size_t at : order)
            if (shared.contains(rows_[at].file)) ranks_[at] = reduced;
        const auto key_of = [&](std::size_t at) { return std::pair(rows_[at].file, ranks_[at]); };
        // The record of several comes first: who had how much of a file stays as it has it.
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple(key_of(a), rows_[a].process != reduced) <
                   std::tuple(key_of(b), rows_[b].process != reduced);
        });
        std::vector<std::size_t> joined;
        for (std::size_t at = 1, first = 0; at < order.size(); ++at) {
            const Row &from = rows_[order[at]], &whole = rows_[order[first]];
            if (key_of(order[at]) != key_of(order[first])) {
                first = at;
                continue;
            }
            Row& into = merged_.try_emplace(order[first], whole).first->second;
            const Sharing sharing = into;
            merge(into, from);
            if (from.process != reduced) static_cast<Sharing&>(into) = sharing;
            joined.push_back(order[at]);
        }
        for (const std::size_t at : joined) ranks_[at] = no_rank;
    }

    // visit(record, rank)
    template <class Visit>
    void each(Visit visit) const
    {
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            if (ranks_[at] == no_rank) continue;
            const auto merged = merged_.find(at);
            visit(merged == merged_.end() ? rows_[at] : merged->second, ranks_[at]);
        }
    }

    // Some rank had no room for all of its files.
    bool without_some_files() const { return without_some_files_; }

  private:
    static constexpr std::int64_t no_rank = -2;

    const std::vector<Row>& rows_;
    std::vector<std::int64_t> ranks_;
    std::unordered_map<std::size_t, Row> merged_;  // by the first one's place
    bool without_some_files_ = false;
};

}  // namespace fathom::darshan
