// The same place of a file written several times, with little else in between: only the last time counts.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/fill_values.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/overwritten.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

struct Again {
    double bytes = 0, kept = 0;
    LostTime lost;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

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
        if (file.use->kind != NameKind::file || is_filled(scene, file)) continue;
        double time = 0;
        for (const RecordView& record : file.records) {
            const Overwritten again = overwritten_in(record);
            const double lost = again.share() * again.time;
            all.bytes += again.bytes;
            all.kept += again.written - again.bytes;
            all.lost.add(record, lost);
            time += lost;
        }
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
