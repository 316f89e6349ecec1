// Files compressed by gzip's best level, which takes several times as long as its quickest one and makes them
// little smaller. Their headers say so.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t much_written = 256 << 10;
// Of the time that the program computed while it had such a file open, this part is saved by level 1: nearly
// all of what compressing takes, if that was all, and less the more the program did to make its data.
constexpr double saved_least = 0.25, saved_most = 0.85;

constexpr Remedy level_remedies[] = {
    {Language::c, "Compress by a quicker level, in zlib:", {"gzopen(path, \"wb1\");"}},
    {Language::python,
     "Compress by a quicker level; Python's gzip takes the best one unless it is told:",
     {"gzip.open(path, \"wt\", compresslevel=1)", "tarfile.open(path, \"w:gz\", compresslevel=1)",
      "table.to_csv(path, compression={\"method\": \"gzip\", \"compresslevel\": 1})"}},
    {Language::shell, "Compress by a quicker level, or tool:", {"gzip -1 FILE", "zstd -1 FILE"}},
    {Language::packaged, "Compress by a quicker level, or tool:", {"gzip -1 FILE", "zstd -1 FILE"}},
    {Language::script, "Compress by a quicker level, such as 1."},
};

}  // namespace

MaybeFinding best_compression(const Scene& scene)
{
    LostTime work(scene.job);
    MostLost<FileUse> most;
    std::uint64_t bytes_made = 0, files = 0;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        const double before = work.total();
        std::uint64_t written = 0;
        for (const RecordView& record : file.records) {
            if (!record.has_pattern() || record[&Content::best_gzip] == 0 ||
                record[&Transfers::bytes_written] == 0)
                continue;
            const double computed = scene.computed_for(file, record);
            work.add(record, computed);
            written += record[&Transfers::bytes_written];
        }
        if (written == 0) continue;
        bytes_made += written;
        ++files;
        most.add(*file.use, work.total() - before);
    }
    if (most.use == nullptr || bytes_made < much_written) return {};
    const AdvisedProgram program = executable_of(scene.job, work);
    const double computed = scene.cost_beyond_io(work);
    Finding finding;
    finding.title =
        fmt::format("{} written by gzip's best level, which is its slowest", format_bytes(bytes_made));
    finding.cost = seconds(std::min(saved_most * computed, scene.run));
    finding.cost_least = saved_least * computed;
    finding.cost_basis = fmt::format(
        "between {:.0f} and {:.0f} % of what was computed while these files were open, which is assumed to "
        "be what level 1 saves",
        100 * saved_least, 100 * saved_most);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"bytes", "written, compressed", bytes(bytes_made), counted(files, "file", "files")},
                        {"computed", "computed while they were open", seconds(computed), ""},
                        {"file", "most time for", path(most.use->path), "its header says level 9"}};
    finding.why =
        "Level 9 searches for the longest match everywhere: some 10 MiB/s of text, where level 1 takes 50 to "
        "100 and makes the file some 20 % larger.";
    finding.doubt = "Files that are kept for years, or sent over a slow line.";
    finding.advice = advice_in(program, level_remedies);
    Found found(std::move(finding));
    found.file = most.use;
    return found;
}

}  // namespace fathom
