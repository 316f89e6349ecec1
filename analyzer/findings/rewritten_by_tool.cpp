// A tool that a script starts for each change of a file, and that writes the whole file anew each time: zip
// for each member of an archive, sed -i for each expression.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

// Nearly all of them read the file, and write as much as it has, or more.
constexpr std::size_t few_runs = 5;
constexpr double by_nearly_all = 0.8;
constexpr std::uint64_t much_rewritten = 16 << 20;
// A turn of the loop has other programs in it, such as mv; one that is longer does other work.
constexpr double most_of_turn = 2.5;

struct Rewriting {
    ToolRuns runs;
    const FileUse* file = nullptr;
    std::uint64_t written = 0;
    // s: of the runs but the last, of the turns of the loop with what else is in them, and of what each run
    // works beside copying.
    double in_runs = 0, in_turns = 0, own_work = 0;
};

double shortest_of(const ToolRuns& runs)  // s
{
    std::uint64_t least = ~std::uint64_t{0};
    for (const Member* const member : runs.members) least = std::min(least, member->run_time());
    return static_cast<double>(least) / 1e9;
}

// The files that nearly all of these read, of which together they read most of what they read: else it is
// their configuration. The one with most is returned.
const FileUse* read_by_most(const Scene& scene, const ToolRuns& runs, std::uint64_t all)
{
    std::unordered_set<std::int64_t> ours;
    for (const Member* const member : runs.members) ours.insert(member->process.process);
    const auto nearly_all =
        static_cast<std::size_t>(by_nearly_all * static_cast<double>(runs.members.size() - 1));
    const FileUse* most = nullptr;
    std::uint64_t bytes = 0, of_most = 0;
    for (const FileCase& file : scene.files) {
        std::size_t readers = 0;
        std::uint64_t of_file = 0;
        for (const RecordView& record : file.records)
            if (record[&Transfers::bytes_read] > 0 && ours.contains(record.process)) {
                ++readers;
                of_file += record[&Transfers::bytes_read];
            }
        if (readers < std::max<std::size_t>(nearly_all, 1)) continue;
        bytes += of_file;
        if (of_file <= of_most) continue;
        of_most = of_file;
        most = file.use;
    }
    return 2 * bytes >= all ? most : nullptr;
}

// What cat joins takes the place of what it reads where it goes by way of one temporary file, which is
// renamed each time: else it makes files of their own.
bool makes_own_files(const Scene& scene, const ToolRuns& runs)
{
    if (runs.name() != "cat") return false;
    std::uint64_t most = 0;
    for (const FileCase& file : scene.files) most = std::max(most, file.in_posix(&PosixCounters::renames));
    return static_cast<double>(most) < by_nearly_all * static_cast<double>(runs.members.size());
}

constexpr Remedy rewriting_remedies[] = {
    {Language::packaged,
     "Have one run of sed make all changes, each of which begins with -e:",
     {"sed -i -e EXPRESSION -e EXPRESSION FILE"},
     "sed"},
    {Language::packaged,
     "Have one run of zip make the archive from all files:",
     {"zip ARCHIVE FILES    # or, of a list: zip ARCHIVE -@ < LIST"},
     "zip"},
    {Language::packaged,
     "Have one run of 7z make the archive from all files:",
     {"7z a ARCHIVE FILES    # or, of a list: 7z a ARCHIVE @LIST"},
     "7z"},
    {Language::packaged,
     "Have cat add to the end of the file, rather than copy what is there:",
     {"cat NEW >> FILE    # for: cat FILE NEW > TMP; mv TMP FILE"},
     "cat"},
    {Language::script,
     "Have one run of PROGRAM make all changes: give it all files, or all expressions, at once."},
};

}  // namespace

MaybeFinding rewritten_by_tool(const Scene& scene)
{
    Rewriting most;
    for (const ToolRuns& runs : runs_of_tools(scene.job)) {
        if (runs.members.size() < few_runs ||
            keeps_versions({.language = Language::packaged, .name = runs.name()}))
            continue;
        std::uint64_t read = 0, written = 0;
        for (const Member* const member : runs.members) {
            read += member->application_bytes(Direction::read);
            written += member->application_bytes(Direction::write);
        }
        // Each new one takes the place of the last, by the tool itself or by mv.
        if (static_cast<double>(scene.sums.posix.renames) <
                by_nearly_all * static_cast<double>(runs.members.size()) ||
            makes_own_files(scene, runs))
            continue;
        const double all = seconds_of(runs.members), last = seconds_of({runs.members.back()});
        if (written < much_rewritten ||
            static_cast<double>(written) < by_nearly_all * static_cast<double>(read) ||
            all - last <= most.in_runs)
            continue;
        const double span =
            static_cast<double>(runs.members.back()->process.start - runs.members.front()->process.start) /
            1e9;
        if (const FileUse* const file = read_by_most(scene, runs, read))
            most = {.runs = runs,
                    .file = file,
                    .written = written,
                    .in_runs = all - last,
                    .in_turns = std::clamp(span, all - last, most_of_turn * (all - last)),
                    .own_work = shortest_of(runs) * static_cast<double>(runs.members.size() - 1)};
    }
    if (most.file == nullptr) return {};
    Finding finding;
    const std::string name = most.runs.name();
    finding.title = fmt::format("{} runs of {}, each rewriting a whole file",
                                format_count(most.runs.members.size()), name);
    finding.cost = seconds(std::min(most.in_turns, scene.run));
    finding.cost_least = std::max(std::min(most.in_runs, scene.run) - most.own_work, 0.0);
    finding.cost_basis =
        "at most the time from one start to the next, but for the last one, which wrote all there is; at "
        "least the time in which any of the others ran, without what the shortest of them took each time, "
        "which may be the work on what is new";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"runs", "runs", count(most.runs.members.size()), name},
                        {"written", "written by them", bytes(most.written), ""},
                        {"file", "read by nearly all of them", path(most.file->path), ""}};
    finding.why = "The tool cannot change a file in place: it copies all that is there for each change.";
    finding.doubt = "Changes that are known only one at a time, each after somebody has used the file.";
    finding.advice = advice_in({.language = Language::packaged, .name = name}, rewriting_remedies);
    return Found(std::move(finding));
}

}  // namespace fathom
