// An archive that is unpacked whole, or files that are copied, of which the job reads a part, and removes the
// rest unread, or leaves it in a temporary folder.
#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::string_view unpacking_tools[] = {"tar", "bsdtar", "unzip", "7z", "cpio"},
                           bringing_tools[] = {"cp", "rsync"};
constexpr std::uint64_t much_unpacked = 8 << 20;
constexpr double mostly_unread = 0.5, hardly_any_read = 0.1;

struct Unpacked {
    double written = 0, in_vain = 0;  // bytes
    double saved = 0;                 // s
    std::uint64_t files = 0, unread = 0, runs = 0;
    const FileUse* used = nullptr;
};

// Nobody looks for results there.
bool is_in_temporary_folder(std::string_view path)
{
    constexpr std::string_view folders[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};
    return std::any_of(std::begin(folders), std::end(folders),
                       [&](std::string_view folder) { return path.starts_with(folder); });
}

// By run of such a tool.
using UnpackedByRun = std::unordered_map<std::int64_t, Unpacked>;

UnpackedByRun unpacked_by(const Scene& scene, const RunsByProcess& runs)
{
    UnpackedByRun all;
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file) continue;
        Unpacked* by = nullptr;
        double written = 0, read = 0;
        bool kept = false, removed = is_in_temporary_folder(file.use->path);
        for (const RecordView& record : file.records) {
            if (runs.contains(record.process) && record[&Transfers::bytes_written] > 0 &&
                record[&Transfers::bytes_read] == 0) {
                by = &all[record.process];
                written += static_cast<double>(record[&Transfers::bytes_written]);
                continue;
            }
            if (record.layer == Layer::posix) {
                removed = removed || record[&PosixRecord::unlinks] > 0;
                kept = kept || record[&PosixRecord::maps] > 0 || record[&PosixRecord::renames] > 0 ||
                       record[&PosixRecord::links] > 0;
            }
            kept = kept || record[&Transfers::bytes_written] > 0;
            read += static_cast<double>(record[&Transfers::bytes_read]);
        }
        if (by == nullptr) continue;
        by->written += written;
        ++by->files;
        if (kept || read > 0) by->used = file.use;
        if (kept || !removed || read >= hardly_any_read * written) continue;
        by->in_vain += written - read;
        ++by->unread;
    }
    return all;
}

Unpacked sum_of(const Scene& scene, std::span<const std::string_view> names)
{
    Unpacked sum;
    const RunsByProcess runs = runs_of_tools(scene.job, names);
    if (runs.empty()) return sum;
    for (const auto& [process, one] : unpacked_by(scene, runs)) {
        if (one.used == nullptr || one.in_vain < mostly_unread * one.written) continue;
        sum.written += one.written;
        sum.in_vain += one.in_vain;
        sum.files += one.files;
        sum.unread += one.unread;
        sum.used = one.used;
        sum.saved += one.in_vain / one.written * static_cast<double>(runs.at(process)->run_time()) / 1e9;
        ++sum.runs;
    }
    return sum;
}

}  // namespace

MaybeFinding unpacked_in_vain(const Scene& scene)
{
    const Unpacked unpacked = sum_of(scene, unpacking_tools), brought = sum_of(scene, bringing_tools);
    const bool copies = brought.saved > unpacked.saved;
    const Unpacked& sum = copies ? brought : unpacked;
    if (sum.in_vain < static_cast<double>(much_unpacked)) return {};
    const std::string_view done = copies ? "copied" : "unpacked";
    Finding finding;
    finding.title =
        fmt::format("{} {} that nobody reads", format_bytes(static_cast<std::uint64_t>(sum.in_vain)),
                    copies ? "copied into files" : "unpacked from archives");
    finding.cost = seconds(std::min(sum.saved, scene.run));
    finding.cost_basis = "the share of these runs' time by the bytes that are not read";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"unread", "files that hardly anybody read", count(sum.unread),
                         fmt::format("of {} that {} {}", format_count(sum.files),
                                     sum.runs == 1 ? "one run" : format_count(sum.runs) + " runs", done)},
                        {std::string(done), fmt::format("{} in all", done),
                         bytes(static_cast<std::uint64_t>(sum.written)), ""},
                        {"used", "used", path(sum.used->path), ""}};
    if (copies) {
        finding.why = "A copy moves all of a file, however little of it is read afterwards.";
        finding.doubt = "Files that are read by other jobs, or that change meanwhile.";
        finding.advice = {{"Use the files where they are, by their path or a link:", {"ln -s FILE FOLDER/"}}};
    } else {
        finding.why = "What is unpacked is written, and removed again, whether it is used or not.";
        finding.doubt = "A compressed archive has to be gone through up to the last file that is wanted.";
        finding.advice = {
            {"Unpack only what is used, or read it from the archive:",
             {"tar -xf ARCHIVE MEMBERS", "tar -xOf ARCHIVE MEMBER | PROGRAM", "unzip ARCHIVE MEMBERS"}}};
    }
    return Found(std::move(finding));
}

}  // namespace fathom
