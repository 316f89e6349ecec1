// A file of the job's own that is copied to another name and then removed, or made anew: to rename it moves
// no data.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <utility>

#include "analyzer/document/units.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/replaced_files.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t least_copied = 1 << 20;
constexpr double nearly_all_copied = 0.99;

// FilesByLength by what one process wrote into them, and how long they are.
using FilesByLength = std::multimap<std::pair<std::int64_t, std::uint64_t>, const FileCase*>;

FilesByLength written_by_one(const Scene& scene)
{
    FilesByLength copies;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        const Movers writers = view.writers();
        if (file.use->kind == NameKind::file && !file.use->by_mpiio && view.bytes_written >= least_copied &&
            view.bytes_read == 0 && writers.count == 1)
            copies.emplace(std::pair(writers.one, view.highest_written), &file);
    }
    return copies;
}

// It is not there any more as it was copied.
bool is_given_up(const FileCase& file)
{
    const std::uint64_t unlinks = file.in_posix(&PosixCounters::unlinks);
    return unlinks > 0 || file.use->system.creates > 1;
}

// Tools that write what they read, as it is: others, as sort and tr, write as much.
bool may_copy(const Member& reader)
{
    constexpr std::string_view tools[] = {"cp", "cat", "dd", "install", "mv", "rsync"};
    const std::string_view program = run_by(reader.process);
    return !is_packaged_tool(program) || std::find(std::begin(tools), std::end(tools),
                                                   program.substr(program.rfind('/') + 1)) != std::end(tools);
}

// Written while the other was read: what is sorted, say, has to be there first.
bool is_passed_on(const FileCase& from, const FileCase& to, std::int64_t process)
{
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t first_write = never, first_read = never, last_read = 0;
    const auto earlier = [](std::uint64_t& first, std::uint64_t one) {
        if (one != 0) first = std::min(first, one);
    };
    for (const RecordView& record : to.records)
        if (record.process == process) earlier(first_write, record[&Transfers::first_write]);
    for (const RecordView& record : from.records)
        if (record.process == process) {
            earlier(first_read, record[&Transfers::first_read]);
            last_read = std::max(last_read, record[&Transfers::last_read]);
        }
    return first_write >= first_read && first_write < last_read;
}

struct CopiedFiles {
    LostTime lost;
    double metadata = 0;  // ns
    std::uint64_t bytes = 0, files = 0;
    MostLost<FileUse> most = {};
    const FileUse* copy_of_most = nullptr;
};

void add(CopiedFiles& all, const Scene& scene, const Mounts& mounts, FilesByLength& copies,
         const ReplacedFiles& others, const FileCase& file)
{
    const FileView& view = file.use->system;
    const bool replaced = view.bytes_written == 0 && others.times(file.use->path) > 0;
    if (file.use->kind != NameKind::file || file.use->by_mpiio || view.bytes_read < least_copied ||
        view.readers().count != 1 || !(replaced || is_given_up(file)))
        return;
    const std::int64_t reader = view.readers().one, rank = scene.job.rank_index(reader);
    if (rank < 0) return;
    const Member& by = scene.job.ranks[static_cast<std::size_t>(rank)];
    // Of one that was there before only a tool that copies is certain to have written the same.
    const bool tool = is_packaged_tool(by.process.program),
               whole = replaced                  ? true
                       : view.bytes_written == 0 ? tool && view.bytes_read <= view.highest_read
                                                 : view.bytes_read <= view.bytes_written &&
                                                       view.highest_read == view.highest_written;
    if (!whole || !may_copy(by)) return;
    const auto [first, last] = copies.equal_range({reader, view.highest_read});
    const auto found =
        std::find_if(first, last, [&](const auto& one) { return is_passed_on(file, *one.second, reader); });
    if (found == last) return;
    const FileUse& copy = *found->second->use;
    const auto read = static_cast<double>(view.bytes_read),
               written = static_cast<double>(copy.system.bytes_written);
    if (std::min(read, written) < nearly_all_copied * std::max(read, written) ||
        mounts.of(*file.use) != mounts.of(copy))
        return;
    LostTime lost(scene.job);
    for (const RecordView& record : file.records)
        if (record.process == reader && record.layer != Layer::mpiio)
            lost.add(record, static_cast<double>(record[&Transfers::read_time]));
    lost.add_by_time(found->second->records, static_cast<double>(copy.system.time()));
    all.lost.add(lost, lost.total());
    all.metadata += static_cast<double>(copy.system.metadata_time);
    all.bytes += view.bytes_read;
    ++all.files;
    if (lost.total() > all.most.lost) all.copy_of_most = &copy;
    all.most.add(*file.use, lost.total());
    copies.erase(found);
}

constexpr Remedy rename_remedies[] = {
    {Language::c, "Rename the file rather than copy it:", {"rename(\"result.new\", \"result\");"}},
    {Language::fortran,
     "Rename the file rather than copy it (a subroutine of gfortran and others):",
     {"call rename(\"result.new\", \"result\")"}},
    {Language::python, "Rename the file rather than copy it:", {"os.replace(path + \".new\", path)"}},
    {Language::script, "Rename the file rather than copy it."},
    {Language::packaged, "Rename the file rather than copy it:", {"mv FILE NAME    # for: cp FILE NAME"}},
};

}  // namespace

MaybeFinding copied_not_renamed(const Scene& scene)
{
    const Mounts mounts(scene.job.log);
    FilesByLength copies = written_by_one(scene);
    const ReplacedFiles others(scene);
    CopiedFiles all{.lost = LostTime(scene.job)};
    if (!copies.empty())
        for (const FileCase& file : scene.files) add(all, scene, mounts, copies, others, file);
    if (all.most.use == nullptr) return {};
    const FileUse& one = *all.most.use;
    Finding finding;
    finding.title =
        fmt::format("{} copied from files that are then removed or made anew", format_bytes(all.bytes));
    finding.cost = seconds(scene.cost(all.lost));
    finding.cost_basis = "the time in reads of these files, and in all calls on the copies";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"copied", "copied", bytes(all.bytes), ""},
                        {"files", "files", count(all.files), "each copied by one process"},
                        {"file", "most time for", path(one.path), ""},
                        {"copy", "copied to", path(all.copy_of_most->path), ""}};
    finding.why = "All data make the way from one file to another, for a name.";
    finding.doubt = "What is read and written is as long, but not the same; names on different file systems.";
    finding.advice = advice_in(program_of(scene.job, all.lost, one.path), rename_remedies);
    Found found(std::move(finding), all.lost);
    found.metadata = scene.cost(all.lost, all.metadata);
    found.file = all.copy_of_most;
    return found;
}

}  // namespace fathom
