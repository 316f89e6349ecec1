// Many files of which one rank has most to open, as where it reads them for all, or where files are dealt out
// by folders.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr double many_of_one = 100, times_the_mean = 2;
constexpr double part_of_run = 0.1;

constexpr double least_spared = 0.75;

// At which it looks again and again: to look once is what helps (metadata_bound), by whichever rank.
bool is_only_looked_at(const FileCase& file)
{
    constexpr std::uint64_t once_or_few = 10;
    return file.use->system.opens == 0 &&
           file.in_posix(&PosixCounters::stats) >= once_or_few * file.use->files;
}

struct FilesOfRank {
    double files = 0, time = 0;  // ns, in all calls on them
    const FileUse* one = nullptr;
};

// Files that one rank wrote, and others read: whose they are is not known of each.
double files_handed_on(const Scene& scene)
{
    double files = 0;
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::file && file.use->system.users().count > 1 &&
            file.use->system.writers().count == 1)
            files += static_cast<double>(file.use->files);
    return files;
}

// Files that one rank alone uses, by rank.
std::vector<FilesOfRank> files_of_ranks(const Scene& scene)
{
    std::vector<FilesOfRank> all(scene.job.ranks.size());
    for (const FileCase& file : scene.files) {
        const Movers users = file.use->system.users();
        if (file.use->kind != NameKind::file || file.use->by_mpiio || users.count != 1 || users.one < 0 ||
            is_only_looked_at(file))
            continue;
        const std::int64_t rank = scene.job.rank_index(users.one);
        if (rank < 0) continue;
        FilesOfRank& of = all[static_cast<std::size_t>(rank)];
        of.files += static_cast<double>(file.use->files);
        of.time += static_cast<double>(file.use->system.time());
        of.one = file.use;
    }
    return all;
}

constexpr Remedy dealing_remedies[] = {
    {Language::c,
     "Deal the files out one by one, so that each rank opens as many, and send what has to be elsewhere:",
     {"for (i = rank; i < files; i += ranks) read_file(name[i]);",
      "MPI_Alltoallv(read, counts, places, MPI_BYTE, mine, my_counts, my_places, MPI_BYTE, "
      "MPI_COMM_WORLD);"}},
    {Language::fortran,
     "Deal the files out one by one, so that each rank opens as many:",
     {"do i = rank + 1, files, ranks"}},
    {Language::python,
     "Deal the files out one by one, so that each rank opens as many:",
     {"mine = [load(name) for name in names[comm.rank::comm.size]]"}},
    {Language::script, "Deal the files out one by one, so that each rank opens as many."},
    {Language::packaged,
     "Look for an option of PROGRAM that has all ranks take part in reading and writing."},
};

}  // namespace

MaybeFinding uneven_files(const Scene& scene)
{
    const Job& job = scene.job;
    if (!job.mpi || job.ranks.size() < 2 || !job.told_apart()) return {};
    const std::vector<FilesOfRank> all = files_of_ranks(scene);
    double files = 0, time = 0;
    for (const FilesOfRank& one : all) files += one.files, time += one.time;
    const auto most = std::max_element(
        all.begin(), all.end(), [](const FilesOfRank& a, const FilesOfRank& b) { return a.time < b.time; });
    const auto ranks = static_cast<double>(all.size());
    const double spared = most->time - time / ranks;
    if (most->files < many_of_one || most->files < times_the_mean * files / ranks ||
        most->time < times_the_mean * time / ranks || files_handed_on(scene) > most->files ||
        spared / 1e9 < part_of_run * scene.run)
        return {};
    const auto rank = static_cast<std::size_t>(most - all.begin());
    LostTime lost(job);
    lost.add(job.ranks[rank], spared);
    Finding finding;
    finding.title = fmt::format("{} uses {} files alone, {:.1f} times the mean of {} ranks",
                                job.rank_name(rank), format_count(static_cast<std::uint64_t>(most->files)),
                                most->files * ranks / files, format_count(job.ranks.size()));
    finding.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(finding.title[0])));
    finding.cost = seconds(std::min(spared / 1e9, scene.run));
    finding.cost_least = std::min(spared * least_spared / 1e9, scene.run);
    finding.cost_basis =
        "its time in calls on these files beyond the mean of all ranks; at least three quarters of it, where "
        "a server answers one after the other";
    finding.confidence = on_own_disk(job, *most->one) ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"files", "files of this rank alone", count(static_cast<std::uint64_t>(most->files)),
         fmt::format("of {} that one rank uses", format_count(static_cast<std::uint64_t>(files)))},
        {"time", "in calls on them", seconds(most->time / 1e9),
         fmt::format("{} in the mean of all ranks", format_seconds(time / ranks / 1e9))},
        {"file", "one of them", path(most->one->path), ""}};
    finding.why = "The others wait for it, or have little to do.";
    finding.doubt = "Files that the others wait for in no case, as a log of each step.";
    finding.advice = advice_in(program_of(job, lost, most->one->path), dealing_remedies);
    Found found(std::move(finding), std::move(lost));
    return found;
}

}  // namespace fathom
