// Files that are not what they seem, and what the scan did not see.
#include <cstring>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

Cell instant_of(std::int64_t seconds)
{
    return seconds > 0 ? instant(static_cast<std::uint64_t>(seconds) * 1'000'000'000)
                       : unknown(Measure::instant);
}

}  // namespace

Blocks sparse_section(const Material& material)
{
    const Sums& sums = material.all().sums;
    Blocks blocks;
    blocks.push_back(Paragraph{
        sums.sparse_files == 0
            ? std::string("Every file has on the device what programs see, or more.")
            : fmt::format(
                  "{} hold {} for programs and take {} on the device: they are sparse, or compressed.",
                  counted(sums.sparse_files, "file", "files"), format_bytes(sums.sparse_bytes),
                  format_bytes(sums.sparse_allocated))});
    blocks.push_back(
        Entries{{{"sparse_files", "Sparse files", count(sums.sparse_files),
                  "with fewer bytes on the device than programs see"},
                 {"sparse_bytes", "Their bytes", bytes(sums.sparse_bytes), "as programs see them"},
                 {"sparse_allocated", "On the device", bytes(sums.sparse_allocated), ""},
                 {"linked_files", "Files with several names", count(sums.linked_files),
                  "hard links; each counted once"}}});
    return blocks;
}

Blocks whole_section(const Material& material)
{
    const Scan& scan = material.scan;
    const Troubles& troubles = scan.counts.troubles;
    Blocks blocks;
    if (!scan.has_ended)
        blocks.push_back(
            Note{Weight::warning,
                 fmt::format("The scan has not ended: {} were still to be read. The same command goes on.",
                             counted(scan.pending.size(), "directory", "directories"))});
    if (!troubles.is_whole())
        blocks.push_back(
            Note{Weight::warning,
                 fmt::format("The scan is not whole: {} and {} could not be read.",
                             counted(troubles.unreadable_folders, "directory", "directories"),
                             counted(troubles.unreadable_entries, "other inode", "other inodes"))});
    if (scan.has_ended && troubles.is_whole())
        blocks.push_back(Paragraph{"The scan has all that lies below its paths."});
    if (!troubles.unreadable.empty()) {
        DataTable table{.id = "unreadable", .title = "What could not be read"};
        table.columns = {{"path", "path", Measure::path}, {"why", "why", Measure::text}};
        for (const auto& [where, error] : troubles.unreadable)
            table.rows.push_back({path(where), text(std::strerror(error))});
        table.remark = fmt::format("The first {} by their paths.", table.rows.size());
        blocks.push_back(std::move(table));
    }
    if (!troubles.mounts.empty()) {
        DataTable table{.id = "mounts", .title = "Mounts that were left out"};
        table.columns = {{"path", "path", Measure::path}};
        for (const auto& [where, error] : troubles.mounts) table.rows.push_back({path(where)});
        table.remark = "fathom scan --other-mounts counts them too.";
        blocks.push_back(std::move(table));
    }
    Entries entries{
        {{"began", "Began", instant_of(scan.began), "ages are those at this instant"},
         {"ended", "Ended", instant_of(scan.ended), ""},
         {"seconds", "Took", seconds(static_cast<double>(scan.walked) / 1000),
          "less the time between sittings"},
         {"sittings", "Sittings", count(scan.sittings), "starts, with those that went on"},
         {"host", "Host", text(scan.host), ""},
         {"unreadable_directories", "Directories not read", count(troubles.unreadable_folders), ""},
         {"unreadable_inodes", "Other inodes not read", count(troubles.unreadable_entries), ""},
         {"vanished", "Vanished", count(troubles.vanished), "names that were gone when it was their turn"},
         {"other_mounts", "Mounts left out", count(troubles.other_mounts), ""},
         {"touched_directories", "Access times that may have changed", count(troubles.touched_folders),
          "directories that only their owner may read without"}}};
    for (const std::string& root : scan.asked.roots)
        entries.entries.push_back({"path", "Path", path(root), ""});
    blocks.push_back(std::move(entries));
    return blocks;
}

}  // namespace fathom::scan
