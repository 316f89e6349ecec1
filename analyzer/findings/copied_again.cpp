// One file that a script copies with cp for each of its tasks, which read their copies and leave them as they
// are: a link would do.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::string_view copying_tools[] = {"cp"};
constexpr std::size_t several_copies = 3;
constexpr std::uint64_t much_of_each = 256 << 10;
// A copy that is read more often may be worth its time, on storage that is quicker.
constexpr double read_about_once = 1.5;

// Those of whose copies somebody changed half or more, or read it again and again, or at all where they are
// on a disk of the node.
std::unordered_set<std::int64_t> of_use(const Scene& scene, const RunsByProcess& runs)
{
    struct Bytes {
        double copied = 0, used = 0;
    };
    std::unordered_map<std::int64_t, Bytes> by_run;
    const Mounts mounts(scene.job.log);
    for (const FileCase& file : scene.files) {
        const bool brought = scene.job.nodes() > 1 && is_local(mounts.type_of(*file.use));
        std::vector<std::pair<std::int64_t, double>> copied_by;
        double copied = 0, read = 0;
        bool changed = false, mapped = false, renamed = false;
        for (const RecordView& record : file.records) {
            const bool by_cp = runs.contains(record.process);
            const auto written = static_cast<double>(record[&Transfers::bytes_written]);
            if (by_cp && written > 0) {
                copied_by.emplace_back(record.process, written);
                copied += written;
            }
            if (by_cp) continue;
            changed = changed || written > 0;
            read += static_cast<double>(record[&Transfers::bytes_read]);
            renamed = renamed || (record.layer == Layer::posix && record[&PosixRecord::renames] > 0);
            // How much is read by a mapping, no call shows.
            mapped = mapped || (record.layer == Layer::posix && record[&PosixRecord::maps] > 0);
        }
        // Nodes have files of their own under one path.
        const double used = changed || mapped || (brought && renamed) || read > read_about_once * copied ? 1
                            : brought && copied > 0 ? std::min(read / copied, 1.0)
                                                    : 0;
        for (const auto& [run, bytes] : copied_by) {
            by_run[run].copied += bytes;
            by_run[run].used += used * bytes;
        }
    }
    std::unordered_set<std::int64_t> useful;
    for (const auto& [run, bytes] : by_run)
        if (bytes.used >= bytes.copied / 2) useful.insert(run);
    return useful;
}

struct Copies {
    std::vector<const Member*> runs;
    std::uint64_t files = 0, bytes = 0, most_bytes = 0;
    const FileUse* most = nullptr;
};

Copies copies_in(const Scene& scene)
{
    Copies all;
    const RunsByProcess runs = runs_of_tools(scene.job, copying_tools);
    if (runs.size() < several_copies) return all;
    const std::unordered_set<std::int64_t> useful = of_use(scene, runs);
    std::unordered_set<std::int64_t> counted;
    for (const FileCase& file : scene.files) {
        std::vector<std::int64_t> readers;
        std::uint64_t read = 0;
        for (const RecordView& record : file.records) {
            if (!runs.contains(record.process) || useful.contains(record.process) ||
                record[&Transfers::bytes_read] < much_of_each)
                continue;
            readers.push_back(record.process);
            read += record[&Transfers::bytes_read];
        }
        if (readers.size() < several_copies) continue;
        ++all.files;
        all.bytes += read;
        counted.insert(readers.begin(), readers.end());
        if (read <= all.most_bytes) continue;
        all.most_bytes = read;
        all.most = file.use;
    }
    for (const std::int64_t process : counted) all.runs.push_back(runs.at(process));
    return all;
}

}  // namespace

MaybeFinding copied_again(const Scene& scene)
{
    const Copies copies = copies_in(scene);
    if (copies.most == nullptr) return {};
    Finding finding;
    finding.title = fmt::format("{} copied by {} runs of cp, {} in all",
                                copies.files == 1 ? "One file" : format_count(copies.files) + " files",
                                format_count(copies.runs.size()), format_bytes(copies.bytes));
    finding.cost = seconds(std::min(seconds_of(copies.runs), scene.run));
    finding.cost_basis = "the time in which any of these ran";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"copies", "runs of cp", count(copies.runs.size()), ""},
                        {"copied", "copied", bytes(copies.bytes), "read about once, and not changed"},
                        {"file", "most of it from", path(copies.most->path), ""}};
    finding.why = "Each copy moves all of the file, in both directions, and takes its room in memory anew.";
    finding.doubt =
        "Programs that change their copy after the job; a copy on quicker storage that others use.";
    finding.advice = {{"Have each task use the one file, by its path or a link:", {"ln -s FILE FOLDER/"}},
                      {"Where it has to be near, make one copy for each node:",
                       {"srun --ntasks-per-node=1 cp FILE /tmp/"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
