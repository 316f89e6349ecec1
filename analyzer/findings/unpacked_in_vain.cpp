// An archive that is unpacked whole, of which the job uses a part, and removes the rest unread, or leaves it
// in a temporary folder.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/tool_runs.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::string_view unpacking_tools[] = {"tar", "bsdtar", "unzip", "7z", "cpio"};
constexpr std::uint64_t much_unpacked = 8 << 20;
constexpr double mostly_unread = 0.5;

struct Unpacked {
    double written = 0, in_vain = 0;  // bytes
    std::uint64_t files = 0, unread = 0;
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
        double written = 0;
        bool used = false, removed = is_in_temporary_folder(file.use->path);
        for (const RecordView& record : file.records) {
            if (runs.contains(record.process) && record[&Transfers::bytes_written] > 0 &&
                record[&Transfers::bytes_read] == 0) {
                by = &all[record.process];
                written += static_cast<double>(record[&Transfers::bytes_written]);
                continue;
            }
            if (record.layer == Layer::posix) {
                removed = removed || record[&PosixRecord::unlinks] > 0;
                used = used || record[&PosixRecord::maps] > 0 || record[&PosixRecord::renames] > 0 ||
                       record[&PosixRecord::links] > 0;
            }
            used = used || record.bytes() > 0;
        }
        if (by == nullptr) continue;
        by->written += written;
        ++by->files;
        if (used) by->used = file.use;
        if (used || !removed) continue;
        by->in_vain += written;
        ++by->unread;
    }
    return all;
}

}  // namespace

MaybeFinding unpacked_in_vain(const Scene& scene)
{
    const RunsByProcess runs = runs_of_tools(scene.job, unpacking_tools);
    if (runs.empty()) return {};
    Unpacked sum;
    double saved = 0;
    std::size_t number = 0;
    for (const auto& [process, one] : unpacked_by(scene, runs)) {
        if (one.used == nullptr || one.in_vain < mostly_unread * one.written) continue;
        sum.written += one.written;
        sum.in_vain += one.in_vain;
        sum.files += one.files;
        sum.unread += one.unread;
        if (one.used != nullptr) sum.used = one.used;
        saved += one.in_vain / one.written * static_cast<double>(runs.at(process)->run_time()) / 1e9;
        ++number;
    }
    if (sum.in_vain < static_cast<double>(much_unpacked)) return {};
    Finding finding;
    finding.title = fmt::format("{} unpacked from archives that nobody reads",
                                format_bytes(static_cast<std::uint64_t>(sum.in_vain)));
    finding.cost = seconds(std::min(saved, scene.run));
    finding.cost_basis = "the share of the unpacking runs' time by the bytes of these files";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"unread", "files that nobody read", count(sum.unread),
                         fmt::format("of {} that {} unpacked", format_count(sum.files),
                                     number == 1 ? "one run" : format_count(number) + " runs")},
                        {"unpacked", "unpacked in all", bytes(static_cast<std::uint64_t>(sum.written)), ""}};
    finding.evidence.push_back({"used", "used", path(sum.used->path), ""});
    finding.why = "What is unpacked is written, and removed again, whether it is used or not.";
    finding.doubt = "A compressed archive has to be gone through up to the last file that is wanted.";
    finding.advice = {
        {"Unpack only what is used, or read it from the archive:",
         {"tar -xf ARCHIVE MEMBERS", "tar -xOf ARCHIVE MEMBER | PROGRAM", "unzip ARCHIVE MEMBERS"}}};
    return Found(std::move(finding));
}

}  // namespace fathom
