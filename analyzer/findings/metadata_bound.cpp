// Most of the time in I/O goes into calls that move no data.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/metadata_bound_advice.h"
#include "analyzer/findings/other_calls.h"
#include "analyzer/findings/python_modules.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/failed_paths.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/mounts.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr double telling_metadata_share = 0.3, telling_kind_share = 0.6;
constexpr std::uint64_t few_calls = 200;

struct OfKind {
    Kind kind{};
    OperationSum sum;
};

// Those of POSIX and stdio but for so many on locks, most time first. Calls of MPI-IO wait for other ranks:
// what they do shows beneath.
std::vector<OfKind> kinds_of(const Scene& scene, const OperationSum& locks)
{
    std::vector<OfKind> kinds;
    for (std::size_t histogram = 0; histogram < histogram_count; ++histogram) {
        const Kind kind = kind_of_histogram(histogram).kind;
        if (!is_metadata(kind)) continue;
        OfKind one{kind, scene.operations(Layer::posix, kind)};
        if (kind != Kind::seek) one.sum.add(scene.operations(Layer::stdio, kind));
        if (kind == Kind::other) {
            one.sum.operations -= std::min(one.sum.operations, locks.operations);
            one.sum.time -= std::min(one.sum.time, locks.time);
        }
        if (one.sum.operations > 0) kinds.push_back(one);
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const OfKind& a, const OfKind& b) { return a.sum.time > b.sum.time; });
    // Few that take long, beside very many others, are not what could be spared.
    constexpr std::uint64_t far_more = 50;
    if (kinds.size() > 1 && kinds[1].sum.operations / far_more > kinds[0].sum.operations &&
        kinds[1].sum.time > kinds[0].sum.time / 2)
        std::swap(kinds[0], kinds[1]);
    return kinds;
}

// By the counters of the files, where nothing was timed by kind.
std::uint64_t counted_calls(const Scene& scene)
{
    std::uint64_t calls = scene.sums.posix.stats;
    for (const Layer layer : {Layer::posix, Layer::stdio}) {
        calls += scene.sums.transfers(layer).opens + scene.sums.pattern(layer)->seeks;
    }
    return calls;
}

// Those that an interpreter makes one by one; it opens and closes as a finding of its own says.
double looks_in(const std::vector<OfKind>& kinds)
{
    double calls = 0;
    for (const OfKind& one : kinds)
        if (one.kind == Kind::stat || one.kind == Kind::failed)
            calls += static_cast<double>(one.sum.operations);
    return calls;
}

double names_listed(const Job& job)
{
    double names = 0;
    for (const RecordView& record : job.records)
        if (record.layer == Layer::posix) names += static_cast<double>(record[&PosixRecord::directory_reads]);
    return names;
}

// A name of a folder is an operation of its own, but one call of the kernel's returns some hundred of them.
std::uint64_t without_names(std::uint64_t operations, double names)
{
    constexpr std::uint64_t names_a_call = 64;
    const std::uint64_t listed = std::min(operations, static_cast<std::uint64_t>(names));
    return operations - listed + listed / names_a_call;
}

std::string_view name_of(Kind kind)
{
    if (kind == Kind::other) return "other calls: unlink, rename, mkdir, readdir …";
    return kind == Kind::failed ? "calls that failed" : kind_row(kind).name;
}

// "12,000 calls of stat: ", for a title.
std::string most_calls(const OfKind& most)
{
    const std::string number = format_count(most.sum.operations);
    if (most.kind == Kind::other) return {};
    if (most.kind == Kind::failed) return number + " calls that failed: ";
    return fmt::format("{} calls of {}: ", number, kind_row(most.kind).name);
}

// Closes that wait for the disk, other calls that wait for a server: fewer of them are no help.
bool few_and_long(const OfKind& one)
{
    const double long_call = one.kind == Kind::close ? 1e6 : 50e6;  // ns
    const auto calls = static_cast<double>(one.sum.operations);
    return one.sum.operations<few_calls&& static_cast<double>(one.sum.time)> long_call * calls;
}

Advice advice_on_long(const OfKind& one)
{
    if (one.kind == Kind::close)
        return {
            "Each of these calls waited for the file system, as where a file is emptied and written "
            "again: its close waits for the disk. Write a new file, and rename it over the old one."};
    return {fmt::format(
        "Each of these calls ({}) took {} on the mean: they wait for servers, which may be ill, far away, "
        "or busy with this program's own data. See what the servers did at that time: fathom report "
        "--system.",
        kind_row(one.kind).name,
        format_seconds(static_cast<double>(one.sum.time) / 1e9 / static_cast<double>(one.sum.operations)))};
}

