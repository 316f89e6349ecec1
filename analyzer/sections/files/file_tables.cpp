// What kinds of files there were, and those that took most bytes, most time and most opens.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/failed_paths.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/files/file_categories.h"
#include "analyzer/sections/movers_note.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

struct Modes {
    ModeStudy read, write;

    std::string_view of(const FileUse& use) const
    {
        const bool mostly_read = use.application().bytes_read >= use.application().bytes_written;
        const Direction direction = mostly_read ? Direction::read : Direction::write;
        const Mode mode = (mostly_read ? read : write).mode_of(data_of(use.application(), direction));
        return mode == Mode::none || !use.counts_for_modes() ? "-"
                                                             : mode_names[static_cast<std::size_t>(mode)];
    }
};

std::string shown_path(const FileUse& use)
{
    if (use.path.empty()) return fmt::format("file {:016x} (name lost)", use.file);
    return std::string(use.path);
}

DataTable table_of(const Job& job, const Modes& modes, const std::vector<const FileUse*>& files)
{
    DataTable table;
    table.columns = {{"path", "file", Measure::path},
                     {"mode", "mode", Measure::text},
                     {"movers", job.mpi ? "ranks" : "processes", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "time", Measure::seconds},
                     {"slowest", "slowest", Measure::text},
                     {"slowest_time", "took", Measure::seconds}};
    for (const FileUse* use : files) {
        const FileView& view = use->application();
        table.rows.push_back(
            {path(shown_path(*use)), text(modes.of(*use)), count(view.movers().count), bytes(view.bytes_read),
             bytes(view.bytes_written), nanoseconds(view.time()),
             view.slowest().process < 0 ? unknown() : text(job.process_name(view.slowest().process)),
             view.slowest().process < 0 ? unknown(Measure::seconds) : nanoseconds(view.slowest().time)});
    }
    return table;
}

// The first `most` files by a key, largest first; ties by path, so that two reports of one log are the same.
template <class Key>
std::vector<const FileUse*> top(const std::vector<const FileUse*>& files, std::size_t most, Key key)
{
    std::vector<const FileUse*> sorted;
    for (const FileUse* use : files)
        if (key(*use) > 0) sorted.push_back(use);
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(most, sorted.size()));
    std::partial_sort(sorted.begin(), end, sorted.end(), [&](const FileUse* a, const FileUse* b) {
        return key(*a) != key(*b)   ? key(*a) > key(*b)
               : a->path != b->path ? a->path < b->path
                                    : a->file < b->file;
    });
    sorted.erase(end, sorted.end());
    return sorted;
}

// Opened again and again, by those that used it: once for each of them is how it should be.
bool is_opened_often(const FileUse& use)
{
    constexpr std::uint64_t least = 10, times = 3;
    return use.kind == NameKind::file &&
           use.system.opens >= std::max(least, times * use.system.users().count);
}

DataTable opens_table(const Job& job, const std::vector<const FileUse*>& files)
{
    DataTable table{.id = "files_by_opens", .title = "Files that were opened often"};
    table.columns = {{"path", "file", Measure::path},
                     {"opens", "opens", Measure::count},
                     {"users", job.mpi ? "ranks" : "processes", Measure::count},
                     {"creates", "creates", Measure::count},
                     {"metadata_time", "metadata", Measure::seconds},
                     {"bytes", "bytes", Measure::bytes}};
    for (const FileUse* use : files)
        table.rows.push_back({path(shown_path(*use)), count(use->system.opens),
                              count(use->system.users().count),
                              cell_if(tells(job.log, &PosixCounters::creates), count(use->system.creates)),
                              nanoseconds(use->system.metadata_time), bytes(use->application().bytes())});
    return table;
}

void add_failed_calls(const Job& job, std::size_t most, Blocks& blocks)
{
    DataTable table{.id = "failed_calls", .title = "Paths that calls failed on most"};
    table.columns = {
        {"path", "path", Measure::path}, {"calls", "calls", Measure::count}, {"why", "why", Measure::text}};
    bool at_least = false;
    for (const FailedCalls& one : most_failed(job.log, most)) {
        table.rows.push_back({path(one.path), count(one.calls), text(one.why)});
        at_least = at_least || one.at_least;
    }
    if (table.rows.empty()) return;
    table.remark = "Opens, stats and other calls by path, of all processes; why: of the last such call.";
    if (at_least)
        table.remark +=
            " There were more such paths than are counted by themselves: calls are at least these.";
    blocks.push_back(std::move(table));
}

