// Sorts files into kinds, by a table of predicates.
#include "analyzer/sections/files/file_categories.h"

#include <algorithm>

#include "analyzer/job/file_count.h"
#include "analyzer/job/recorded.h"
#include "analyzer/methods/modes.h"

namespace fathom {
namespace {

using namespace report;

// What a kind is known by: the file, and how its data was shared.
struct Subject {
    const FileUse& use;
    FileClass sharing;
};

struct Category {
    std::string_view id, title;
    bool (*has)(const Subject& file);
};

constexpr Category categories[] = {
    {"all", "all", [](const Subject&) { return true; }},
    {"unique", "unique", [](const Subject& file) { return file.sharing == FileClass::unique; }},
    {"partly_shared", "partly shared",
     [](const Subject& file) { return file.sharing == FileClass::partly_shared; }},
    {"shared", "shared", [](const Subject& file) { return file.sharing == FileClass::shared; }},
    {"read_only", "only read",
     [](const Subject& file) {
         return file.use.application().bytes_read > 0 && file.use.application().bytes_written == 0;
     }},
    {"write_only", "only written",
     [](const Subject& file) {
         return file.use.application().bytes_read == 0 && file.use.application().bytes_written > 0;
     }},
    {"read_write", "read and written",
     [](const Subject& file) {
         return file.use.application().bytes_read > 0 && file.use.application().bytes_written > 0;
     }},
    {"created", "created", [](const Subject& file) { return file.use.system.creates > 0; }},
};

struct Sum : FileSums {
    std::uint64_t files = 0;
    std::uint64_t sized = 0, sizes = 0, largest = 0;  // of files of which some byte was touched

    void add(const FileUse& use)
    {
        files += use.files;
        merge<FileSums>(*this, use.application());
        if (is_of_several(use.kind) || use.system.highest() == 0) return;
        ++sized;
        sizes += use.system.highest();
        largest = std::max(largest, use.system.highest());
    }
};

}  // namespace

DataTable file_categories(const Job& job)
{
    const std::uint64_t ranks = std::max(job.taking_part[0], job.taking_part[1]);
    std::array<Sum, std::size(categories)> sums;
    for (const FileUse& use : job.files) {
        if (!is_of_files(use.kind)) continue;
        const bool moved = use.kind == NameKind::file && use.application().bytes() > 0;
        const Subject subject{use,
                              moved ? file_class(use.application().movers().count, ranks) : FileClass::none};
        // Of files that are counted together, it is not known which are of what kind.
        const std::size_t kinds = is_of_several(use.kind) ? 1 : sums.size();
        for (std::size_t at = 0; at < kinds; ++at)
            if (categories[at].has(subject)) sums[at].add(use);
    }
    const FileCount all = count_files(job);
    sums[0].files = all.files;
    DataTable table{.id = "file_categories", .title = "Files by kind"};
    table.columns = {{"kind", "files", Measure::text},       {"files", "number", Measure::count},
                     {"mean", "mean size", Measure::bytes},  {"largest", "max", Measure::bytes},
                     {"bytes_read", "read", Measure::bytes}, {"bytes_written", "written", Measure::bytes}};
    for (std::size_t at = 0; at < sums.size(); ++at) {
        const Sum& sum = sums[at];
        if (sum.files == 0) continue;
        const bool sized = sum.sized > 0;
        table.rows.push_back({text(categories[at].title), count(sum.files),
                              sized ? bytes(sum.sizes / sum.sized) : unknown(Measure::bytes),
                              sized ? bytes(sum.largest) : unknown(Measure::bytes), bytes(sum.bytes_read),
                              bytes(sum.bytes_written)});
    }
    table.remark =
        "A file's size is taken to be as far as it was read or written; mean and largest are those of the "
        "files with data. ";
    table.remark += job.mpi ? "Unique: one rank moved its data; shared: all; partly shared: some. "
                            : "Unique: one process moved its data; shared: all; partly shared: some. ";
    table.remark += tells(job.log, &PosixCounters::creates)
                        ? "Created: some open made the file or emptied it."
                        : "Which files were created is not recorded.";
    if (!tells(job.log, Layer::stdio, &Pattern::highest_read))
        table.remark += " How far stdio read and wrote is not recorded.";
    table.remark += all.remark();
    if (all.certainty != FileCount::Certainty::exact)
        table.remark += " What kinds the others are of is not recorded.";
    return table;
}

}  // namespace fathom
