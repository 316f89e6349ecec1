// MPI_File_preallocate, for which MPI libraries write the whole file before the program does.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double clearly_more = 1.25;  // beneath, of what the program gave MPI-IO

constexpr Remedy preallocation_remedies[] = {
    {Language::c,
     "Leave MPI_File_preallocate out: writes make the file longer by themselves. Where its length has to be "
     "known, set it, which writes nothing:",
     {"MPI_File_set_size(file, size);"}},
    {Language::fortran,
     "Leave MPI_File_preallocate out: writes make the file longer by themselves. Where its length has to be "
     "known, set it, which writes nothing:",
     {"call MPI_File_set_size(file, size, ierror)"}},
    {Language::python,
     "Leave Preallocate out: writes make the file longer by themselves. Where its length has to be known, "
     "set it, which writes nothing:",
     {"file.Set_size(size)"}},
    {Language::packaged, "Look for an option of PROGRAM that has it set aside no room for its files."},
};

// Room that MPI-IO set aside for a file by writing all of it, in calls that are counted among others.
struct Preallocated {
    std::uint64_t calls = 0;
    double bytes = 0, written = 0;
    LostTime lost, writes;  // in these calls, and in the program's writes behind them
    MostLost<FileUse> most = {};
};

Preallocated preallocated_of(const Scene& scene)
{
    Preallocated all{.lost = LostTime(scene.job), .writes = LostTime(scene.job)};
    // Calls of that kind which wait for nothing take next to none of this.
    const auto in_others = static_cast<double>(scene.operations(Layer::mpiio, Kind::other).time);
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || !file.use->by_mpiio) continue;
        std::uint64_t calls = 0;
        double beneath = 0, written = 0, time = 0;
        for (const RecordView& record : file.records) {
            const auto bytes = static_cast<double>(record[&Transfers::bytes_written]);
            if (record.layer == Layer::posix) beneath += bytes;
            if (record.layer != Layer::mpiio) continue;
            written += bytes;
            calls += record[&MpiioRecord::truncates];
            if (record[&MpiioRecord::truncates] > 0)
                time += static_cast<double>(record[&Transfers::metadata_time]);
        }
        if (calls == 0 || written <= 0 || time <= 0 || beneath <= clearly_more * written) continue;
        all.calls += calls;
        all.bytes += beneath - written;
        all.written += written;
        const double part = std::min(in_others / time, 1.0);
        for (const RecordView& record : file.records)
            if (record.layer == Layer::mpiio && record[&MpiioRecord::truncates] > 0) {
                all.lost.add(record, part * static_cast<double>(record[&Transfers::metadata_time]));
                all.writes.add(record, static_cast<double>(record[&Transfers::write_time]));
            }
        all.most.add(*file.use, time);
    }
    return all;
}

}  // namespace

MaybeFinding preallocated(const Scene& scene)
{
    const Preallocated all = preallocated_of(scene);
    if (all.most.use == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    finding.title = fmt::format("{} that MPI_File_preallocate wrote, for {} of data",
                                format_bytes(whole(all.bytes)), format_bytes(whole(all.written)));
    // The first of two writes makes the file's pages and blocks: without it, those who write must do so.
    const auto writers =
        static_cast<double>(std::max<std::uint64_t>(all.most.use->application().writers().count, 1));
    const double cost = scene.cost(all.lost);
    finding.cost = seconds(cost);
    finding.cost_least = std::min(cost, cost * (1 - 1 / writers) + scene.cost(all.writes));
    finding.cost_basis =
        "the time of the ranks in MPI_File_preallocate and calls like it, of which those that write nothing "
        "take next to none; at least without what the writers then take to make the file's pages and blocks, "
        "which was done for them";
    finding.confidence = Confidence::medium;
    finding.evidence = {
        {"calls", "calls that set a file's size or room", count(all.calls), "summed over all ranks"},
        {"again", "written beyond the program's data", bytes(whole(all.bytes)),
         fmt::format("for {}", format_bytes(whole(all.written)))},
        {"file", "most time in", path(all.most.use->path),
         fmt::format("{} written", format_bytes(all.most.use->system.bytes_written))}};
    finding.why =
        "MPI-IO writes the whole file to have its room, by one rank while the others wait; then the program "
        "writes all of it once more.";
    finding.doubt = "A file system that has to have the room before the program begins.";
    finding.advice = advice_in(program_of(scene.job, all.lost, all.most.use->path), preallocation_remedies);
    return Found(std::move(finding), all.lost);
}

}  // namespace fathom