// Where most calls failed: the paths with most, or some of those that are most of it together.
void name_failed_paths(const Scene& scene, Finding& finding, std::uint64_t failed)
{
    constexpr std::size_t most = 3;
    constexpr std::uint64_t hardly_any = 20;  // a part of all
    std::size_t place = 0;
    std::uint64_t named = 0;
    const auto paths = most_failed(scene.job.log, most);
    for (const FailedCalls& one : paths) named += one.calls;
    if (const auto many = some_of_many(scene.job.log, most); named < failed / hardly_any && !many.empty()) {
        for (const std::string& one : many)
            finding.evidence.push_back({fmt::format("failed_path_{}", ++place), "calls failed on", path(one),
                                        "one of many, each asked for seldom"});
        return;
    }
    for (const FailedCalls& one : paths)
        finding.evidence.push_back({fmt::format("failed_path_{}", ++place), "calls failed on", path(one.path),
                                    fmt::format("{}{} calls: {}", one.at_least ? "at least " : "",
                                                format_count(one.calls), one.why)});
}

// Where the files are that were looked at and not opened, if there were many.
void name_unopened(const Scene& scene, Finding& finding)
{
    std::size_t place = 0;
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::by_path)
            finding.evidence.push_back(
                {fmt::format("not_opened_{}", ++place), "files counted together that were not opened",
                 count(file.use->files),
                 fmt::format("about, below {}: {} in all calls on them",
                             file.use->path.substr(0, file.use->path.rfind('/') + 1),
                             format_seconds(static_cast<double>(file.use->system.metadata_time) / 1e9))});
}

// The path for whose journal, or log, of SQLite most calls that failed look; empty: they do not.
std::string database_looked_for(const Scene& scene)
{
    const auto paths = most_failed(scene.job.log, 1);
    if (paths.empty()) return {};
    const std::string_view path = paths[0].path;
    for (const std::string_view ending : {sqlite_journal, sqlite_log})
        if (path.ends_with(ending)) return std::string(path.substr(0, path.size() - ending.size()));
    return {};
}

const FileUse* file_of_path(const Scene& scene, std::string_view path)
{
    const auto file = std::find_if(scene.files.begin(), scene.files.end(),
                                   [&](const FileCase& one) { return one.use->path == path; });
    return path.empty() || file == scene.files.end() ? nullptr : file->use;
}

// CPU time, ns, that the first access to a mapping takes in the kernel, beyond that to a page of a large one;
// assumed: Linux 6.18 on a machine of 2022.
constexpr double first_fault = 2500;

// Seconds of the run in these.
double in_first_faults(const Scene& scene, const Mappings& mappings, const LostTime& lost)
{
    LostTime faults(scene.job);
    faults.add(lost, static_cast<double>(mappings.maps) * first_fault * scene.stretched);
    return scene.cost_beyond_io(faults);
}

// ns in Python, beyond the call: tell() puts together what its decoder would have to know there.
constexpr double around_tell = 1500;

// Seconds of the run.
double around_tells(const Scene& scene, const AdvisedProgram& program, const std::vector<OfKind>& kinds,
                    const LostTime& lost)
{
    if (kinds.empty() || kinds[0].kind != Kind::seek || !is_python(program) ||
        !ask_for_place(scene, kinds[0].sum.operations))
        return 0;
    // A file that is opened as text is read in these pieces, others by what the file system has for a block.
    constexpr std::uint64_t piece_of_text = 8192;
    double tells = 0;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix &&
                record[&PosixRecord::common_size].slot[0].size == piece_of_text)
                tells += static_cast<double>(record[&Pattern::seeks]);
    LostTime around(scene.job);
    around.add(lost, tells * around_tell * scene.stretched);
    return std::min(scene.cost_beyond_io(around), scene.run);
}

// Seconds of the run.
double around_path_looks(const Scene& scene, const PathLooks& along_path, const LostTime& lost)
{
    LostTime around(scene.job);
    around.add(lost, static_cast<double>(along_path.looks) * around_path_look * scene.stretched);
    return std::min(scene.cost_beyond_io(around), scene.run);
}

