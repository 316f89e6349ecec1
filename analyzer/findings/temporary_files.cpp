// Data that go through a file which only the job itself reads, and which is then removed or made anew: what
// wrote it could have handed them on.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/mounts.h"

namespace fathom {
namespace {

using namespace report;

// Of what was written, so much was read, once or nearly; between the two it turned around about once an open.
constexpr double part_read_back = 0.8, once_or_nearly = 1.5, turns_an_open = 2;
// What does not fit into memory goes out and in by turns; a store turns around at each item.
constexpr double turns_of_scratch = 16;
// A file that is emptied so often is none that is kept, though the last one may be left.
constexpr std::uint64_t few_times = 8;
// A process writes and hardly reads, or the other way round, where it moves so many times as much in one
// direction.
constexpr std::uint64_t hardly = 100;
// Memory of a process is made when it is first used: ns a byte, assumed. What is less than this is used
// again.
constexpr double fresh_memory = 0.25, used_again = 8 << 20;

struct OneFile {
    std::uint64_t creates = 0, unlinks = 0, renames = 0, opens = 0, switches = 0, written = 0, read = 0,
                  highest = 0, maps = 0;
    double time = 0, metadata = 0;  // ns
    std::unordered_set<std::int64_t> writers, readers;

    void add(const RecordView& record)
    {
        const auto one = record.as<Transfers>();
        with_counters(record, [&](const auto& counters) {
            if constexpr (requires { counters.creates; }) creates += counters.creates;
            if constexpr (requires { counters.unlinks; }) unlinks += counters.unlinks;
            if constexpr (requires { counters.renames; }) renames += counters.renames;
            if constexpr (requires { counters.maps; }) maps += counters.maps;
        });
        opens += one.opens;
        // What a process writes, it may look at as it does.
        const bool writes = one.bytes_written > hardly * one.bytes_read,
                   reads = one.bytes_read > hardly * one.bytes_written;
        if (!writes && !reads) switches += one.switches;
        written += one.bytes_written;
        read += one.bytes_read;
        if (record.has_pattern()) highest = std::max(highest, record[&Pattern::highest_written]);
        metadata += static_cast<double>(one.metadata_time);
        time += static_cast<double>(one.read_time + one.write_time + one.metadata_time);
        if (one.bytes_written > 0 && !reads) writers.insert(record.process);
        if (one.bytes_read > 0 && !writes) readers.insert(record.process);
    }

    // Nobody has it any more: it was removed, or emptied again and again for the next.
    bool is_gone() const { return creates > 0 && (unlinks > 0 || creates >= few_times); }

    bool goes_through() const
    {
        const auto in = static_cast<double>(written), out = static_cast<double>(read);
        return written > 0 && is_gone() && renames == 0 && maps == 0 && out >= part_read_back * in &&
               (out <= once_or_nearly * in || is_scratch()) &&
               static_cast<double>(switches) <= (is_scratch() ? turns_of_scratch : turns_an_open) *
                                                    static_cast<double>(std::max(opens, creates));
    }

