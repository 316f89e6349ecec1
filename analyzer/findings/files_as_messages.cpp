// Small files that ranks use as messages: one makes each, another looks at it, and it is removed, or stays.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_files_between_ranks = 200, most_of_message = 64 << 10;  // bytes
// Of those that stay: so many are no set of parts that one rank wrote for the others.
constexpr std::uint64_t few_kept = 100;

// The small files of a folder.
struct Folder {
    std::vector<const FileCase*> kept;     // written by one rank, read by another
    std::vector<const FileCase*> whole;    // made by one rank, used by another, and removed
    std::vector<const FileCase*> renamed;  // made, and then given another name
    std::vector<const FileCase*> taken;    // under which others used them, and removed them
};

void sort_in(std::unordered_map<std::string, Folder>& folders, const FileCase& file)
{
    const FileUse& use = *file.use;
    if (use.kind != NameKind::file || use.by_mpiio || is_python_module(use.path)) return;
    const FileView& view = use.application();
    const Movers writers = view.writers(), readers = view.readers();
    if (writers.count == 1 && (readers.count > 1 || (readers.count == 1 && readers.one != writers.one)) &&
        view.highest_written <= most_of_message)
        folders[folder_of(use.path)].kept.push_back(&file);
    if (std::max(use.system.bytes_written, use.system.bytes_read) > most_of_message) return;
    std::uint64_t creates = 0, unlinks = 0, renames = 0, looks = 0;
    for (const RecordView& record : file.records) {
        looks += record[&Transfers::opens];
        if (record.layer == Layer::stdio) creates += record[&StdioRecord::creates];
        if (record.layer != Layer::posix) continue;
        creates += record[&PosixRecord::creates];
        unlinks += record[&PosixRecord::unlinks];
        renames += record[&PosixRecord::renames];
        looks += record[&PosixRecord::stats];
    }
    const bool by_several = use.application().users().count > 1;
    if (creates > 0 && renames > 0)
        folders[folder_of(use.path)].renamed.push_back(&file);
    else if (creates > 0 && unlinks > 0 && by_several)
        folders[folder_of(use.path)].whole.push_back(&file);
    else if (creates == 0 && unlinks > 0 && looks > 0 && (by_several || readers.count == 1))
        folders[folder_of(use.path)].taken.push_back(&file);
}

// Files that one rank alone used and removed came from another where that one wrote them under a longer name,
// such as NAME.part.
void drop_own(Folder& folder)
{
    std::vector<std::pair<std::string_view, std::int64_t>> written;  // path, rank
    for (const FileCase* const file : folder.renamed)
        written.emplace_back(file->use->path, file->use->application().writers().one);
    std::sort(written.begin(), written.end());
    std::erase_if(folder.taken, [&](const FileCase* file) {
        const FileView& view = file->use->application();
        if (view.users().count > 1) return false;
        const std::string_view path = file->use->path;
        const auto from = std::lower_bound(written.begin(), written.end(), std::pair(path, INT64_MIN));
        return from == written.end() || !from->first.starts_with(path) || from->second == view.readers().one;
    });
}

struct FilesBetweenRanks {
    std::uint64_t number = 0, bytes = 0;
    bool kept = false;
    double metadata = 0;  // ns
    LostTime lost;
    const FileUse* one = nullptr;

    void add(const FileCase& file)
    {
        const auto time = static_cast<double>(file.use->system.time());
        bytes += file.use->system.bytes_written;
        metadata += static_cast<double>(file.use->system.metadata_time);
        lost.add_by_time(file.records, time);
        if (one == nullptr) one = file.use;
    }
};

// Of several ranks: what one writes for all others may be their input.
FilesBetweenRanks kept_in(const Scene& scene, const std::unordered_map<std::string, Folder>& folders)
{
    FilesBetweenRanks sum{.kept = true, .lost = LostTime(scene.job)};
    for (const auto& [path, folder] : folders) {
        std::unordered_set<std::int64_t> writers;
        for (const FileCase* const file : folder.kept) writers.insert(file->use->application().writers().one);
        if (folder.kept.size() < few_kept || writers.size() < 2) continue;
        sum.number += folder.kept.size();
        for (const FileCase* const file : folder.kept) sum.add(*file);
    }
    return sum;
}