// A rank opens a few files in any case, and its MPI library some of its own.
std::uint64_t least_calls(const Job& job)
{
    constexpr std::uint64_t of_rank = 100, at_most = 2000;
    return job.mpi || are_tasks(job) ? std::min(few_calls + of_rank * job.ranks.size(), at_most) : few_calls;
}

// HDF5 and NetCDF seek before they read or write: the program has no such calls.
bool are_seeks_of_library(const OfKind& most, const AdvisedProgram& program)
{
    return most.kind == Kind::seek && !program.besides_hdf5 &&
           (program.language == Language::hdf5 || program.language == Language::netcdf ||
            program.language == Language::h5py || program.language == Language::netcdf4);
}

// Each file is looked at once, or nearly, as find and du do; or a few times around its open, as by a library
// of Python.
bool looks_once(const Scene& scene, const AdvisedProgram& program, const std::vector<OfKind>& kinds)
{
    constexpr double few_a_file = 2.2, few_an_open = 4.2;
    if (kinds.empty() || kinds[0].kind != Kind::stat) return false;
    std::uint64_t looks = 0, files = 0, opens = 0;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        const std::uint64_t of_file = FileCase{&use, records}.in_posix(&PosixCounters::stats);
        looks += of_file;
        if (of_file > 0) files += use.files;
        if (of_file > 0 && use.kind == NameKind::file) opens += use.system.opens;
    });
    return static_cast<double>(looks) < few_a_file * static_cast<double>(files) ||
           (is_python(program) && static_cast<double>(looks) < few_an_open * static_cast<double>(opens));
}

// Most calls that fail are of a search along PATH and the like, a few for each process; or ask for each of
// many paths in several folders once or twice a process, so that no answer could have been remembered.
bool has_to_ask(const Scene& scene, const OfKind& most)
{
    constexpr std::uint64_t few_of_each = 20, twice = 2, some_of_each = 256;
    const std::uint64_t processes = std::max<std::uint64_t>(scene.job.ranks.size(), 1);
    if (most.kind != Kind::failed) return false;
    if (!scene.job.mpi && most.sum.operations < few_of_each * processes && processes >= few_of_each)
        return true;
    const auto paths = most_failed(scene.job.log, 1);
    return !paths.empty() && paths[0].calls <= twice * processes &&
           most.sum.operations < some_of_each * processes && places_asked(scene) == Places::several;
}

// Most of it is by tools that keep versions, and by rm: they make and remove the files that they are for.
bool is_of_versions(const Scene& scene, const LostTime& lost)
{
    constexpr double most = 0.6;
    double of_versions = 0, of_all = 0;
    for (std::size_t rank = 0; rank < scene.job.ranks.size(); ++rank) {
        const Process& process = scene.job.ranks[rank].process;
        const double time = lost.of(rank);
        if (keeps_versions(process)) of_versions += time;
        if (keeps_versions(process) || process.program.ends_with("/rm")) of_all += time;
    }
    return of_versions > 0 && of_all >= most * lost.total();
}

// One run of a packaged tool that makes a few calls for each file, or seeks as it likes.
bool tool_needs_few(const Scene& scene, const std::vector<OfKind>& kinds, const LostTime& lost)
{
    constexpr double most = 0.6;
    constexpr std::uint64_t few_a_file = 4, few_a_run = 20;
    const AdvisedProgram tool = executable_of(scene.job, lost);
    if (kinds.empty() || kinds[0].kind == Kind::failed) return false;
    if (is_of_versions(scene, lost)) return true;
    if (!is_packaged(tool)) return false;
    if (keeps_versions(tool) || kinds[0].kind == Kind::seek ||
        kinds[0].sum.operations < few_a_run * scene.job.ranks.size())
        return true;
    double of_one = 0;
    for (std::size_t rank = 0; rank < scene.job.ranks.size(); ++rank)
        of_one = std::max(of_one, lost.of(rank));
    return of_one >= most * lost.total() &&
           kinds[0].sum.operations < few_a_file * count_files(scene.job).files;
}

// Most of it goes into SQLite's journals, which are made and removed for each transaction: that is what its
// syncs are for (frequent_syncs).
bool is_of_journals(const Scene& scene, double metadata)
{
    constexpr double most = 0.5;
    double of_journals = 0;
    for (const FileCase& file : scene.files)
        if (file.use->path.ends_with(sqlite_journal))
            of_journals += static_cast<double>(file.use->system.metadata_time);
    return of_journals > most * metadata;
}