void add_files_of_mpi(const Job& job, Blocks& blocks)
{
    const LeftOutFiles& left_out = job.of_mpi;
    if (left_out.files == 0) return;
    blocks.push_back(Paragraph{fmt::format(
        "{} {} of the MPI library itself, with {} and {} in I/O calls, {} in no table, mode or rate; `fathom "
        "dump` shows {}.",
        format_count(left_out.files), left_out.files == 1 ? "file" : "files", format_bytes(left_out.bytes),
        format_seconds(static_cast<double>(left_out.time) / 1e9), left_out.files == 1 ? "is" : "are",
        left_out.files == 1 ? "it" : "them")});
    Entries numbers;
    numbers.for_programs = true;
    numbers.entries = {{"mpi_files", "files of the MPI library", count(left_out.files), ""},
                       {"mpi_files_bytes", "bytes moved in them", bytes(left_out.bytes), ""},
                       {"mpi_files_time", "time in them", nanoseconds(left_out.time), ""}};
    blocks.push_back(std::move(numbers));
}

std::string not_shown(const std::vector<const FileUse*>& all, const std::vector<const FileUse*>& shown)
{
    if (shown.size() >= all.size()) return {};
    FileCount more;
    std::uint64_t bytes = 0, time = 0;
    for (const FileUse* use : all) {
        if (std::find(shown.begin(), shown.end(), use) != shown.end()) continue;
        more.add({use->files,
                  is_of_several(use->kind) ? FileCount::Certainty::about : FileCount::Certainty::exact});
        bytes += use->application().bytes();
        time += use->application().time();
    }
    return fmt::format("Not shown: {} more {} with {} and {} in I/O calls. ", more.words(),
                       more.files == 1 ? "file" : "files", format_bytes(bytes),
                       format_seconds(static_cast<double>(time) / 1e9));
}

}  // namespace

Blocks file_tables(const Job& job, const SectionChoice& choice)
{
    std::vector<const FileUse*> files;
    for (const FileUse& use : job.files)
        if (is_of_files(use.kind)) files.push_back(&use);
    if (files.empty()) {
        Blocks blocks = {
            Paragraph{"No files were used: what I/O there was went to standard streams and devices."}};
        add_failed_calls(job, choice.files, blocks);
        add_files_of_mpi(job, blocks);
        return blocks;
    }

    const Modes modes{modes_at(job, Level::application, Direction::read),
                      modes_at(job, Level::application, Direction::write)};
    const auto by_bytes =
        top(files, choice.files, [](const FileUse& use) { return use.application().bytes(); });
    const auto by_time =
        top(files, choice.files, [](const FileUse& use) { return use.application().time(); });
    Blocks blocks = {file_categories(job)};
    const std::string meaning = "Time is summed over all that used the file.";
    const auto add = [&](std::string id, std::string title, const std::vector<const FileUse*>& shown) {
        if (shown.empty()) return;
        DataTable table = table_of(job, modes, shown);
        table.id = std::move(id);
        table.title = std::move(title);
        table.remark = not_shown(files, shown) + meaning;
        if (&shown == &by_bytes) table.remark += note_on_movers(job);
        blocks.push_back(std::move(table));
    };
    add("files_by_bytes", "Files with most bytes", by_bytes);
    // A second table only where it holds other files.
    const auto in_first = [&](const FileUse* use) {
        return std::find(by_bytes.begin(), by_bytes.end(), use) != by_bytes.end();
    };
    if (!std::all_of(by_time.begin(), by_time.end(), in_first))
        add("files_by_time", "Files with most I/O time", by_time);
    const auto by_opens = top(files, choice.files,
                              [](const FileUse& use) { return is_opened_often(use) ? use.system.opens : 0; });
    if (!by_opens.empty()) {
        DataTable table = opens_table(job, by_opens);
        drop_unknown_columns(job.log, table);
        table.remark =
            "At least ten times, and three times by each that used it. Opens are POSIX's and stdio's; "
            "metadata "
            "is the time in opens, closes and all other calls but reads and writes.";
        blocks.push_back(std::move(table));
    }
    add_failed_calls(job, choice.files, blocks);
    add_files_of_mpi(job, blocks);
    return blocks;
}

}  // namespace fathom
