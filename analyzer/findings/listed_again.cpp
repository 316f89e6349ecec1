// A folder listed from the beginning in each turn of a loop.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/other_calls.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_listings = 20, turns_over = 6, runs_over = 3, few_names = 10;

// Whether nobody but a packaged tool lists it, in run after run: one run finds as much.
bool lists_for_tool(const Job& job, std::span<const RecordView> records)
{
    if (job.mpi) return false;
    std::string_view tool;
    for (const RecordView& record : records) {
        const Member* const member = job.member_of(record);
        if (member == nullptr) return false;
        const std::string_view program = member->process.program;
        if (!is_packaged_tool(program) || (!tool.empty() && tool != program)) return false;
        tool = program;
    }
    return true;
}

// For names that were looked at as well. A listing over a network file system brings the attributes along;
// who keeps the names alone has to ask for each.
constexpr Remedy look_remedies[] = {
    {Language::c,
     "List each folder once, before the loop, and keep each file's name, time and size; add new files to "
     "that "
     "rather than stat all again: without a listing each stat may go to the server."},
    {Language::python,
     "List each folder once, before the loop, and keep each file's name, time and size; add new files to "
     "that "
     "rather than stat all again: without a listing each stat may go to the server:",
     {"known = {one.path: one.stat().st_mtime for one in os.scandir(folder)}    # before the loop",
      "known[path] = time.time()    # of each that is made"}},
    {Language::shell,
     "List each folder once, before the loop, with the time and size of each file, rather than stat them "
     "again:",
     {"find FOLDER -maxdepth 1 -printf '%T@ %p\\n' > LIST"}},
};
constexpr const char* by_one_rank = "Have one rank list it, and send what it found to the others:";
constexpr Remedy send_remedies[] = {
    {Language::c, by_one_rank, {"MPI_Bcast(names, length, MPI_CHAR, 0, MPI_COMM_WORLD);"}},
    {Language::fortran,
     by_one_rank,
     {"call MPI_Bcast(names, length, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)"}},
    {Language::python, by_one_rank, {"names = comm.bcast(os.listdir(folder) if comm.rank == 0 else None)"}},
};

struct Listings {
    std::uint64_t folders = 0, needless = 0, of_most = 0, names_of_most = 0;
    double names = 0;  // of the needless ones
    LostTime lost;
    MostLost<FileUse> most = {};
};

Listings listings_of(const Scene& scene)
{
    Listings all{.lost = LostTime(scene.job)};
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind != NameKind::directory) return;
        const std::uint64_t names = FileCase{&use, records}.in_posix(&PosixCounters::directory_reads);
        const std::uint64_t opens = use.system.opens,
                            users = std::max<std::uint64_t>(use.system.users().count, 1);
        const bool by_tool = users >= runs_over && lists_for_tool(scene.job, records);
        const std::uint64_t meant = by_tool ? 1 : users;
        if (opens < (by_tool ? runs_over : turns_over) * meant || names < few_names * opens) return;
        const double part = static_cast<double>(opens - meant) / static_cast<double>(opens),
                     time = part * static_cast<double>(use.system.metadata_time);
        ++all.folders;
        all.needless += opens - meant;
        all.names += part * static_cast<double>(names);
        all.lost.add_by_time(records, time);
        all.most.add(use, time);
        if (all.most.use != &use) return;
        all.of_most = opens;
        constexpr std::uint64_t itself_and_parent = 2;
        all.names_of_most = std::max(names / opens, itself_and_parent) - itself_and_parent;
    });
    return all;
}

std::uint64_t looks_at_names(const Job& job)
{
    std::uint64_t looks = 0;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::posix) looks += record[&PosixRecord::stats];
    return looks;
}

}  // namespace

MaybeFinding listed_again(const Scene& scene)
{
    const Listings all = listings_of(scene);
    if (all.needless < few_listings || all.most.use == nullptr) return {};
    const AdvisedProgram program = executable_of(scene.job, all.lost);
    const double least =
                     scene.cost(all.lost) + around_calls(scene, program, Around::list, all.names, all.lost),
                 more = most_around_lists(scene, program, all.names, all.lost);
    Finding finding;
    finding.title = fmt::format("{} listed {} times beyond the first",
                                all.folders == 1 ? "One folder" : format_count(all.folders) + " folders",
                                format_count(all.needless));
    const double cost = std::min(least + more, std::max(least, scene.run));
    finding.cost = seconds(cost);
    finding.cost_basis = fmt::format(
        "the share of these in the time of all calls on these folders; one listing a {}, or for all runs of "
        "a packaged tool, is taken as needed",
        scene.member());
    finding.cost_basis += words_on_interpreter(program);
    if (more > least / 4) {
        finding.cost_basis +=
            "; at most also what it may do with each name that it lists, as glob and pathlib do";
        finding.cost_least = least;
    }
    finding.confidence = Confidence::medium;
    finding.evidence = {{"needless_listings", "listings beyond the first", count(all.needless), ""},
                        {"folder", "most time in", path(all.most.use->path),
                         fmt::format("{} times, {} names each on average", format_count(all.of_most),
                                     format_count(all.names_of_most))}};
    finding.why =
        "Each listing reads every name that the folder has: the more files there are, the longer it takes.";
    finding.doubt = "Folders that other programs change, in which this one looks for what is new.";
    const std::uint64_t looks = looks_at_names(scene.job);
    const bool looked_at = static_cast<double>(looks) >= all.names / 2 && !is_packaged(program);
    if (looked_at) finding.evidence.push_back({"looks", "stat calls", count(looks), "of all files"});
    finding.advice = looked_at ? advice_in(program, look_remedies) : advice_in(program, remedies_on_lists());
    if (scene.job.mpi && !is_packaged(program) && all.most.use->system.users().count > 1)
        for (Advice& send : advice_in(program, send_remedies)) finding.advice.push_back(std::move(send));
    Found found(std::move(finding), all.lost);
    found.metadata = cost;
    return found;
}

}  // namespace fathom