// SQLite's own, at each open and transaction.
bool are_stats_of_sqlite(const Scene& scene, const std::vector<OfKind>& kinds)
{
    if (kinds.empty() || kinds[0].kind != Kind::stat) return false;
    std::uint64_t stats = 0;
    for (const FileCase& file : scene.files)
        if (file.is_of_sqlite()) stats += file.in_posix(&PosixCounters::stats);
    return stats > kinds[0].sum.operations / 2;
}

// Each process opens each of a few files once, or lists each folder once, or looks once at each file: there
// is nothing to spare.
bool needs_all(const Scene& scene, const AdvisedProgram& program, const std::vector<OfKind>& kinds)
{
    constexpr std::uint64_t few_an_open = 2, opens_of_each = 50;
    if (kinds.empty()) return false;
    if (has_to_ask(scene, kinds[0])) return true;
    const Kind kind = kinds[0].kind;
    if (kind == Kind::stat) return looks_once(scene, program, kinds);
    const bool lists = kind == Kind::other && are_lists(most_of_others(scene.job, kinds[0].sum.operations));
    if (lists && is_listed_by_all(scene.job)) return false;
    if (kind != Kind::open && kind != Kind::close && !lists) return false;
    std::uint64_t opens = 0, creates = 0, meant = 0;
    // What lies on the disks of several nodes is where it should be.
    bool brought = false, by_network = false;
    const Mounts mounts(scene.job.log);
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView>) {
        if (use.system.opens == 0 || (use.kind == NameKind::directory) != lists) return;
        if (scene.job.nodes() > 1 && is_local(mounts.type_of(use))) {
            brought = true;
            return;
        }
        opens += use.system.opens;
        creates += use.system.creates;
        by_network = by_network || !(scene.job.nodes() == 1 && is_local(mounts.type_of(use)));
        meant += std::max<std::uint64_t>(use.system.users().count, use.files);
    });
    if (brought && opens < least_calls(scene.job)) return true;
    const std::uint64_t calls = lists || brought ? opens : std::max(opens, kinds[0].sum.operations);
    // Of files that were there, as they are, on a disk of the node.
    const bool given = !by_network && tells(scene.job.log, &PosixCounters::creates) && creates < opens / 4;
    return calls < few_an_open * meant &&
           (lists || given || calls < opens_of_each * std::max<std::uint64_t>(scene.job.ranks.size(), 1));
}

const FileUse* file_of_seeks(const Scene& scene)
{
    MostLost<FileUse> most;  // seeks, rather than ns
    for (const FileCase& file : scene.files) {
        double seeks = 0;
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix && record.has_pattern())
                seeks += static_cast<double>(record[&Pattern::seeks]);
        most.add(*file.use, seeks);
    }
    return most.use;
}

}  // namespace

