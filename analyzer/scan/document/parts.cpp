// Holders in order, and what is said in the same words in several places.
#include "analyzer/scan/document/parts.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom::scan {

std::string name_of_key(const Scan& scan, By by, const std::string& key)
{
    if (by != By::user && by != By::group) return key;
    for (const auto& [id, name] : by == By::user ? scan.users : scan.groups)
        if (std::to_string(id) == key) return name;
    return key;
}

std::vector<Holder> Material::holders(By which) const
{
    std::vector<Holder> holders;
    for (const auto& [key, tally] : scan.counts.by(which))
        holders.push_back({name_of_key(scan, which, key), key, &tally});
    std::stable_sort(holders.begin(), holders.end(), [&](const Holder& a, const Holder& b) {
        if (which == By::depth && a.key.size() != b.key.size()) return a.key.size() < b.key.size();
        if (which == By::depth) return a.key < b.key;
        if (a.tally->sums.bytes != b.tally->sums.bytes) return a.tally->sums.bytes > b.tally->sums.bytes;
        return a.tally->sums.inodes > b.tally->sums.inodes;
    });
    return holders;
}

Histogram::Cell older_than(const Tally& tally, Axis axis, std::uint32_t days)
{
    const auto place =
        static_cast<std::uint32_t>(std::find(age_days.begin(), age_days.end(), days) - age_days.begin());
    const Histogram::Cell younger = tally.by(axis).before(place + 1);
    return {place, tally.sums.files - younger.files, tally.sums.bytes - younger.bytes};
}

std::string words_of_size_class(std::uint32_t place)
{
    if (place == 0) return "empty";
    const std::uint64_t least = std::uint64_t{1} << (place - 1);
    if (place == 1) return "1 B";
    return place < 64 ? fmt::format("{} to {}", report::format_bytes(least), report::format_bytes(least * 2))
                      : fmt::format("{} and more", report::format_bytes(least));
}

report::Cell share_cell(std::uint64_t part, std::uint64_t whole)
{
    return report::share_of(static_cast<double>(part), static_cast<double>(whole));
}

}  // namespace fathom::scan
