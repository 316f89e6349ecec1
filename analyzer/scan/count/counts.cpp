// Neighbours in a folder mostly belong to one user, group and project: they are added up first.
#include "analyzer/scan/count/counts.h"

#include <algorithm>
#include <set>

#include "logformat/path_id.h"

namespace fathom::scan {
namespace {

constexpr std::size_t place_of(By by)
{
    return static_cast<std::size_t>(by);
}

void name_one(std::map<std::string, int>& named, const std::string& path, int error)
{
    named.emplace(path, error);
    if (named.size() > Troubles::most_named) named.erase(std::prev(named.end()));
}

// The keys that have most of something.
void add_largest(std::set<std::string_view>& kept, const Tallies& tallies, std::size_t most,
                 std::uint64_t Sums::*member)
{
    std::vector<std::pair<std::uint64_t, std::string_view>> order;
    for (const auto& [key, tally] : tallies) order.emplace_back(~(tally.sums.*member), key);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), end, order.end());
    for (auto each = order.begin(); each != end; ++each) kept.insert(each->second);
}

}  // namespace

void Troubles::add(const Trouble& trouble)
{
    switch (trouble.kind) {
        case Trouble::Kind::folder:
            ++unreadable_folders;
            break;
        case Trouble::Kind::entry:
            ++unreadable_entries;
            break;
        case Trouble::Kind::vanished:
            ++vanished;
            return;
        case Trouble::Kind::other_mount:
            ++other_mounts;
            name_one(mounts, trouble.path, 0);
            return;
    }
    name_one(unreadable, trouble.path, trouble.error);
}

void Troubles::merge(const Troubles& other)
{
    unreadable_folders += other.unreadable_folders;
    unreadable_entries += other.unreadable_entries;
    vanished += other.vanished;
    other_mounts += other.other_mounts;
    touched_folders += other.touched_folders;
    for (const auto& [path, error] : other.unreadable) name_one(unreadable, path, error);
    for (const auto& [path, error] : other.mounts) name_one(mounts, path, error);
}

const Tally& Counts::all() const
{
    static const Tally nothing;
    const Tallies& tally = by(By::all);
    return tally.empty() ? nothing : tally.begin()->second;
}

void Counts::merge(const Counts& other)
{
    for (std::size_t at = 0; at < breakdown_count; ++at)
        for (const auto& [key, tally] : other.tallies[at]) tallies[at][key].merge(tally);
    troubles.merge(other.troubles);
}

void Counts::join_small_keys()
{
    for (const Breakdown& row : breakdowns) {
        Tallies& all = tallies[place_of(row.by)];
        if (all.size() <= row.most) continue;
        std::set<std::string_view> kept;
        add_largest(kept, all, row.most / 2, &Sums::bytes);
        add_largest(kept, all, row.most / 2, &Sums::inodes);
        Tally others;
        Tallies few;
        for (const auto& [key, tally] : all) {
            if (kept.contains(key))
                few.emplace(key, tally);
            else
                others.merge(tally);
        }
        few[std::string(other_keys)].merge(others);
        all = std::move(few);
    }
}

Counter::Counter(std::size_t lanes, const Rules& rules, std::int64_t scan_began)
    : rules_(rules), scan_began_(scan_began), lanes_(lanes)
{}

Tally& Counter::tally_of(Lane& lane, By by, const std::string& key) const
{
    auto*& last = lane.last[place_of(by)];
    if (last == nullptr || last->first != key)
        last = &*lane.counts.tallies[place_of(by)].try_emplace(key).first;
    return last->second;
}

void Counter::end_run(Lane& lane) const
{
    if (lane.run.sums.inodes == 0) return;
    for (const Breakdown& row : breakdowns)
        if (!row.of_each) tally_of(lane, row.by, lane.keys[place_of(row.by)]).merge(lane.run);
    lane.run.clear();
}

void Counter::add_linked(Lane& lane, const LinkedFile& file) const
{
    Tally one;
    one.add(file.entry, scan_began_);
    for (const Breakdown& row : breakdowns) {
        const std::string& key = file.keys[place_of(row.by)];
        if (key.empty()) continue;
        if (row.of_each)
            tally_of(lane, row.by, key).sums.merge(one.sums);
        else
            tally_of(lane, row.by, key).merge(one);
    }
}

void Counter::take(std::size_t number, const Window& window)
{
    Lane& lane = lanes_[number];
    for (const Trouble& trouble : window.troubles) lane.counts.troubles.add(trouble);
    lane.counts.troubles.touched_folders += window.touched;
    const bool has_rules = !rules_.projects().empty();
    std::string path;
    const auto its_path = [&]() -> const std::string& {
        if (path.empty()) {
            path = window.folder.path();
            if (path.back() != '/') path += '/';
        }
        return path;
    };
    const Place place{window.folder, has_rules ? rules_.rule_of_path(its_path()) : 0};
    const Entry* first = nullptr;  // of the run
    for (const Entry& entry : window.entries) {
        if (entry.links > 1 && !entry.is_folder()) {
            LinkedFile named{
                entry, 0, window.folder.depth() + 1, path_id(its_path() + std::string(entry.name)), {}};
            for (const Breakdown& row : breakdowns)
                named.keys[place_of(row.by)] = row.key(place, entry, rules_);
            named.entry.name = {};
            if (const auto whole = links_.add(std::move(named))) add_linked(lane, *whole);
            continue;
        }
        // In a root, each folder is a top of its own.
        if (first == nullptr || entry.user != first->user || entry.group != first->group ||
            window.folder.depth() == 0) {
            end_run(lane);
            first = &entry;
            for (const Breakdown& row : breakdowns)
                if (!row.of_each) lane.keys[place_of(row.by)] = row.key(place, entry, rules_);
        }
        lane.run.add(entry, scan_began_);
        for (const Breakdown& row : breakdowns)
            if (row.of_each)
                if (const std::string key = row.key(place, entry, rules_); !key.empty())
                    tally_of(lane, row.by, key).sums.add(entry);
    }
    end_run(lane);
}

Counts Counter::counts() const
{
    Counts all;
    for (const Lane& lane : lanes_) all.merge(lane.counts);
    return all;
}

Counts Counter::counts_with_links() const
{
    Lane rest;
    links_.each([&](const LinkedFile& file) { add_linked(rest, file); });
    Counts all = counts();
    all.merge(rest.counts);
    return all;
}

void Counter::put_back(Counts&& counts)
{
    lanes_.front().counts = std::move(counts);
}

}  // namespace fathom::scan