    // Of one process alone: memory, or a disk of its node, would do as well, however often it is read.
    bool is_scratch() const { return writers.size() == 1 && writers == readers; }
};

struct GoneThrough {
    std::uint64_t files = 0, bytes = 0;
    double times = 0, opens = 0, named_by_tempfile = 0;
    LostTime lost, compressing;
    std::uint64_t in_blocks = 0;  // bytes of those that samtools compresses
    double metadata = 0;          // ns
    bool between_processes = false;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

constexpr Remedy temporary_remedies[] = {
    {Language::c,
     "Keep the data in memory and hand them on; where they go to another program, through a pipe:",
     {"FILE* other = popen(\"program\", \"w\");"}},
    {Language::c,
     "Where only the name shall change when the file is whole, rename it rather than copy it:",
     {"rename(\"result.new\", \"result\");"}},
    {Language::fortran,
     "Keep the data in an array, or write them into text in memory:",
     {"write (text, *) values"}},
    {Language::python,
     "Keep the data in memory:",
     {"file = io.BytesIO()", "file = tempfile.SpooledTemporaryFile(max_size=1 << 30)"}},
    {Language::python,
     "Where the file shall have another name when it is whole, rename it rather than copy it:",
     {"os.replace(path + \".new\", path)"}},
    {Language::python,
     "Where another program reads it, hand it on through a pipe:",
     {"subprocess.run(command, input=data)"}},
    {Language::script, "Keep the data in memory, or hand them on through a pipe."},
    {Language::shell,
     "Have the commands write where the data belong, hand them on through a pipe, or move the file:",
     {"COMMAND >> OUTPUT    # for: COMMAND > TMP; cat TMP >> OUTPUT",
      "ONE | OTHER    # for: ONE > TMP; OTHER < TMP", "mv FILE FOLDER/    # for: cp FILE FOLDER/; rm FILE"}},
    {Language::packaged,
     "Look for an option of PROGRAM that keeps temporary data in memory, or have it write them there:",
     {"TMPDIR=/dev/shm PROGRAM …"}},
    {Language::sort,
     "Let sort use as much memory as its input needs:",
     {"sort --buffer-size=4G FILE", "sort --temporary-directory=/dev/shm FILE    # or have its files there"}},
    {Language::sqlite, "Have SQLite keep temporary tables in memory:", {"PRAGMA temp_store = MEMORY;"}},
};

constexpr Remedy temporary_remedies_of_ranks[] = {
    {Language::c, "Keep the data in memory, where that has room for them."},
    {Language::fortran,
     "Keep the data in an array, where memory has room for them, or write them into text in memory:",
     {"write (text, *) values"}},
    {Language::python, "Keep the data in memory, where that has room for them:", {"file = io.BytesIO()"}},
};
constexpr Remedy hand_on_remedies[] = {
    {Language::c,
     "Send the data to the rank that needs them:",
     {"MPI_Send(data, count, type, reader, tag, MPI_COMM_WORLD);"}},
    {Language::fortran,
     "Send the data to the rank that needs them:",
     {"call MPI_Send(values, count, type, reader, tag, MPI_COMM_WORLD, error)"}},
    {Language::python,
     "Send the data to the rank that needs them:",
     {"comm.Send(array, dest=reader)    # comm.send for other objects"}},
    {Language::script, "Send the data to the rank that needs them."},
};

// As Python's tempfile names them: it looks for a name that nobody has, and wraps the file.
bool is_named_by_tempfile(std::string_view path)
{
    constexpr std::string_view prefix = "tmp";
    constexpr std::size_t letters = 8;
    std::string_view name = path.substr(path.rfind('/') + 1);
    if (!name.starts_with(prefix) || name.size() < prefix.size() + letters) return false;
    name = name.substr(prefix.size());
    return std::all_of(name.begin(), name.begin() + letters,
                       [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }) &&
           (name.size() == letters || name[letters] == '.');
}

bool has_shell(const Job& job)
{
    constexpr std::string_view shells[] = {"/sh", "/bash", "/dash", "/zsh", "/ksh"};
    return std::any_of(job.ranks.begin(), job.ranks.end(), [&](const Member& member) {
        return std::any_of(std::begin(shells), std::end(shells),
                           [&](std::string_view shell) { return member.process.program.ends_with(shell); });
    });
}

Advice advice_on_compression(const AdvisedProgram& program)
{
    if (is_python(program))
        return {
            "Do not compress what is read again and gone, or compress it less: gzip.open and bz2.open do so "
            "as well as they can, which takes longest:",
            {"open(path, \"wb\")    # rather than gzip.open", "gzip.open(path, \"wb\", compresslevel=1)"}};
    return {"Do not compress what is read again and gone, or compress it less."};
}

// A packaged tool was told where to have them, as sort and samtools are by -T: TMPDIR is of no use then.
bool has_folder_option(const Job& job, const AdvisedProgram& program)
{
    return is_packaged(program) && program.language != Language::sort &&
           std::any_of(job.ranks.begin(), job.ranks.end(), [&](const Member& member) {
               return member.process.program.ends_with("/" + program.name) &&
                      member.process.command.find(" -T") != std::string_view::npos;
           });
}

// sort was given less memory than it would have taken.
bool has_little_memory(const Job& job, const AdvisedProgram& program)
{
    return program.language == Language::sort &&
           std::any_of(job.ranks.begin(), job.ranks.end(), [](const Member& member) {
               const std::string_view command = member.process.command;
               return member.process.program.ends_with("/sort") &&
                      (command.find(" -S") != std::string_view::npos ||
                       command.find(" --buffer-size") != std::string_view::npos);
           });
}

// What SQLite sorts in pages of its own, it would write and read in memory by the same calls of its own.
bool is_as_quick_as_memory(const FileUse& use)
{
    constexpr double quick_byte = 2;  // ns
    const FileView& view = use.system;
    return is_sqlite(use.path) &&
           static_cast<double>(view.time()) < quick_byte * static_cast<double>(view.bytes());
}

}  // namespace

MaybeFinding temporary_files(const Scene& scene)
{
    const Mounts mounts(scene.job.log);
    GoneThrough all{.lost = LostTime(scene.job), .compressing = LostTime(scene.job)};
    for (const FileCase& file : scene.files) {
        const FileView& moved = file.use->system;
        if (file.use->kind != NameKind::file || file.use->by_mpiio || moved.bytes_written == 0 ||
            moved.bytes_read == 0 || is_of_tools_own(file.use->path) || is_log_of_sqlite(file.use->path))
            continue;
        // Where such files should be.
        if (scene.job.nodes() > 1 && is_local(mounts.type_of(*file.use))) continue;
        OneFile one;
        for (const RecordView& record : file.records)
            if (record.layer != Layer::mpiio) one.add(record);
        if (!one.goes_through() || is_as_quick_as_memory(*file.use)) continue;
        // Of ranks that share it, one record is of all.
        const bool between = one.writers != one.readers || (scene.job.mpi && moved.users().count > 1);
        const auto extent = static_cast<double>(one.highest);
        const double keeping = between || extent <= used_again ? 0 : extent * fresh_memory,
                     time = std::max(one.time - keeping, 0.0);
        all.files += file.use->files;
        all.bytes += one.written;
        all.times += static_cast<double>(one.creates);
        all.opens += static_cast<double>(one.opens);
        if (is_named_by_tempfile(file.use->path)) all.named_by_tempfile += static_cast<double>(one.creates);
        all.lost.add_by_time(file.records, time);
        if (is_compressed(file.use->path)) {
            const bool interpreted = is_interpreted(program_of(scene.job, all.lost, file.use->path));
            for (const RecordView& record : file.records)
                all.compressing.add(record, scene.work_on_whole(file, record, interpreted));
        }
        if (file.use->path.ends_with(".bam")) all.in_blocks += one.written;
        all.metadata += one.time > 0 ? time * one.metadata / one.time : 0;
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = file.use;
        all.between_processes = between;
    }
    // A few small ones cost what the file system happened to do meanwhile.
    constexpr std::uint64_t few_bytes = 64 << 10;
    constexpr double few_files_made = 20;
    if (all.most == nullptr || (all.bytes < few_bytes && all.times < few_files_made)) return {};
    AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    if (keeps_versions(program)) return {};
    // A tool that needs such files for itself, as sort does, or one that a script hands their names to.
    if (is_packaged(program) && all.between_processes && has_shell(scene.job))
        program.language = Language::shell;
    Finding finding;
    constexpr std::uint64_t many = 100;
    finding.title = all.files < many
                        ? fmt::format("{} written to temporary files and read back", format_bytes(all.bytes))
                        : fmt::format("{} temporary files, of {} in all, written and read back",
                                      format_count(all.files), format_bytes(all.bytes));
    // Around each that Python's tempfile makes there is the work of three opens.
    constexpr double opens_by_tempfile = 3;
    const double opens = all.opens + (is_python(program) ? opens_by_tempfile * all.named_by_tempfile : 0),
                 in_calls =
                     scene.cost(all.lost) + around_calls(scene, program, Around::open, opens, all.lost),
                 compressing = scene.cost_beyond_io(all.compressing);
    constexpr double each_in_blocks = 18e-9;  // s a byte that is left of it, to make it and to take it apart
    const double blocks = each_in_blocks * scene.stretched * static_cast<double>(all.in_blocks);
    finding.cost = seconds(std::min(in_calls + compressing + blocks, scene.run));
    finding.cost_basis = "the time in all calls on these files";
    finding.cost_basis += words_on_interpreter(program);
    const bool compressed = compressing > in_calls / 4;
    if (compressed) {
        finding.cost_least = in_calls;
        finding.cost_basis +=
            "; at most also what is computed while they are open, to compress and decompress them";
    }
    if (blocks > 0) {
        finding.cost_least = in_calls;
        finding.cost_basis += "; at most also 18 ns a byte to compress and decompress them, which is assumed";
    }
    finding.confidence =
        is_packaged(program) && !has_little_memory(scene.job, program) ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"files", "files that were made, read and gone", count(all.files),
         all.times > static_cast<double>(all.files)
             ? fmt::format("made {} times", format_count(static_cast<std::uint64_t>(all.times)))
             : ""},
        {"bytes", "bytes through them", bytes(all.bytes), "written, and as many read"},
        {"file", "most time in", path(all.most->path),
         all.between_processes ? "one process wrote it, and another read it"
                               : "written and read by the same"}};
    finding.why = "The data go into a file and come back, though nothing is left of it in the end.";
    finding.doubt =
        "Data that do not fit into memory, or that have to be there after a crash; programs that take "
        "nothing but files.";
    finding.advice =
        has_folder_option(scene.job, program)
            ? std::vector<Advice>{{fmt::format("Look for an option of {} that has it keep more in "
                                               "memory, or have it write them there by -T:",
                                               program.name),
                                   {fmt::format("{} … -T /dev/shm/", program.name)}}}
        : scene.job.mpi && !is_packaged(program)
            ? advice_in(program, all.between_processes ? std::span<const Remedy>(hand_on_remedies)
                                                       : temporary_remedies_of_ranks)
            : advice_in(program, temporary_remedies);
    if (program.name == "samtools")
        finding.advice = {
            {"Let samtools use as much memory as its input needs, or have it write these files "
             "into memory:",
             {"samtools sort -m 4G FILE", "samtools sort -T /dev/shm/part FILE"}}};
    if (program.name.starts_with("convert") || program.name == "magick" || program.name == "mogrify")
        finding.advice = {
            {"Give ImageMagick more memory for its pixels, which it keeps in such a file beyond its limit:",
             {"export MAGICK_MEMORY_LIMIT=4GiB MAGICK_MAP_LIMIT=8GiB"}}};
    if (compressed) finding.advice.insert(finding.advice.begin(), advice_on_compression(program));
    if (!on_local_file_system(scene.job, *all.most))
        finding.advice.insert(
            finding.advice.begin(),
            {"Where each is used on one node, have them on its own disk or in its memory:",
             {"export TMPDIR=/tmp    # or name that folder where the program is told one"}});
    Found found(std::move(finding), all.lost);
    found.metadata = scene.cost(all.lost, all.metadata);
    found.file = all.most;
    return found;
}

}  // namespace fathom
