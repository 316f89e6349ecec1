// The differences between versions, a row each.
#include "parsers/darshan/versions.h"

#include <algorithm>
#include <initializer_list>

namespace fathom::darshan {
namespace {

using Lacking = std::initializer_list<std::string_view>;

// What a version lacks of the newest one, and which words it has besides.
struct Difference {
    Module module{};
    std::uint32_t version = 0;
    Lacking numbers, times;                   // that it lacks
    std::size_t dropped_at = 0, dropped = 0;  // words that no counter of today holds
};

// Version 1 of POSIX counted four calls of stdio in its records; those that have any are stdio's.
const Difference differences[] = {
    {Module::posix, 3, {"FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM"}, {}},
    {Module::posix,
     2,
     {"FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM"},
     {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP"}},
    {Module::posix,
     1,
     {"FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM"},
     {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP"},
     6,
     4},
    {Module::stdio, 1, {"FDOPENS"}, {}},
    {Module::mpiio, 2, {}, {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP"}},
    {Module::mpiio, 1, {}, {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP"}},
    {Module::h5f, 2, {"FLUSHES", "USE_MPIIO"}, {"META_TIME"}},
    {Module::h5f, 1, {"FLUSHES", "USE_MPIIO"}, {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP", "META_TIME"}},
    {Module::h5d, 1, {}, {}},
    {Module::pnetcdf_file,
     2,
     {"CREATES", "REDEFS", "INDEP_WAITS", "COLL_WAITS", "SYNCS", "BYTES_READ", "BYTES_WRITTEN",
      "WAIT_FAILURES"},
     {"WAIT_START_TIMESTAMP", "WAIT_END_TIMESTAMP", "META_TIME", "WAIT_TIME"},
     0,
     1},
    {Module::pnetcdf_file,
     1,
     {"CREATES", "REDEFS", "INDEP_WAITS", "COLL_WAITS", "SYNCS", "BYTES_READ", "BYTES_WRITTEN",
      "WAIT_FAILURES"},
     {"CLOSE_START_TIMESTAMP", "OPEN_END_TIMESTAMP", "WAIT_START_TIMESTAMP", "WAIT_END_TIMESTAMP",
      "META_TIME", "WAIT_TIME"},
     0,
     1},
};

// The id of a file that no rename made is 0 rather than unknown.
std::int64_t otherwise(std::string_view name)
{
    return name == "RENAMED_FROM" ? 0 : -1;
}

}  // namespace

std::optional<WordPlan> plan_of(Module module, std::uint32_t version)
{
    const Counters* const counters = counters_of(module);
    if (counters == nullptr || version == 0 || version > counters->version) return std::nullopt;
    const Difference* const found =
        std::find_if(std::begin(differences), std::end(differences), [&](const Difference& difference) {
            return difference.module == module && difference.version == version;
        });
    const Difference newest{module, counters->version, {}, {}};
    if (found == std::end(differences) && version != counters->version) return std::nullopt;
    const Difference& difference = found == std::end(differences) ? newest : *found;

    WordPlan plan;
    const std::size_t head = 2;
    plan.words = head;
    // Version 1 of H5D did not name the file of a dataset.
    plan.has_container = counters->has_container && !(module == Module::h5d && version == 1);
    if (plan.has_container) ++plan.words;
    const std::size_t first = plan.words;
    const auto add = [&](std::span<const std::string_view> names, const Lacking& lacking,
                         std::vector<WordPlan::From>& to) {
        for (const std::string_view name : names) {
            if (plan.words == first + difference.dropped_at) plan.words += difference.dropped;
            const bool there = std::find(lacking.begin(), lacking.end(), name) == lacking.end();
            to.push_back({plan.words, there, otherwise(name)});
            plan.words += there ? 1 : 0;
        }
    };
    add(counters->numbers, difference.numbers, plan.numbers);
    add(counters->times, difference.times, plan.times);
    if (module == Module::posix && difference.dropped > 0)
        plan.drop_if_positive = first + difference.dropped_at;
    if (module == Module::pnetcdf_file && difference.dropped > 0) plan.add_to_opens = first;
    return plan;
}

}  // namespace fathom::darshan
