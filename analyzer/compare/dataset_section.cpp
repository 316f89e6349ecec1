// Datasets of HDF5 and variables of PnetCDF of two runs, by role like files: what they took, what became of
// their calls, and how they lie in their files.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/compare/comparison.h"
#include "analyzer/compare/roles.h"
#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"
#include "analyzer/job/datasets.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

// The sums over the datasets of a role.
struct RoleOfDatasets {
    DatasetCounters sums;
    std::uint64_t datasets = 0;
    bool own = true;

    double seconds() const
    {
        return static_cast<double>(sums.read_time + sums.write_time + sums.metadata_time) / 1e9;
    }
    std::uint64_t calls() const { return sums.reads + sums.writes; }
    std::uint64_t beneath() const { return sums.posix_reads + sums.posix_writes; }
};

// The role of its file, whose ending keeps its digits, and its own there.
std::string role_of_dataset(const DatasetUse& one)
{
    if (one.path.empty()) return "(names lost)";
    if (one.container.empty()) return role_of(one.path);
    return fmt::format("{}:{}", role_of(one.container), role_of(one.name));
}

struct DatasetRoles {
    std::vector<std::string> names;
    std::vector<RoleOfDatasets> uses;

    explicit DatasetRoles(const Job& job)
    {
        const Datasets all(job.log);
        std::unordered_map<std::string, std::size_t> known;
        for (const DatasetUse& one : all.datasets()) {
            const auto [found, fresh] = known.try_emplace(role_of_dataset(one), names.size());
            if (fresh) {
                names.push_back(found->first);
                uses.emplace_back();
            }
            RoleOfDatasets& use = uses[found->second];
            merge<DatasetCounters>(use.sums, one.sums);
            use.datasets += one.objects;
            use.own = use.own && one.own;
        }
    }
};

std::string share_together(const DatasetCounters& of)
{
    const std::uint64_t calls = of.reads + of.writes;
    return calls == 0 ? "none"
                      : format_share(static_cast<double>(of.collective_reads + of.collective_writes) /
                                     static_cast<double>(calls));
}

std::string mean_size(const DatasetCounters& of)
{
    const std::uint64_t calls = of.reads + of.writes;
    return calls == 0 ? "none" : format_bytes((of.bytes_read + of.bytes_written) / calls);
}

// What of a dataset is different, apart from its time.
std::string differences(const RoleOfDatasets& before, const RoleOfDatasets& after)
{
    std::string words;
    const auto compare = [&](std::string_view what, const std::string& a, const std::string& b) {
        if (a != b)
            add_to_list(
                words,
                fmt::format("{}{}, was {}", what, b.empty() ? "not known" : b, a.empty() ? "not known" : a),
                "; ");
    };
    compare("", layout_words(before.sums), layout_words(after.sums));
    if (before.own && after.own) {
        const auto filters = [](const RoleOfDatasets& of) {
            const std::string all = filter_words(of.sums);
            return all.empty() ? std::string("none") : all;
        };
        compare("filters: ", filters(before), filters(after));
        compare("collective: ", share_together(before.sums), share_together(after.sums));
    }
    compare("size: ", mean_size(before.sums), mean_size(after.sums));
    return words;
}

Cell known_if(bool known, std::uint64_t number)
{
    return known ? count(number) : unknown(Measure::count);
}

}  // namespace

std::vector<Block> dataset_blocks(const Run& earlier, const Run& later, std::size_t most)
{
    const DatasetRoles before(*earlier.job), after(*later.job);
    if (before.names.empty() && after.names.empty()) return {};
    struct Pair {
        std::string_view role;
        const RoleOfDatasets *before = nullptr, *after = nullptr;

        double seconds() const
        {
            return std::fabs((after ? after->seconds() : 0) - (before ? before->seconds() : 0));
        }
    };
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < after.names.size(); ++at)
        pairs.push_back({after.names[at], nullptr, &after.uses[at]});
    std::vector<bool> matched(before.names.size());
    for (const auto& [a, b] : match_roles(before.names, after.names)) {
        pairs[b].before = &before.uses[a];
        matched[a] = true;
    }
    for (std::size_t at = 0; at < before.names.size(); ++at)
        if (!matched[at]) pairs.push_back({before.names[at], &before.uses[at], nullptr});
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return a.seconds() != b.seconds() ? a.seconds() > b.seconds() : a.role < b.role;
    });
    DataTable table{.id = "datasets", .title = "Datasets and variables, by how much their time changed"};
    table.columns = {
        {"role", "dataset", Measure::path},        {"time_before", "time before", Measure::seconds},
        {"time_after", "after", Measure::seconds}, {"calls_before", "calls before", Measure::count},
        {"calls_after", "after", Measure::count},  {"beneath_before", "in POSIX before", Measure::count},
        {"beneath_after", "after", Measure::count}};
    Entries entries;
    for (std::size_t at = 0; at < std::min(most, pairs.size()); ++at) {
        const Pair& one = pairs[at];
        const RoleOfDatasets none, &old = one.before ? *one.before : none,
                                   &fresh = one.after ? *one.after : none;
        table.rows.push_back({path(one.role), one.before ? seconds(old.seconds()) : unknown(Measure::seconds),
                              one.after ? seconds(fresh.seconds()) : unknown(Measure::seconds),
                              known_if(one.before != nullptr, old.calls()),
                              known_if(one.after != nullptr, fresh.calls()),
                              known_if(one.before != nullptr && old.own, old.beneath()),
                              known_if(one.after != nullptr && fresh.own, fresh.beneath())});
        const std::string words = one.before == nullptr  ? "only in the later run"
                                  : one.after == nullptr ? "only in the earlier run"
                                                         : differences(old, fresh);
        if (!words.empty()) entries.entries.push_back({"different", std::string(one.role), text(words), ""});
    }
    if (pairs.size() > table.rows.size())
        table.remark = fmt::format("Not shown: {} more.", format_count(pairs.size() - table.rows.size()));
    std::vector<Block> blocks = {std::move(table)};
    if (!entries.entries.empty()) blocks.push_back(std::move(entries));
    return blocks;
}

}  // namespace fathom
