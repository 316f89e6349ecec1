// The same files opened and closed again and again, around a little I/O each time.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_opens = 200, many_times = 10;

struct Churn {
    std::uint64_t opens = 0, needless = 0, files = 0;
    LostTime lost;
    double metadata = 0;  // ns: of the needless ones' share of all metadata calls on these files
    const FileUse* most = nullptr;
    std::uint64_t opens_of_most = 0;
};

Churn churn_of(const Scene& scene)
{
    Churn churn{.lost = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        churn.opens += view.opens;
        // One open for each process that uses the file is what it takes; of an overflow, one for each file.
        const std::uint64_t meant = std::max({view.users.count, file.use->files, std::uint64_t{1}});
        if (view.opens < many_times * meant) continue;
        ++churn.files;
        churn.needless += view.opens - meant;
        const double time = static_cast<double>(view.metadata_time) *
                            static_cast<double>(view.opens - meant) / static_cast<double>(view.opens);
        churn.metadata += time;
        churn.lost.add_by_time(file.records, time);
        if (view.opens <= churn.opens_of_most) continue;
        churn.opens_of_most = view.opens;
        churn.most = file.use;
    }
    return churn;
}

constexpr Remedy churn_remedies[] = {
    {Language::c,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, flush instead of closing:",
     {"fflush(file);"}},
    {Language::cxx,
     "Let the stream live longer than the loop; where others should see what was written so far, flush "
     "instead of closing:",
     {"std::ofstream file(path);  // before the loop", "file.flush();"}},
    {Language::fortran,
     "OPEN the file once, before the loop, and CLOSE it after; where others should see what was written so "
     "far, flush instead of closing:",
     {"flush(unit)"}},
    {Language::hdf5,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, flush instead of closing:",
     {"H5Fflush(file, H5F_SCOPE_GLOBAL);"}},
    {Language::python,
     "Open the file once, around the loop; where others should see what was written so far, flush instead "
     "of closing:",
     {"with open(path, \"a\") as file:    # around the loop", "    for line in lines: file.write(line)",
      "    file.flush()"}},
    {Language::h5py,
     "Open the file once, around the loop; where others should see what was written so far, flush instead "
     "of closing:",
     {"with h5py.File(path, \"a\") as file:    # around the loop", "    file.flush()"}},
    {Language::script, "Open the file once, before the loop, and close it after."},
    {Language::shell,
     "Open the file once, for the whole loop, rather than by >> in each turn:",
     {"for name in LIST; do", "    echo \"$name\"", "done > FILE"}},
    {Language::shell,
     "Or, where the loop writes elsewhere as well:",
     {"exec 3>> FILE    # before the loop", "echo \"$name\" >&3"}},
    {Language::packaged,
     "Have one run of PROGRAM do the work of many, where it takes several inputs or a list of them."},
    {Language::sqlite,
     "Have one run of sqlite3 do all statements, and keep its journal open:",
     {"sqlite3 DATABASE < STATEMENTS", "PRAGMA journal_mode = WAL;"}},
};

}  // namespace

MaybeFinding open_close_churn(const Scene& scene)
{
    const Churn churn = churn_of(scene);
    if (churn.needless < few_opens) return {};
    const double time = churn.metadata;
    const bool timed = scene.times(Layer::posix, Kind::open);
    Finding finding;
    finding.title = fmt::format("{} opened and closed {} times more than needed",
                                churn.files == 1 ? "one file" : format_count(churn.files) + " files",
                                format_count(churn.needless));
    finding.title[0] = churn.files == 1 ? 'O' : finding.title[0];
    finding.cost = seconds(scene.cost(churn.lost, time));
    finding.cost_basis = fmt::format(
        "the share of these in the time of all calls on these files that move no data; one open a {} is "
        "taken as "
        "needed",
        scene.member());
    finding.confidence = timed ? Confidence::high : Confidence::medium;
    finding.evidence = {{"needless_opens", "opens beyond the first", count(churn.needless),
                         fmt::format("of {} opens in all", format_count(churn.opens))},
                        {"time_per_open", "each, with its close",
                         seconds(time / 1e9 / static_cast<double>(churn.needless)), ""},
                        {"file", "most often opened", path(churn.most->path),
                         fmt::format("{} times, for {} of data", format_count(churn.opens_of_most),
                                     format_bytes(churn.most->system.bytes()))}};
    finding.why =
        "Every open looks the path up again, on a network file system at the server, and a close may have to "
        "wait until the data are there.";
    finding.doubt = "Files that must be closed so that another program sees them.";
    finding.advice = advice_in(program_of(scene.job, churn.lost, churn.most->path), churn_remedies);
    Found found(std::move(finding), churn.lost);
    found.metadata = scene.cost(churn.lost);
    return found;
}

}  // namespace fathom