FilesBetweenRanks messages_in(const Scene& scene)
{
    std::unordered_map<std::string, Folder> folders;
    for (const FileCase& file : scene.files) sort_in(folders, file);
    FilesBetweenRanks sum{.lost = LostTime(scene.job)};
    for (auto& [path, folder] : folders) {
        drop_own(folder);
        sum.number += folder.whole.size();
        for (const FileCase* const file : folder.whole) sum.add(*file);
        // Each has two names; of files that keep the second one there are more renamed than removed.
        constexpr double nearly_all = 0.8;
        if (static_cast<double>(folder.taken.size()) <
            nearly_all * static_cast<double>(folder.renamed.size()))
            continue;
        const std::size_t both = std::min(folder.taken.size(), folder.renamed.size());
        sum.number += both;
        for (std::size_t at = 0; at < both; ++at) {
            sum.add(*folder.taken[at]);
            sum.add(*folder.renamed[at]);
        }
    }
    return sum.number < few_files_between_ranks ? kept_in(scene, folders) : sum;
}

constexpr Remedy between_ranks_remedies[] = {
    {Language::c,
     "Send what the files say as messages, or meet at a barrier where they only say that a rank is ready:",
     {"MPI_Sendrecv(&mine, 1, MPI_INT, next, 0, &its, 1, MPI_INT, last, 0, MPI_COMM_WORLD, "
      "MPI_STATUS_IGNORE);",
      "MPI_Barrier(MPI_COMM_WORLD);"}},
    {Language::fortran,
     "Send what the files say as messages, or meet at a barrier where they only say that a rank is ready:",
     {"call MPI_Sendrecv(mine, 1, MPI_INTEGER, next, 0, its, 1, MPI_INTEGER, last, 0, &",
      "                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)",
      "call MPI_Barrier(MPI_COMM_WORLD, error)"}},
    {Language::python,
     "Send what the files say as messages, or meet at a barrier where they only say that a rank is ready:",
     {"its = comm.sendrecv(mine, dest=following, source=last)", "comm.Barrier()"}},
    {Language::script, "Send what the files say as messages of MPI."},
    {Language::packaged,
     "Look for an option of PROGRAM that has its ranks talk by MPI rather than by files."},
};

}  // namespace

MaybeFinding files_as_messages(const Scene& scene)
{
    const Job& job = scene.job;
    if (!job.mpi) return {};
    const FilesBetweenRanks sum = messages_in(scene);
    if (sum.number < (sum.kept ? few_kept : few_files_between_ranks)) return {};
    Finding finding;
    finding.title = fmt::format("{} files of {} pass between ranks{}", format_count(sum.number),
                                format_bytes(sum.bytes / sum.number), sum.kept ? "" : " and are removed");
    finding.cost = seconds(std::min(sum.lost.total() / 1e9, scene.run));
    finding.cost_least = scene.cost(sum.lost);
    finding.cost_basis =
        "the time in all calls on these files, of the slowest rank; at most that of all ranks, which wait "
        "for the last of them in each step, and change one folder one after the other";
    finding.confidence = on_own_disk(job, *sum.one) ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"files",
         sum.kept ? "written by one rank, read by another" : "made by one rank, used by another, removed",
         count(sum.number), ""},
        {"time", "all ranks in calls on them", seconds(sum.lost.total() / 1e9), ""},
        {"file", "one of them", path(sum.one->path), ""}};
    finding.why =
        "Each is made, looked for and opened, which are several messages to a server where a network has "
        "one, and ranks wait for it.";
    finding.doubt = "Programs apart from this job that look at the files as well.";
    finding.advice = advice_in(program_of(job, sum.lost), between_ranks_remedies);
    Found found(std::move(finding), sum.lost);
    found.container = sum.one->path;
    found.metadata = sum.metadata / 1e9;
    return found;
}

}  // namespace fathom
