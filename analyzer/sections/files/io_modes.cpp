// The I/O mode of the job for reads and writes, and how files and bytes spread over all modes and sharing
// classes.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/movers_note.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::string_view level_titles[] = {"application", "POSIX and stdio"};
constexpr std::string_view level_ids[] = {"application", "posix"};

struct Row {
    Level level;
    Direction direction;
    ModeStudy study;
};

std::string subject_of(const Row& row)
{
    return fmt::format("{}, {}", level_titles[static_cast<std::size_t>(row.level)],
                       direction_names[static_cast<std::size_t>(row.direction)]);
}

Entry entry_of(const Row& row, const Job& job)
{
    const ModeStudy& study = row.study;
    const FilesAndBytes& in_mode = study.by_mode[static_cast<std::size_t>(study.mode)];
    std::uint64_t bytes = 0;
    for (const FilesAndBytes& one : study.by_mode) bytes += one.bytes;
    std::string remark = "no file data";
    const auto& at_most =
        row.level == Level::application ? job.application_movers_at_most : job.system_movers_at_most;
    if (study.mode != Mode::none)
        remark = fmt::format(
            "{} of {} moved this way; {}{} of {} {} active",
            format_share(static_cast<double>(in_mode.bytes) / static_cast<double>(bytes)),
            format_bytes(bytes), at_most[static_cast<std::size_t>(row.direction)] ? "at most " : "",
            format_count(study.movers), format_count(study.ranks), job.mpi ? "ranks" : "processes");
    return {fmt::format("{}_{}", level_ids[static_cast<std::size_t>(row.level)],
                        direction_names[static_cast<std::size_t>(row.direction)]),
            subject_of(row), text(mode_names[static_cast<std::size_t>(study.mode)]), remark};
}

template <std::size_t N>
void append_rows(DataTable& table, const std::string& subject, const std::array<FilesAndBytes, N>& parts,
                 const std::array<std::string_view, N>& names)
{
    std::uint64_t all = 0;
    for (const FilesAndBytes& part : parts) all += part.bytes;
    for (std::size_t at = 0; at < N; ++at)
        if (parts[at].files > 0)
            table.rows.push_back({text(subject), text(names[at]), count(parts[at].files),
                                  bytes(parts[at].bytes),
                                  share_of(static_cast<double>(parts[at].bytes), static_cast<double>(all))});
}

// What is in no mode, since it is not known who moved which file of those that are counted together.
std::string without_mode(const Job& job)
{
    FileSums sums;
    std::uint64_t files = 0;
    for (const FileUse& use : job.files) {
        if (use.kind != NameKind::overflow) continue;
        merge<FileSums>(sums, use.application());
        files += use.files;
    }
    if (files == 0) return {};
    return fmt::format(
        "About {} more files, with {} read and {} written, are in none of these rows: they have no records "
        "of their own.",
        format_count(files), format_bytes(sums.bytes_read), format_bytes(sums.bytes_written));
}

DataTable breakdown(std::string id, std::string title, std::string what)
{
    return {.id = std::move(id),
            .title = std::move(title),
            .columns = {{"subject", "layer", Measure::text},
                        {"kind", std::move(what), Measure::text},
                        {"files", "files", Measure::count},
                        {"bytes", "bytes", Measure::bytes},
                        {"share", "of bytes", Measure::share}}};
}

}  // namespace

Blocks io_modes(const Job& job, const SectionChoice&)
{
    std::vector<Row> rows;
    const bool both = levels_differ(job);
    for (const Level level : {Level::application, Level::system})
        if (level == Level::application || both)
            for (const Direction direction : directions)
                rows.push_back({level, direction, modes_at(job, level, direction)});

    Entries entries;
    DataTable by_mode = breakdown("bytes_by_mode", "Modes by files and bytes", "mode");
    DataTable by_class = breakdown("files_by_sharing", "Sharing by files and bytes", "files are");
    bool any = false;
    for (const Row& row : rows) {
        entries.entries.push_back(entry_of(row, job));
        append_rows(by_mode, subject_of(row), row.study.by_mode, mode_names);
        append_rows(by_class, subject_of(row), row.study.by_class, file_class_names);
        any = any || row.study.mode != Mode::none;
    }
    by_class.remark =
        fmt::format("Unique: one {0} moved data; shared: all of them; partly shared: several, not all.",
                    job.mpi ? "rank" : "process");
    by_class.remark += note_on_movers(job);
    by_mode.remark = without_mode(job);
    Blocks blocks = {entries};
    if (!any) return blocks;
    blocks.push_back(Paragraph{fmt::format(
        "N-N: every {0} has files of its own. N-1: all share a file. N-M: some move the data of all, or "
        "share files in "
        "groups. 1-1: one {0} does all. {1}{2}",
        job.mpi ? "rank" : "process",
        both ? "The application's layer is what the program asked for (MPI-IO where it used it); POSIX and "
               "stdio show what "
               "reached the file system. "
        : tells(job.log, Layer::mpiio, &Transfers::opens)
            ? "MPI-IO was not used: the application's layer is POSIX and stdio. "
            : "Whether MPI-IO was used is not recorded: these are system calls. ",
        job.mpi
            ? ""
            : "Without MPI, processes that moved no file data, or only started others, are left out of N.")});
    blocks.push_back(std::move(by_mode));
    blocks.push_back(std::move(by_class));
    return blocks;
}

}  // namespace fathom
