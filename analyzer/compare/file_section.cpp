// The roles of files as tables: those of both runs, new ones, and those that are gone.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/compare/comparison.h"
#include "analyzer/compare/file_changes.h"
#include "analyzer/document/units.h"

namespace fathom {
namespace {

using namespace report;

DataTable table_of_roles(std::string id, std::string title)
{
    return {.id = std::move(id), .title = std::move(title), .columns = {{"role", "files", Measure::path}}};
}

// As many bytes, and a difference of time that is not worth a row.
bool is_same(const RoleChange& change)
{
    constexpr double least = 0.001;
    return std::fabs(change.seconds()) < least && change.before->bytes() == change.after->bytes();
}

void limit(std::vector<const RoleChange*>& roles, std::size_t most, DataTable& table)
{
    if (roles.size() <= most) return;
    table.remark = fmt::format("Not shown: {} more.", format_count(roles.size() - most));
    roles.resize(most);
}

// Roles that one run alone has.
void add_single(std::vector<const RoleChange*> roles, std::size_t most, std::string id, std::string title,
                std::optional<RoleUse> RoleChange::*use, std::vector<Block>& blocks)
{
    if (roles.empty()) return;
    std::stable_sort(roles.begin(), roles.end(),
                     [](const RoleChange* a, const RoleChange* b) { return a->bytes() > b->bytes(); });
    DataTable table = table_of_roles(std::move(id), std::move(title));
    limit(roles, most, table);
    table.columns.insert(table.columns.end(), {{"number", "number", Measure::count},
                                               {"bytes_read", "read", Measure::bytes},
                                               {"bytes_written", "written", Measure::bytes},
                                               {"time", "time", Measure::seconds}});
    for (const RoleChange* const role : roles) {
        const RoleUse& one = *(role->*use);
        table.rows.push_back({path(role->role), count(one.files), bytes(one.bytes_read),
                              bytes(one.bytes_written), seconds(one.seconds())});
    }
    blocks.push_back(std::move(table));
}

}  // namespace

std::vector<Block> file_blocks(const Run& earlier, const Run& later, std::size_t most)
{
    const std::vector<RoleChange> changes = changes_by_role(*earlier.job, *later.job);
    std::vector<const RoleChange*> both, gone, fresh;
    std::size_t same = 0;
    for (const RoleChange& change : changes)
        if (change.before && change.after && is_same(change))
            ++same;
        else
            (change.before && change.after ? both : change.before ? gone : fresh).push_back(&change);
    std::vector<Block> blocks;
    if (!both.empty()) {
        DataTable table = table_of_roles("changed", "Files of both runs, by how much their time changed");
        limit(both, most, table);
        if (same > 0)
            table.remark += fmt::format("{}{} more with as many bytes and about as much time.",
                                        table.remark.empty() ? "Not shown: " : " And ", format_count(same));
        table.columns.insert(table.columns.end(), {{"time_before", "time before", Measure::seconds},
                                                   {"time_after", "after", Measure::seconds},
                                                   {"bytes_before", "bytes before", Measure::bytes},
                                                   {"bytes_after", "after", Measure::bytes}});
        for (const RoleChange* const role : both)
            table.rows.push_back({path(role->role), seconds(role->before->seconds()),
                                  seconds(role->after->seconds()), bytes(role->before->bytes()),
                                  bytes(role->after->bytes())});
        blocks.push_back(std::move(table));
    }
    if (both.empty() && same > 0)
        blocks.push_back(
            Paragraph{"The files of both runs have as many bytes in both, and about as much time."});
    add_single(fresh, most, "new", "Files that only the later run has", &RoleChange::after, blocks);
    add_single(gone, most, "gone", "Files that only the earlier run has", &RoleChange::before, blocks);
    if (!blocks.empty())
        blocks.push_back(
            Paragraph{"A # stands for digits, and for what looks like a hash: files whose names differ in "
                      "nothing else have one role, and are matched by it; so are those below folders that "
                      "stand for each other. Time is that of all processes."});
    return blocks;
}

}  // namespace fathom
