// The same place of a file written several times, with little else in between: only the last time counts.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

// More than this part of the file's extent was written; of the time from the first write to the last, so much
// went into writes, so that it is no state that is kept up to date; and next to nothing was read.
constexpr double clearly_again = 1.25, at_once = 0.5, hardly_read = 0.1;

struct Again {
    double bytes = 0, kept = 0, time = 0;
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

// How often the file was made anew, each time with what belongs there.
double times_made(const RecordView& record)
{
    std::uint64_t times = 0;
    if (record.layer == Layer::posix) {
        times = record[&PosixRecord::creates] + record[&PosixRecord::truncates];
    } else {
        times = record[&StdioRecord::creates];
    }
    return static_cast<double>(std::max<std::uint64_t>(times, 1));
}

// With the syncs in which much is written; those after every few bytes are a finding of their own.
std::uint64_t time_writing(const RecordView& record)
{
    constexpr std::uint64_t enough_a_sync = 16 << 20;
    const bool in_syncs = record[&Transfers::syncs] > 0 &&
                          record[&Transfers::bytes_written] / record[&Transfers::syncs] >= enough_a_sync;
    return record[&Transfers::write_time] - (in_syncs ? 0 : record[&Transfers::sync_time]);
}

// Bytes that were written over.
double bytes_again(const RecordView& record)
{
    if (!record.has_pattern() || record.layer == Layer::mpiio || record[&Pattern::highest_written] == 0)
        return 0;
    const auto written = static_cast<double>(record[&Transfers::bytes_written]),
               processes = static_cast<double>(std::max<std::uint64_t>(record[&Sharing::processes], 1)),
               kept = static_cast<double>(record[&Pattern::highest_written]) * processes * times_made(record),
               span = static_cast<double>(
                   record[&Transfers::last_write] -
                   std::min(record[&Transfers::first_write], record[&Transfers::last_write]));
    if (written <= clearly_again * kept ||
        static_cast<double>(record[&Transfers::bytes_read]) > hardly_read * written ||
        static_cast<double>(record[&Transfers::write_time]) < at_once * span * processes)
        return 0;
    return written - kept;
}

constexpr Remedy written_again_remedies[] = {
    {Language::c, "Keep what still changes in memory and write it once, when it is done."},
    {Language::c,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"posix_fallocate(fd, 0, length);"}},
    {Language::python, "Keep what still changes in memory and write it once, when it is done."},
    {Language::python,
     "Do not fill a file with zeros first. To have its room set aside:",
     {"os.posix_fallocate(file.fileno(), 0, length)"}},
    {Language::script, "Keep what still changes in memory and write it once, when it is done."},
    {Language::packaged, "Look for an option of PROGRAM that has it write its output once."},
};

}  // namespace

MaybeFinding written_again(const Scene& scene)
{
    Again all{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        double time = 0;
        for (const RecordView& record : file.records) {
            const double again = bytes_again(record);
            if (again <= 0) continue;
            const auto written = static_cast<double>(record[&Transfers::bytes_written]);
            const double lost = again / written * static_cast<double>(time_writing(record));
            all.bytes += again;
            all.kept += written - again;
            all.lost.add(record, lost);
            time += lost;
        }
        all.time += time;
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = file.use;
    }
    if (all.most == nullptr) return {};
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    Finding finding;
    finding.title =
        fmt::format("{} written over what the program had just written", format_bytes(whole(all.bytes)));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis =
        "their share of the time in writes of these files, and in syncs that had much to write";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"again", "written over", bytes(whole(all.bytes)),
                         fmt::format("of {}", format_bytes(whole(all.bytes + all.kept)))},
                        {"kept", "what the files hold of it", bytes(whole(all.kept)), "at most"},
                        {"file", "most time in", path(all.most->path),
                         fmt::format("{} written", format_bytes(all.most->system.bytes_written))}};
    finding.why =
        "Only what was written last is kept; the rest took time on its way to the file system for nothing.";
    finding.doubt = "Several passes that another program, or a restart, relies on.";
    finding.advice = advice_in(program_of(scene.job, all.lost, all.most->path), written_again_remedies);
    return Found(std::move(finding), all.lost);
}

}  // namespace fathom
