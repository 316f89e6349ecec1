// Files compressed by a level that takes several times as long as the quickest one and makes them little
// smaller. The headers of gzip say so; of xz and zstd how long it took does.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
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

// ns of computing for each byte that xz and zstd read, where that is known, or write: their level 1 takes up
// to 100 and 1,000, xz's level 6, which is its own choice, and zstd's 19 take 300 and 2,000 and more.
constexpr double of_slow_level = 150, of_slow_level_written = 1500;

// The tool's name, where what a process wrote of a file was compressed by a slow level.
std::string_view slow_compressor(const Scene& scene, const RecordView& record, std::string_view path,
                                 double computed)
{
    const Member* const member = scene.job.member_of(record);
    const auto written = static_cast<double>(record[&Transfers::bytes_written]),
               read = member == nullptr ? 0 : static_cast<double>(member->application_bytes(Direction::read));
    // Of data that nothing makes smaller, the best level finds that out as quickly as any.
    if (std::abs(written - read) < 0.05 * read) return {};
    if (record[&Content::best_gzip] > 0) return "gzip";
    const double least = read > written ? of_slow_level * read : of_slow_level_written * written;
    return computed > least * scene.stretched ? strong_compressor_of(path) : std::string_view{};
}

constexpr Remedy slow_compressor_remedies[] = {
    {Language::python,
     "Compress by a quicker level; lzma takes 6 unless it is told, which is slow already:",
     {"lzma.open(path, \"wb\", preset=1)", "gzip.open(path, \"wb\", compresslevel=1)"}},
    {Language::c, "Compress by a quicker level: 1 of xz, 3 or less of zstd."},
    {Language::shell,
     "Compress by a quicker level, or tool:",
     {"zstd -3 FILE", "xz -1 --threads=0 FILE", "tar --zstd -cf ARCHIVE.tar.zst FOLDER"}},
    {Language::packaged,
     "Compress by a quicker level, or tool:",
     {"zstd -3 FILE", "xz -1 --threads=0 FILE", "tar --zstd -cf ARCHIVE.tar.zst FOLDER"}},
};
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
    std::string_view tool_of_most;
    std::uint64_t bytes_made = 0, files = 0;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        const double before = work.total();
        std::string_view tool;
        std::uint64_t written = 0;
        for (const RecordView& record : file.records) {
            if (!record.has_pattern() || record[&Transfers::bytes_written] == 0) continue;
            const double computed = scene.computed_for(file, record);
            const std::string_view by = slow_compressor(scene, record, file.use->path, computed);
            if (by.empty()) continue;
            tool = by;
            work.add(record, computed);
            written += record[&Transfers::bytes_written];
        }
        if (written == 0) continue;
        bytes_made += written;
        ++files;
        most.add(*file.use, work.total() - before);
        if (most.use == file.use) tool_of_most = tool;
    }
    const bool by_gzip = tool_of_most == "gzip";
    if (most.use == nullptr || (by_gzip && bytes_made < much_written)) return {};
    const AdvisedProgram program = executable_of(scene.job, work);
    const double computed = scene.cost_beyond_io(work);
    Finding finding;
    finding.title =
        by_gzip
            ? fmt::format("{} written by gzip's best level, which is its slowest", format_bytes(bytes_made))
            : fmt::format("{} written by a slow level of {}", format_bytes(bytes_made), tool_of_most);
    finding.cost = seconds(std::min(saved_most * computed, scene.run));
    finding.cost_least = saved_least * computed;
    finding.cost_basis = fmt::format(
        "between {:.0f} and {:.0f} % of what was computed while these files were open, which is assumed to "
        "be what level 1 saves",
        100 * saved_least, 100 * saved_most);
    finding.confidence = Confidence::medium;
    finding.evidence = {{"bytes", "written, compressed", bytes(bytes_made), counted(files, "file", "files")},
                        {"computed", "computed while they were open", seconds(computed), ""},
                        {"file", "most time for", path(most.use->path),
                         by_gzip ? "its header says level 9"
                                 : fmt::format("{:.1f} µs of computing for each byte of these files",
                                               1e6 * computed / static_cast<double>(bytes_made))}};
    finding.why =
        by_gzip
            ? "Level 9 searches for the longest match everywhere: some 10 MiB/s of text, where level 1 takes "
              "50 to 100 and makes the file some 20 % larger."
            : "High levels search for the longest match everywhere: xz takes 1 to 3 MiB/s of text by its own "
              "choice, level 6, where its level 1 takes 10 and zstd some 200.";
    finding.doubt = "Files that are kept for years, or sent over a slow line.";
    finding.advice =
        by_gzip ? advice_in(program, level_remedies) : advice_in(program, slow_compressor_remedies);
    Found found(std::move(finding));
    found.file = most.use;
    return found;
}

}  // namespace fathom
