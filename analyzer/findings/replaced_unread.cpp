// A file that is written whole again and again, each time in place of the last, and that nobody reads: a
// checkpoint or a state that is kept more often than it could be needed.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

// A state may grow; it may be read once, when all is done. Short files are a matter of their opens
// (open_close_churn).
constexpr double least_times = 4, grown_to = 0.4, read_once = 1.1;
constexpr std::uint64_t least_replaced = 64 << 10;
// Less of the run is what keeping a state may well be worth; and no run is so unsafe that it is needed more
// often (s).
constexpr double much_of_run = 0.15, often = 60;
// Of fewer times the last is no small part of it, and a short run has no more.
constexpr double times_of_many = 20, much_of_few = 0.3, times_of_some = 8, most_of_run = 0.5;

struct Replaced {
    double times = 0, bytes = 0;  // of the files, together
    LostTime lost, work;
    std::uint64_t files = 0;
    MostLost<FileUse> most = {};
    double times_of_most = 0;
};

// How often the process made or emptied the file. HDF5 sets a file's length at each flush.
double times_of(const RecordView& record, bool by_hdf5)
{
    if (record.layer == Layer::mpiio || !record.has_pattern()) return 0;
    if (record.layer == Layer::stdio) return static_cast<double>(record[&StdioRecord::creates]);
    const std::uint64_t creates = record[&PosixRecord::creates],
                        truncates = by_hdf5 ? 0 : record[&PosixRecord::truncates];
    // It may be made anew and have its length set each time.
    return static_cast<double>(creates > 1 ? std::max(creates, truncates) : creates + truncates);
}

// By MPI-IO, as often as the ranks opened it together and wrote all of it; all of them wait for each other.
void add_together(Replaced& sum, const FileCase& file)
{
    constexpr double nearly = 0.9;
    double times = 0, time = 0, written = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::mpiio) continue;
        times += static_cast<double>(record[&Transfers::opens]);
        written += static_cast<double>(record[&Transfers::bytes_written]);
        time += static_cast<double>(record.time());
    }
    times /= static_cast<double>(std::max<std::uint64_t>(file.use->application().users().count, 1));
    if (times < least_times ||
        written < nearly * times * static_cast<double>(file.use->system.highest_written))
        return;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::mpiio)
            sum.lost.add(record, (1 - 1 / times) * static_cast<double>(record.time()));
    sum.times += times;
    sum.bytes += written;
    ++sum.files;
    sum.most.add(*file.use, time);
    if (sum.most.use == file.use) sum.times_of_most = times;
}

void add(Replaced& sum, const Scene& scene, const FileCase& file)
{
    const FileView& view = file.use->system;
    const auto whole = static_cast<double>(view.highest_written);
    if (file.use->kind != NameKind::file || view.highest_written < least_replaced ||
        static_cast<double>(view.bytes_read) > read_once * whole || file.is_many_renamed())
        return;
    if (file.use->by_mpiio) return add_together(sum, file);
    const auto processes = static_cast<double>(std::max<std::uint64_t>(view.users().count, 1));
    const bool by_hdf5 =
        scene.datasets.file_of(file.use->file) != nullptr || is_named_as_hdf5(file.use->path);
    std::array<double, layers> times_in{};  // a stream of a descriptor says again that it was made
    double time = 0;
    bool renamed = false;  // the last one is kept beside it
    for (const RecordView& record : file.records) {
        times_in[static_cast<std::size_t>(record.layer)] += times_of(record, by_hdf5);
        renamed = renamed || (record.layer == Layer::posix && record[&PosixRecord::renames] > 0);
        time += static_cast<double>(record.time());
    }
    const double times = *std::max_element(times_in.begin(), times_in.end()) / processes;
    if (times < (renamed ? times_of_some : least_times) ||
        static_cast<double>(view.bytes_written) < grown_to * times * whole)
        return;
    const double part = 1 - 1 / times;
    sum.lost.add_by_time(file.records, part * time);
    const bool interpreted = is_interpreted(program_of(scene.job, sum.lost, file.use->path));
    for (const RecordView& record : file.records)
        sum.work.add(record, part * scene.work_on_whole(file, record, interpreted));
    sum.times += times;
    sum.bytes += static_cast<double>(view.bytes_written);
    ++sum.files;
    sum.most.add(*file.use, time);
    if (sum.most.use == file.use) sum.times_of_most = times;
}

constexpr Remedy replaced_remedies[] = {
    {Language::c,
     "Keep it once in a while rather than at each step, by time: as often as the run could bear to lose what "
     "it has done since:",
     {"if (now - last_kept > 600) keep(state);"}},
    {Language::python,
     "Keep it once in a while rather than at each step, by time: as often as the run could bear to lose what "
     "it has done since:",
     {"if time.monotonic() - last_kept > 600: keep(state)"}},
    {Language::script,
     "Keep it once in a while rather than at each step, by time: as often as the run could bear to lose what "
     "it has done since."},
    {Language::packaged, "Look for an option of PROGRAM that has it keep its state less often."},
    {Language::sqlite,
     "Put many changes into one transaction, and VACUUM seldom: this is SQLite's journal, to which each of "
     "them saves what it changes, and VACUUM the whole database:",
     {"BEGIN; …; COMMIT;"}},
};

}  // namespace

MaybeFinding replaced_unread(const Scene& scene)
{
    Replaced sum{.lost = LostTime(scene.job), .work = LostTime(scene.job)};
    for (const FileCase& file : scene.files) add(sum, scene, file);
    if (sum.most.use == nullptr) return {};
    const double in_calls = scene.cost(sum.lost),
                 cost = std::min(in_calls + scene.cost_beyond_io(sum.work), scene.run),
                 each = scene.run / sum.times_of_most;
    const double least = sum.times_of_most < times_of_some   ? most_of_run
                         : sum.times_of_most < times_of_many ? much_of_few
                                                             : 0;
    if (cost < much_of_run * scene.run || each > often || in_calls < least * scene.run) return {};
    Finding finding;
    finding.title =
        fmt::format("{} written whole {} times, each in place of the last, and not read in between",
                    sum.files == 1 ? std::string("one file") : format_count(sum.files) + " files",
                    format_count(static_cast<std::uint64_t>(sum.times)));
    if (sum.files == 1) finding.title[0] = 'O';
    finding.cost = seconds(cost);
    finding.cost_least = in_calls / 2;
    finding.cost_basis =
        "at most all calls on these files, and what the program computes while it has them open, but for "
        "those of one time; at least half of these calls, as where it is kept half as often";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"written", "written", bytes(static_cast<std::uint64_t>(sum.bytes)),
                         "of which only the last is kept"},
                        {"each", "once in", seconds(each), "on average"},
                        {"file", "most time in", path(sum.most.use->path),
                         fmt::format("{} in calls on it", format_seconds(sum.most.lost / 1e9))}};
    finding.why =
        "What was written is gone before anybody in this job has read it: it would have been of use only if "
        "the run had ended in between.";
    finding.doubt =
        "A program beside this job that reads each of them, such as one that shows how far it is.";
    AdvisedProgram program = program_of(scene.job, sum.lost, sum.most.use->path);
    if (sum.most.use->path.ends_with(sqlite_journal)) program.language = Language::sqlite;
    finding.advice = advice_in(program, replaced_remedies);
    Found found(std::move(finding), sum.lost);
    found.file = sum.most.use;
    return found;
}

}  // namespace fathom