MaybeFinding metadata_bound(const Scene& scene)
{
    double metadata = 0;
    LostTime lost(scene.job);
    scene.job.each_share([&](const Member& member) {
        double of_member = 0;
        for (const Layer layer : {Layer::posix, Layer::stdio})
            of_member += static_cast<double>(member.on_files(layer).metadata_time);
        lost.add(member, of_member);
        metadata += of_member;
    });
    OperationSum lock_calls;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records)
            if (record.layer == Layer::posix)
                lock_calls.add({record[&PosixRecord::locks], record[&PosixRecord::lock_time]});
    const auto locks = static_cast<double>(lock_calls.time);
    // Waiting for locks is a finding of its own, and where a stream seeks, libc reads.
    const auto seeks = static_cast<double>(scene.operations(Layer::stdio, Kind::seek).time);
    metadata = std::max(metadata - locks - seeks, 0.0);
    if (scene.use.in_io == 0) return {};
    const bool most = metadata >= telling_metadata_share * scene.use.in_io;
    const auto kinds = kinds_of(scene, lock_calls);
    std::uint64_t calls = 0;
    const double names = names_listed(scene.job);
    for (const OfKind& one : kinds)
        calls += one.kind == Kind::other ? without_names(one.sum.operations, names) : one.sum.operations;
    if (kinds.empty()) calls = counted_calls(scene);
    if (calls < least_calls(scene.job) && (!kinds.empty() || source_of(scene.job.log).timed_in_part))
        return {};
    const AdvisedProgram program = program_of(scene.job, lost);
    if (!kinds.empty() && are_seeks_of_library(kinds[0], program)) return {};
    const Imports imports = imports_in(scene);
    if (is_of_journals(scene, metadata) || are_stats_of_sqlite(scene, kinds) || imports.local ||
        needs_all(scene, program, kinds) || tool_needs_few(scene, kinds, lost))
        return {};
    // A few that wait are no fault of the program where it spends its time in other calls.
    if (!most && (kinds.empty() || few_and_long(kinds[0]))) return {};
    // That is what it takes to open so few.
    constexpr double long_open = 10e6;  // ns
    if (!kinds.empty() && kinds[0].kind == Kind::open && kinds[0].sum.operations < few_calls &&
        static_cast<double>(kinds[0].sum.time) < long_open * static_cast<double>(kinds[0].sum.operations))
        return {};
    // Closes that wait for what was written, as those of network file systems do, renames in the place of a
    // file, which wait for the new one, and opens that empty files.
    constexpr std::uint64_t much_for_each = 1 << 20, much_for_close = 64 << 10;
    constexpr double long_rename = 1e6;  // ns
    if (!kinds.empty()) {
        const OfKind& first = kinds[0];
        const bool closes = first.kind == Kind::close && few_and_long(first),
                   renames = first.kind == Kind::other && scene.sums.posix.renames > 0 &&
                             static_cast<double>(first.sum.time) >
                                 long_rename * static_cast<double>(first.sum.operations),
                   opens = first.kind == Kind::open && first.sum.operations < least_calls(scene.job);
        if ((closes || renames || opens) &&
            scene.job.application_bytes(Direction::write) >=
                (closes ? much_for_close : much_for_each) * first.sum.operations)
            return {};
    }
    Finding finding;
    const double part = std::min(metadata / scene.use.in_io, 1.0);
    finding.title = fmt::format("{}{} of the time in I/O goes into calls that move no data",
                                kinds.empty() ? "" : most_calls(kinds[0]), format_share(part));
    const auto others =
        std::find_if(kinds.begin(), kinds.end(), [](const OfKind& one) { return one.kind == Kind::other; });
    const OtherCalls* const other =
        others == kinds.end() ? nullptr : most_of_others(scene.job, others->sum.operations);
    const Mappings mappings =
        others == kinds.begin() && are_mappings(other) ? mappings_of(scene.job) : Mappings{};
    const PathLooks along_path = is_python(program) && !kinds.empty() && kinds[0].kind == Kind::stat
                                     ? looks_along_path(scene, kinds[0].sum.operations)
                                     : PathLooks{};
    const double least = scene.cost(lost, metadata) + around_path_looks(scene, along_path, lost) +
                         around_calls(scene, program, Around::look, looks_in(kinds), lost) +
                         around_calls(scene, program, Around::list, names, lost) +
                         around_calls(scene, program, Around::map, static_cast<double>(mappings.maps), lost) +
                         in_first_faults(scene, mappings, lost),
                 in_lists = most_around_lists(scene, program, names, lost),
                 in_tells = around_tells(scene, program, kinds, lost);
    finding.cost = seconds(std::min(least + in_lists + in_tells, scene.run));
    finding.cost_basis =
        "the time in opens, closes, stats and all other calls but reads, writes, syncs, locks and seeks of "
        "streams";
    if (mappings.maps > 0) {
        finding.title = fmt::format("{} mappings of files, of {} each: {}", format_count(mappings.maps),
                                    format_bytes(mappings.bytes / mappings.maps), finding.title);
        finding.cost_basis += fmt::format("; and the first page fault of each mapping, which is assumed: {}",
                                          format_seconds(first_fault / 1e9));
    }
    finding.cost_basis += words_on_interpreter(program);
    // A script that starts a tool again and again cannot change what that does.
    const AdvisedProgram tool = executable_of(scene.job, lost);
    const bool by_tool = is_packaged(tool);
    // Where no kind of call is most of it, the advice is on a part.
    double of_kinds = 0;
    for (const OfKind& one : kinds) of_kinds += static_cast<double>(one.sum.time);
    const bool of_one_kind =
        kinds.empty() || static_cast<double>(kinds[0].sum.time) >= telling_kind_share * of_kinds;
    finding.confidence = by_tool || !of_one_kind ? Confidence::medium : Confidence::high;
    if (in_tells > least / 4) {
        finding.cost_basis += "; and what tell() does in a file that is opened as text";
        finding.confidence = Confidence::medium;
    }
    if (in_lists > least / 4) {
        finding.cost_basis +=
            "; at most also what it may do with each name that it lists, as glob and pathlib do";
        finding.cost_least = least;
        finding.confidence = Confidence::medium;
    }
    if (is_listed_by_all(scene.job) && others == kinds.begin() && are_lists(other)) {
        finding.cost =
            seconds(std::min(least, scene.run) * (1 - 1 / static_cast<double>(scene.job.ranks.size())));
        finding.cost_least = 0.0;
        finding.cost_basis += "; all but one rank's part, where the server answers one after the other";
        finding.confidence = Confidence::medium;
    }
    finding.evidence.push_back({"metadata_time", "time in such calls", seconds(metadata / 1e9),
                                fmt::format("summed over all {}, of {} in I/O", scene.members(),
                                            format_seconds(scene.use.in_io / 1e9))});
    for (std::size_t at = 0; at < std::min<std::size_t>(kinds.size(), 3); ++at)
        finding.evidence.push_back(
            {fmt::format("kind_{}", kind_row(kinds[at].kind).name),
             std::string(kinds[at].kind == Kind::other && other != nullptr ? other->name
                                                                           : name_of(kinds[at].kind)),
             count(kinds[at].sum.operations),
             fmt::format("took {}{}", format_seconds(static_cast<double>(kinds[at].sum.time) / 1e9),
                         scene.job.helpers.empty() ? "" : "; launchers and children too")});
    if (kinds.empty() && calls > 0 && source_of(scene.job.log).timed_in_part)
        finding.evidence.push_back({"metadata_calls", "opens, stats and seeks", count(calls),
                                    "how long each kind took is not recorded"});
    if (!kinds.empty() && kinds[0].kind == Kind::stat)
        if (const FileUse* const one = of_one_file(scene, kinds[0].sum.operations))
            finding.evidence.push_back({"file", "nearly all of them ask for", path(one->path), ""});
    name_unopened(scene, finding);
    finding.why =
        "Such calls cannot be made faster by more servers or larger requests: on most parallel file systems "
        "one server answers all of them.";
    finding.doubt = "Programs whose task it is to look at many files: find, make, archivers.";
    if (mappings.maps > 0) {
        finding.why =
            "The kernel sets up each mapping, faults its pages in, and takes it down again: for pieces of "
            "some KiB this takes longer than a copy of them.";
        finding.doubt = "Pieces that lie far apart in files for which the address space has no room.";
    }
    const bool failed = !kinds.empty() && kinds[0].kind == Kind::failed;
    if (failed) name_failed_paths(scene, finding, kinds[0].sum.operations);
    if (!kinds.empty() && few_and_long(kinds[0])) {
        finding.confidence = Confidence::medium;
        finding.advice = {advice_on_long(kinds[0])};
    } else if (along_path.folders > 0) {
        finding.evidence.push_back({"path_folders", "folders looked at again and again",
                                    count(along_path.folders),
                                    fmt::format("{} times each, as by Python's imports",
                                                format_count(along_path.looks / along_path.folders))});
        finding.confidence = Confidence::medium;
        finding.advice = advice_on_path_looks();
    } else if (imports.most) {
        finding.advice = advice_on_imports();
    } else if (!kinds.empty()) {
        const AdvisedProgram& whose = by_tool ? tool : program;
        finding.advice = advice_in(
            whose, remedies_on_metadata(scene, whose, kinds[0].kind, kinds[0].sum.operations, other));
    }
    const std::string database = failed ? database_looked_for(scene) : std::string();
    if (!database.empty())
        finding.advice = {
            {"SQLite looks for a journal, or a log, before each transaction: put many statements "
             "into one, or keep the database for one process:",
             {"BEGIN; …; COMMIT;", "PRAGMA locking_mode = EXCLUSIVE;"}}};
    if (failed)
        finding.advice.push_back(
            {scene.job.log.rows<FailedPath>().empty()
                 ? "The log does not have the paths."
                 : "The paths above say which ones; the section on files has more of them."});
    Found found(std::move(finding), std::move(lost));
    found.file =
        !kinds.empty() && kinds[0].kind == Kind::seek ? file_of_seeks(scene) : file_of_path(scene, database);
    return found;
}

}  // namespace fathom
