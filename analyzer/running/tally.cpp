#include "analyzer/running/tally.h"

#include <algorithm>
#include <tuple>

namespace fathom::running {
namespace {

constexpr std::uint64_t kept_after_end = 600'000'000'000;  // ns

// The larger amounts: a look is never behind the one before, but a spool may be found half removed.
bool is_less(const watch::Amounts& a, const watch::Amounts& b)
{
    return a.io_time() < b.io_time() || a.reads < b.reads || a.writes < b.writes;
}

}  // namespace

void Tally::make_room()
{
    while (known_.size() > most_spools) {
        const auto first = std::ranges::min_element(known_, {}, [](const auto& one) {
            return one.second.ended == 0 ? ~std::uint64_t{0} : one.second.ended;
        });
        known_.erase(first);
    }
}

std::vector<watch::NodeRow> Tally::add(std::span<const SpoolRow> found, std::uint64_t time)
{
    std::set<std::string> seen;
    for (auto& [spool, known] : known_) known.before = known.row.all;
    for (const SpoolRow& one : found) {
        seen.insert(one.spool);
        const auto [at, added] = known_.try_emplace(one.spool);
        Known& known = at->second;
        const bool emptied = !added && is_less(one.row.all, known.row.all);
        const watch::Amounts most = emptied ? known.row.all : one.row.all;
        known.row = one.row;
        known.row.all = most;
        known.ended = one.row.processes > 0 ? 0 : known.ended == 0 ? time : known.ended;
    }
    for (auto& [spool, known] : known_)
        if (!seen.contains(spool)) {
            known.row.processes = 0;
            if (known.ended == 0) known.ended = time;
        }
    std::erase_if(known_, [&](const auto& one) {
        return one.second.ended != 0 && one.second.ended + kept_after_end < time;
    });
    make_room();

    std::map<std::tuple<std::string, std::string, std::string>, watch::NodeRow> rows;
    for (const auto& [spool, known] : known_) {
        const watch::NodeRow& one = known.row;
        const auto [at, added] = rows.try_emplace({one.user, one.job, one.step}, one);
        watch::NodeRow& row = at->second;
        if (added) {
            row.all = row.lately = {};
            row.processes = 0;
        }
        // The program that does most.
        if (one.all.io_time() > row.all.io_time()) row.command = one.command;
        row.all.add(one.all);
        row.lately.add(one.all.since(known.before));
        row.processes += one.processes;
        row.nodes = std::max(row.nodes, one.nodes);
        row.start = std::min(row.start, one.start);
    }
    std::vector<watch::NodeRow> made;
    for (auto& [key, row] : rows) {
        row.until = time;
        row.from = std::min(std::max(last_, row.start), time);
        if (last_ == 0) row.from = std::min(row.start, time);
        made.push_back(std::move(row));
    }
    // Running ones first, where there is no room for all.
    std::ranges::stable_sort(made, {}, [](const watch::NodeRow& row) { return row.processes == 0; });
    if (made.size() > most_rows) made.resize(most_rows);
    last_ = time;
    return made;
}

std::set<std::string> Tally::running() const
{
    std::set<std::string> spools;
    for (const auto& [spool, known] : known_)
        if (known.ended == 0) spools.insert(spool);
    return spools;
}

}  // namespace fathom::running
