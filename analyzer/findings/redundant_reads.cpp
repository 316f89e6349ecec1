// The same bytes read several times: by one process, or by every rank.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/memory_reads.h"
#include "analyzer/findings/rank_work.h"
#include "analyzer/findings/redundant_reads_advice.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/replaced_files.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

// A process that read this part more than the file's extent read some of it twice.
constexpr double clearly_repeated = 1.25;
constexpr double clearly_longer = 1.25;
// Ranks that each read this part of what any of them read have read the same.
constexpr double nearly_the_file = 0.8;
// What keeping data costs, ns a byte, assumed: memory is made when it is first used, and what does not fit
// into the processor's cache comes from memory, where a read had just left it in the cache.
constexpr double first_use = 0.25, from_memory = 0.008, processor_cache = 8 << 20;

// Of the files of which a process reads again what it had read, or of those that others read as well: a file
// is of the kind that takes it longer.
struct Repeats {
    explicit Repeats(const Job& job) : lost(job), work(job) {}

    double again = 0, by_others = 0;  // bytes: that the process had read before; that another rank read too
    double time_again = 0, time_by_others = 0;  // ns
    double first_pass = 0;                      // ns that may be for what was read first
    double longest_by_others = 0;               // ns of the latter: of the rank that reads longest
    double calls_again = 0, arrays_again = 0;   // arrays: of NumPy's files, by their opens
    double keeping = 0;                         // ns that keeping what was read again would take
    double looking_by_others = 0;               // ns of other ranks' opens, looks and closes
    std::uint64_t files_by_others = 0;
    LostTime lost, work;
    const FileCase* most = nullptr;
    double time_of_most = 0, readers_of_most = 0;
    bool up_to_part = false;  // of most
};

struct OfFile {
    double bytes = 0, again = 0, each_once = 0, extent = 0, time = 0, readers = 0, calls = 0;
    double keeping = 0;                 // ns
    double first = 0, bytes_first = 0;  // of the time and the bytes, what was clearly the first time
};

// Where a log does not count them, all that opened the file: no more is then taken for read again than was.
std::uint64_t readers_of(const RecordView& record)
{
    if (record.process != reduced) return 1;
    return std::max<std::uint64_t>(
        record[&Sharing::readers] > 0 ? record[&Sharing::readers] : record[&Sharing::processes], 1);
}

// One read of a process that took far longer than the others, each of which is about as long as the file, is
// the one that brought the file into memory.
void add_first(OfFile& sum, const RecordView& record, double extent)
{
    constexpr double far_longer = 4, about_whole = 0.5;
    const auto reads = static_cast<double>(record[&Transfers::reads]),
               time = static_cast<double>(record[&Transfers::read_time]),
               bytes = static_cast<double>(record[&Transfers::bytes_read]);
    const auto slowest = static_cast<double>(record[&Transfers::slowest_read].time),
               readers = static_cast<double>(readers_of(record));
    if (reads < 2 * readers || bytes < about_whole * extent * reads || slowest * reads < far_longer * time)
        return;
    // Of several processes, each brings it to its node, or waits until it is there.
    sum.first += std::min(readers * slowest, time / 2);
    sum.bytes_first += readers * bytes / reads;
}

// Of a file's extent, the bytes for which keeping it takes memory that the process did not use in any case,
// as where it reads into one small buffer again and again. Faults tell, by what was read.
double new_memory(const Scene& scene, const RecordView& record, double extent)
{
    constexpr double page = 4096;
    const Member* const member = scene.job.member_of(record);
    if (member == nullptr) return extent;
    const auto all = static_cast<double>(member->system_bytes(Direction::read));
    const double of_record =
        all > 0 ? std::min(static_cast<double>(record[&Transfers::bytes_read]) / all, 1.0) : 0;
    return std::max(extent - of_record * page * static_cast<double>(member->process.minor_faults), 0.0);
}

// A shell goes back to the end of each line that it has read, since what follows may be for another program.
bool is_of_shell(const Scene& scene, const RecordView& record)
{
    const Member* const member = scene.job.member_of(record);
    return member != nullptr && is_shell(member->process.program);
}

// How often it was made anew, or another one took its place: what is read after that, nobody had read before.
double times_made(const FileCase& file, const ReplacedFiles& replaced)
{
    return static_cast<double>(
        std::max<std::uint64_t>({file.use->system.creates, replaced.times(file.use->path), 1}));
}

OfFile repeats_of(const Scene& scene, const FileCase& file, const ReplacedFiles& replaced)
{
    OfFile sum;
    // One that reads through two layers is one reader.
    std::unordered_set<std::int64_t> counted;
    double of_reduced = 0;
    const double made = times_made(file, replaced);
    for (const RecordView& record : file.records) {
        if (!record.has_pattern() || record[&Transfers::bytes_read] == 0 ||
            record[&Pattern::highest_read] == 0 || is_of_shell(scene, record))
            continue;
        const auto bytes = static_cast<double>(record[&Transfers::bytes_read]),
                   extent = static_cast<double>(record[&Pattern::highest_read]),
                   readers = static_cast<double>(readers_of(record));
        const double whole = extent * readers * made,
                     once = bytes > clearly_repeated * whole ? std::min(whole, bytes) : bytes;
        sum.bytes += bytes;
        sum.again += bytes - once;
        if (bytes > once)
            sum.keeping += new_memory(scene, record, extent) * readers * first_use +
                           (extent > processor_cache ? (bytes - once) * from_memory : 0);
        if (bytes > once) add_first(sum, record, extent);
        sum.each_once += once;
        sum.extent = std::max(sum.extent, extent);
        if (record.process == reduced)
            of_reduced = std::max(of_reduced, readers);
        else
            counted.insert(record.process);
        sum.time += static_cast<double>(record[&Transfers::read_time]);
        sum.calls += static_cast<double>(record[&Transfers::reads]);
    }
    sum.readers = of_reduced + static_cast<double>(counted.size());
    return sum;
}

// ns that so many of the bytes took: what calls at random places bring from memory, they would have to fetch
// from there in any case.
double time_of(const Scene& scene, const FileCase& file, const OfFile& one, double bytes, double per_byte)
{
    double in_order = 0;
    for (const RecordView& record : file.records)
        if (record.has_pattern()) in_order += static_cast<double>(record[&Pattern::consecutive_reads]);
    if (2 * in_order > one.calls || !are_from_memory(scene, one.calls, one.bytes, one.time))
        return bytes * per_byte;
    return std::min(bytes * per_byte, saved_of_memory_reads(scene, one.calls * bytes / one.bytes));
}

// ns of reads of POSIX that waited far longer than others of their size.
double stalled_reads(const Scene& scene)
{
    double stalled = 0;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
        stalled += static_cast<double>(scene.operations(Layer::posix, Kind::read, at).time) -
                   scene.steady_time(Layer::posix, Kind::read, at);
    return stalled;
}

// ns of these that bringing a file which the job did not write to its nodes takes, over a slow link: that is
// for what is read first, and what is read again comes from memory.
double first_pass(const Scene& scene, const FileCase& file, const OfFile& one, double stalled)
{
    if (file.use->system.bytes_written > 0) return 0;
    const double bytes = one.extent * static_cast<double>(scene.job.nodes());
    return std::min(stalled, 1e9 * scene.over_slow_link(*file.use, bytes));
}

// ns in opens, looks and closes of a file that each rank reads whole, of all but the one that could do so for
// them. One that is opened again and again is a fault of its own (open_close_churn).
double looking_by_others(const Scene& scene, const FileCase& file, const OfFile& one)
{
    constexpr double twice_each = 2;
    const FileView& view = file.use->system;
    if (!scene.job.mpi || view.bytes_written > 0 ||
        static_cast<double>(view.opens) > twice_each * one.readers)
        return 0;
    return static_cast<double>(view.metadata_time) * (1 - 1 / one.readers);
}

// Only packaged tools read the file, as far as the log has them one by one.
bool is_read_by_tools(const Scene& scene, const FileCase& file)
{
    return std::all_of(file.records.begin(), file.records.end(), [&](const RecordView& record) {
        if (record[&Transfers::bytes_read] == 0) return true;
        const Member* const member = scene.job.member_of(record);
        return member != nullptr && is_packaged_tool(run_by(member->process));
    });
}

// What each run of a packaged tool reads as its configuration: little, by several.
bool is_configuration(const Scene& scene, const FileCase& file, const OfFile& one)
{
    constexpr double few_bytes = 16 << 10, several = 3;
    return one.extent < few_bytes && one.readers >= several && is_read_by_tools(scene, file);
}

// A packaged tool that goes through a file twice does so by its nature.
bool is_of_two_passes(const Scene& scene, const FileCase& file, const OfFile& one)
{
    constexpr double passes = 2.5;
    return one.bytes < passes * one.extent * one.readers && is_read_by_tools(scene, file);
}

// Each reads it anew under a lock, since others change it in between: a counter, or a list of what is left.
bool is_changed_by_others(const FileCase& file)
{
    std::uint64_t reads = 0, locks = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix) {
            reads += record[&Transfers::reads];
            locks += record[&PosixRecord::locks];
        }
    const FileView& view = file.use->system;
    const std::uint64_t writers = view.writers().count;
    return locks >= reads / 2 && locks > 0 && (writers > 1 || (writers == 1 && view.readers().count > 1));
}

// Of a file of HDF5, what the program asked for fits into it once: what is read again are HDF5's own
// descriptions, or chunks, of which other rules say more.
bool are_datasets_read_once(const Scene& scene, const FileUse& use, const OfFile& one)
{
    if (scene.datasets.file_of(use.file) == nullptr) return false;
    double asked = 0;
    bool known = false;
    for (const DatasetUse* const dataset : scene.datasets.in_file(use.file))
        if (dataset->own) {
            asked += static_cast<double>(dataset->sums.bytes_read);
            known = true;
        }
    return known && asked <= clearly_repeated * one.extent * one.readers;
}

// What a tool such as samtools or cdo is told to do: the first of its arguments that is a word, and no
// option; of others nothing.
std::string_view task_of(std::string_view program, std::string_view command)
{
    constexpr std::string_view with_tasks[] = {"/samtools", "/bcftools", "/bedtools", "/cdo",
                                               "/git",      "/seqkit",   "/tabix"};
    if (std::none_of(std::begin(with_tasks), std::end(with_tasks),
                     [&](std::string_view name) { return program.ends_with(name); }))
        return {};
    for (std::size_t at = command.find(' '); at != std::string_view::npos;) {
        const std::size_t end = std::min(command.find(' ', at + 1), command.size());
        const std::string_view word = command.substr(at + 1, end - at - 1);
        if (!word.empty() && word[0] >= 'a' && word[0] <= 'z' && word.size() > 3)
            return word.substr(0, word.find(','));
        at = end < command.size() ? end : std::string_view::npos;
    }
    return {};
}

// Processes without MPI read the same for one purpose where nearly all of it is read by one program: not a
// pipeline of tools, nor a tool that a script uses for two purposes.
bool of_one_program(const Scene& scene, const FileCase& file)
{
    constexpr double nearly_all = 0.9;
    constexpr std::size_t several_tools = 3;
    constexpr std::size_t few_of_task = 5;
    std::unordered_map<std::string, double> read;
    std::unordered_map<std::string, std::size_t> of_task;
    std::size_t by_tools = 0;
    double all = 0, most = 0;
    for (const RecordView& record : file.records) {
        if (record[&Transfers::bytes_read] == 0) continue;
        const Member* const member = scene.job.member_of(record);
        if (member == nullptr) return false;
        const std::string_view program = member->process.program;
        by_tools += is_packaged_tool(program) || program.ends_with("awk");
        const std::string_view task = task_of(program, member->process.command);
        const std::string name = std::string(program) += task;
        double& of_program = read[name];
        if (!task.empty()) ++of_task[name];
        of_program += static_cast<double>(record[&Transfers::bytes_read]);
        all += static_cast<double>(record[&Transfers::bytes_read]);
        most = std::max(most, of_program);
    }
    // A few of one task are for several results.
    if (std::any_of(of_task.begin(), of_task.end(),
                    [&](const auto& one) { return one.second < few_of_task; }))
        return false;
    return all > 0 && most >= nearly_all * all && (by_tools == 0 || by_tools >= several_tools);
}

// Runs of a packaged tool that each read from the beginning to the part that they want.
bool reads_up_to_part(const Scene& scene, const FileCase& file, const OfFile& one)
{
    constexpr double several = 3, times_over = 2;
    return one.readers >= several && one.each_once >= times_over * one.extent &&
           is_read_by_tools(scene, file);
}

bool is_packed(std::string_view path)
{
    return is_compressed(path) || path.ends_with(".bam") || path.ends_with(".cram");
}

// They hand on what they read, as cat and cp do: each has to, whatever another one has read. Of what they
// unpack, as samtools does, a part is as long.
bool are_copies(const Scene& scene, const FileCase& file)
{
    constexpr double nearly_all_of_it = 0.8;
    if (is_packed(file.use->path)) return false;
    double read = 0, written = 0;
    for (const RecordView& record : file.records) {
        const Member* const member = scene.job.member_of(record);
        if (member == nullptr || record[&Transfers::bytes_read] == 0) continue;
        read += static_cast<double>(member->application_bytes(Direction::read));
        written += static_cast<double>(member->application_bytes(Direction::write));
    }
    return written >= nearly_all_of_it * read;
}

Scene::TakenApart taken_apart_by(const AdvisedProgram& reader, std::string_view path)
{
    if (reader.uses(hdf5_inside) && is_named_as_hdf5(path)) return Scene::TakenApart::by_hdf5;
    return is_python(reader)                      ? Scene::TakenApart::by_python
           : reader.language == Language::script  ? Scene::TakenApart::by_script
           : reader.language == Language::fortran ? Scene::TakenApart::by_fortran
                                                  : Scene::TakenApart::by_others;
}

// ns in seeks that each empty the buffer of a stream of C++, which reads 8 KiB for the next few bytes; 0:
// these reads come from elsewhere.
double in_emptying_seeks(const AdvisedProgram& reader, const FileCase& file)
{
    constexpr std::uint64_t many = 1000, least_buffer = 4000, most_buffer = 8192;
    double time = 0;
    for (const RecordView& record : file.records) {
        if (record.layer != Layer::posix || !record.has_pattern()) continue;
        const std::uint64_t reads = record[&Transfers::reads], bytes = record[&Transfers::bytes_read];
        if (reads < many || record[&Pattern::seeks] < reads - reads / 10 || bytes < least_buffer * reads ||
            bytes > most_buffer * reads)
            return 0;
        time += static_cast<double>(record[&Transfers::metadata_time]);
    }
    return reader.language == Language::cxx ? time : 0;
}

// By its name: most of what a program does as it reads this is to make numbers or records of it.
bool has_to_be_taken_apart(const AdvisedProgram& reader, std::string_view path)
{
    return is_text(path) || is_packed(path) || is_zip(path) || is_pickled(path) ||
           taken_apart_by(reader, path) == Scene::TakenApart::by_hdf5;
}

// ns that Python takes to check and copy what it reads of a member of an archive, such as an array of NumPy,
// and to inflate it: what is compressed comes in smaller pieces than the 256 KiB by which NumPy reads the
// others, in those of the file system's blocks.
double checking(const Scene& scene, const FileCase& file, const RecordView& record, double bytes,
                const AdvisedProgram& reader)
{
    constexpr double each_byte = 0.7, each_compressed = 10;  // assumed, with a core of its own
    constexpr std::size_t of_numpy = SizeHistogram::class_of(256 << 10);
    constexpr std::uint64_t nearly_of_numpy = 200 << 10;
    if (!is_python(reader) || !is_zip(file.use->path)) return 0;
    const SizeHistogram& sizes = record[&Transfers::read_size];
    const double checked = each_byte * bytes * scene.stretched;
    return sizes.count[of_numpy] >= sizes.count[of_numpy - 1] &&
                   record[&Transfers::bytes_read] >= nearly_of_numpy * sizes.count[of_numpy]
               ? checked
               : std::clamp(scene.computed_for(file, record), checked,
                            each_compressed * bytes * scene.stretched);
}

// ns that SQLite looks at the rows in, which it has read whole again for a query.
double looking_at_rows(const Scene& scene, const FileCase& file, const RecordView& record, double bytes)
{
    constexpr double most_a_byte = 3;  // with a core of its own
    return file.is_of_sqlite()
               ? std::min(scene.computed_for(file, record), most_a_byte * scene.stretched * bytes)
               : 0;
}

// ns that a process worked on what it read of a file. A tool that a script starts again and again does little
// else.
double work_of(const Scene& scene, const FileCase& file, const RecordView& record, double bytes,
               bool started_for_it, const AdvisedProgram& reader)
{
    const double while_reading =
        std::max({scene.work_on(file, record, bytes), checking(scene, file, record, bytes, reader),
                  looking_at_rows(scene, file, record, bytes),
                  scene.work_on_text(file, record, bytes, taken_apart_by(reader, file.use->path))});
    const Member* const member = scene.job.member_of(record);
    if (!started_for_it || member == nullptr) return while_reading;
    const auto all = static_cast<double>(member->application_bytes(Direction::read)),
               left = static_cast<double>(member->run_time() -
                                          std::min(member->run_time(), member->time().total()));
    return all > 0 ? std::max(std::min(bytes / all, 1.0) * left, while_reading) : while_reading;
}

// What Fortran reads, as far as its statements are timed: their time, by this file's share of what a process
// reads. Whether they are.
bool add_statements(LostTime& work, const Job& job, const OfFile& one, double part)
{
    bool timed = false;
    for (const Member& member : job.ranks) {
        if (member.process.fortran_time == 0) continue;
        timed = true;
        const TimeSplit calls = member.time();
        const auto read = static_cast<double>(member.application_bytes(Direction::read)),
                   written = static_cast<double>(member.application_bytes(Direction::write)),
                   in_statements = static_cast<double>(member.process.fortran_time);
        if (!(read > 0)) continue;
        const double apart = std::max(in_statements - static_cast<double>(calls.read + calls.write), 0.0) *
                             read / (read + written);
        work.add(member, part * std::min(one.bytes / one.readers / read, 1.0) * apart);
    }
    return timed;
}

AdvisedProgram reader_of(const Scene& scene, const FileCase& file)
{
    LostTime readers(scene.job);
    for (const RecordView& record : file.records)
        readers.add(record, static_cast<double>(record[&Transfers::read_time]));
    return executable_of(scene.job, readers);
}

// A database of which pages are taken by an index, here and there, has what it needs: they come again and
// again, and from the system's memory as quickly as from a cache of SQLite's own. One without is gone through
// in order.
bool is_read_by_index(const Scene& scene, const FileCase& file, const OfFile& one)
{
    constexpr double half = 0.5, from_memory_at_most = 20e3;  // ns a read
    if (!file.is_of_sqlite() && reader_of(scene, file).language != Language::sqlite) return false;
    double in_order = 0;
    for (const RecordView& record : file.records)
        if (record.has_pattern()) in_order += static_cast<double>(record[&Pattern::consecutive_reads]);
    return in_order < half * one.calls && one.time < from_memory_at_most * one.calls;
}

// A database that is made meanwhile: an index needs all that there is.
bool is_database_made(const FileCase& file, const OfFile& one)
{
    constexpr double hardly = 0.1;
    return file.is_of_sqlite() && static_cast<double>(file.use->system.bytes_written) > hardly * one.bytes;
}

// Gone through by a query and by what makes an index: neither is a fault.
bool is_database_in_work(const FileCase& file, const AdvisedProgram& reader, const OfFile& one)
{
    constexpr double several_times = 5;
    return (file.is_of_sqlite() || reader.language == Language::sqlite) &&
           (one.bytes < several_times * one.extent * one.readers || is_database_made(file, one));
}

// What was taken apart could be kept as well as what was read. Ranks need what they all read, each for
// itself.
void add_work(Repeats& all, const Scene& scene, const FileCase& file, const OfFile& one, double by_others)
{
    constexpr double much = 1 << 20, many_calls_again = 100;
    constexpr std::size_t starts = 4;
    const double part = (one.again + by_others) / one.bytes;
    if (part <= 0 || (part * one.bytes < much && part * one.calls < many_calls_again)) return;
    const AdvisedProgram reader = reader_of(scene, file);
    if (is_database_in_work(file, reader, one)) return;
    const bool started_for_it = by_others > 0 && file.records.size() >= starts &&
                                (is_packaged(reader) || reader.name.ends_with("awk"));
    if (reader.language == Language::fortran && add_statements(all.work, scene.job, one, part)) return;
    for (const RecordView& record : file.records)
        if (record.has_pattern())
            all.work.add(record, work_of(scene, file, record,
                                         part * static_cast<double>(record[&Transfers::bytes_read]),
                                         started_for_it, reader));
}

// What HDF5 itself did with what was read again, as to decompress and convert it.
void add_library(Repeats& all, const Scene& scene, const FileCase& file, const OfFile& one)
{
    if (scene.datasets.file_of(file.use->file) == nullptr) return;
    for (const DatasetUse* const dataset : scene.datasets.in_file(file.use->file)) {
        if (!dataset->own) continue;
        for (const DatasetRecord* const record : dataset->records)
            all.work.add(owner_of(*record),
                         one.again / one.bytes *
                             static_cast<double>(record->read_time -
                                                 std::min(record->read_time, record->read_time_beneath)));
    }
}

}  // namespace

MaybeFinding redundant_reads(const Scene& scene)
{
    constexpr double much_for_tasks = 8 << 20;
    const double stalled = stalled_reads(scene);
    Repeats by_same(scene.job), by_several(scene.job);
    const bool tasks = !scene.job.mpi && are_tasks(scene.job);
    const ReplacedFiles replaced(scene);
    for (const FileCase& file : scene.files) {
        if (file.use->kind != NameKind::file || is_changed_by_others(file) ||
            is_python_module(file.use->path) || came_with_system(file.use->path))
            continue;
        OfFile one = repeats_of(scene, file, replaced);
        if (one.bytes == 0 || is_configuration(scene, file, one)) continue;
        if (one.again > 0 &&
            (are_datasets_read_once(scene, *file.use, one) || is_of_two_passes(scene, file, one) ||
             is_read_by_index(scene, file, one) || is_database_made(file, one)))
            one.again = one.keeping = 0;
        // Without MPI one of each node reads for the others there; tasks may each have a part of a large
        // file.
        const bool by_nodes = !scene.job.mpi && one.readers <= static_cast<double>(scene.job.nodes()) &&
                              !(tasks && one.extent >= much_for_tasks);
        // Written here for the one or two that read it, as rows for neighbours are.
        constexpr std::uint64_t neighbours = 2;
        const bool passed_on = scene.job.mpi && file.use->system.creates > 0 &&
                               one.readers <= static_cast<double>(neighbours) &&
                               scene.job.ranks.size() > neighbours;
        const bool by_all = one.readers > 1 && !by_nodes && !passed_on && !file.use->by_mpiio &&
                            (one.each_once >= nearly_the_file * one.extent * one.readers ||
                             (!scene.job.mpi && reads_up_to_part(scene, file, one))) &&
                            (scene.job.mpi || (of_one_program(scene, file) && !are_copies(scene, file)));
        const double by_others = by_all ? one.each_once - one.extent : 0, each_byte = one.time / one.bytes;
        const double of_others = time_of(scene, file, one, by_others, each_byte),
                     again = time_of(scene, file, one, one.again,
                                     (one.time - one.first) / std::max(one.bytes - one.bytes_first, 1.0));
        const double keeping = std::min(one.keeping, again);
        Repeats& all = again >= of_others ? by_same : by_several;
        all.keeping += keeping;
        if (!scene.job.mpi || again >= of_others)
            all.first_pass += std::min(first_pass(scene, file, one, stalled), again + of_others);
        all.again += one.again;
        all.by_others += by_others;
        all.time_again += again;
        all.calls_again += one.calls * one.again / one.bytes;
        if (is_array(file.use->path))
            all.arrays_again += static_cast<double>(file.use->system.opens) * one.again / one.bytes;
        all.time_by_others += of_others;
        all.longest_by_others += by_others / one.bytes * Scene::longest(file.use->system, Direction::read);
        const double looking = by_all && again < of_others ? looking_by_others(scene, file, one) : 0;
        all.looking_by_others += looking;
        all.files_by_others += by_all;
        const double time = again + of_others + looking - keeping;
        if (time > 0) all.lost.add_by_time(file.records, time);
        add_work(all, scene, file, one, scene.job.mpi ? 0 : by_others);
        add_library(all, scene, file, one);
        if (time <= all.time_of_most) continue;
        all.time_of_most = time;
        all.most = &file;
        all.readers_of_most = one.readers;
        all.up_to_part = by_all && one.each_once < nearly_the_file * one.extent * one.readers;
    }
    const auto costs = [&](const Repeats& one) {
        return one.most == nullptr ? -1 : scene.cost(one.lost) + scene.cost_beyond_io(one.work);
    };
    const Repeats& all = costs(by_same) >= costs(by_several) ? by_same : by_several;
    if (all.most == nullptr) return {};
    const double readers = all.readers_of_most;
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->use->path);
    // What a packaged tool reads twice in one run, its user cannot change; but to start it again.
    const bool same_process = all.time_again >= all.time_by_others &&
                              !(is_packaged(program) && all.time_by_others > all.time_again / 2);
    constexpr std::uint64_t several_files = 20;
    const bool by_looks =
        !same_process && all.files_by_others >= several_files && all.looking_by_others > all.time_by_others;
    Finding finding;
    const auto whole = [](double n) { return static_cast<std::uint64_t>(n); };
    finding.title = same_process ? fmt::format("{} read that the same process had read before",
                                               format_bytes(whole(all.again)))
                    : by_looks   ? fmt::format("{} opened and read by several ranks each",
                                               counted(all.files_by_others, "file", "files"))
                                 : fmt::format("{} read that other {} read as well",
                                               format_bytes(whole(all.by_others)), scene.members());
    const double seeking = same_process ? in_emptying_seeks(program, *all.most) : 0;
    const double in_calls = scene.cost(all.lost, all.lost.total() + seeking) +
                            around_calls(scene, program, Around::read, all.calls_again, all.lost) +
                            around_calls(scene, program, Around::array, all.arrays_again, all.lost);
    const double work = scene.cost_beyond_io(all.work);
    finding.cost = seconds(std::min(in_calls + work, scene.run));
    finding.cost_basis = all.looking_by_others > 0
                             ? "their share of the time in opens, reads and closes of these files"
                             : "their share of the time in reads of these files";
    if (all.keeping > 0) finding.cost_basis += ", less what keeping them in memory takes, which is assumed";
    finding.cost_basis += words_on_interpreter(program);
    finding.confidence = same_process && is_packaged(program) && program.language != Language::sqlite
                             ? Confidence::low
                             : Confidence::medium;
    // From memory, in large requests: what is kept has to be fetched from there as well.
    // What passes again and again to the last byte is no matter of the cache.
    constexpr double quick_byte = 0.5, large_read = 64 << 10;  // ns
    constexpr double many_times = 50;
    if (same_process && all.again > large_read * all.calls_again && all.time_again < quick_byte * all.again &&
        all.again < many_times * static_cast<double>(all.most->use->system.highest_read) &&
        work <= in_calls / 4)
        finding.confidence = Confidence::low;
    if (work > in_calls / 4) {
        finding.cost_basis +=
            "; at most also that between these reads, in which the program works on what it read";
        finding.cost_least = in_calls;
        if (has_to_be_taken_apart(program, all.most->use->path)) {
            finding.cost_basis += "; at least three quarters of that, as these files have to be taken apart";
            finding.cost_least = std::min(in_calls + 0.75 * work, cost_of(finding));
        }
    }
    if (all.first_pass > 0) {
        const double least = in_calls * std::max(1 - all.first_pass / all.lost.total(), 0.0);
        finding.cost_least = std::min(finding.cost_least.value_or(cost_of(finding)), least);
        finding.cost_basis +=
            "; at least without what it takes to bring the file over a link of 50 MiB/s once";
        if (least < in_calls / 2 && work <= in_calls / 4) finding.confidence = Confidence::low;
    }
    // Where the first pass has waited for a server, the second may find all in memory.
    constexpr double twice = 2.5, from_cache = 0.5;  // ns a byte
    if (same_process && work <= in_calls / 4 && !on_local_file_system(scene.job, *all.most->use) &&
        all.again < twice * static_cast<double>(all.most->use->system.highest_read)) {
        finding.cost_least = std::min(in_calls, all.again * from_cache / 1e9);
        finding.cost_basis += "; at least as if they had found the data in the node's memory";
    }
    if (const auto nodes = static_cast<double>(scene.job.nodes());
        !same_process && scene.job.mpi && nodes > 1 && readers > nodes) {
        constexpr double sent_mib = 100;  // a second, by a network of 1 Gbit/s
        finding.cost_basis += fmt::format(
            "; at least for one reader a node, where the others find the data in its memory, less what "
            "sending them takes at {}",
            format_rate(sent_mib));
        finding.cost_least = std::max(in_calls * (1 - 1 / nodes) / (1 - 1 / readers) -
                                          all.by_others / (readers - 1) / (sent_mib * mebibyte),
                                      0.0);
    }
    // Nodes that do not have the file in memory take longer, and the others wait for them.
    if (const double longest = std::min(all.longest_by_others / 1e9, scene.run);
        !same_process && scene.job.mpi && longest > clearly_longer * cost_of(finding)) {
        if (!finding.cost_least) finding.cost_least = cost_of(finding);
        finding.cost = seconds(longest);
        finding.cost_basis += "; at most that of the rank which reads longest, for which the others may wait";
    }
    if (all.again > 0)
        finding.evidence.push_back(
            {"again", "read before by the same", bytes(whole(all.again)), "more than the file is long"});
    if (all.by_others > 0)
        finding.evidence.push_back({"by_others", fmt::format("read again by other {}", scene.members()),
                                    bytes(whole(all.by_others)), ""});
    const auto end = all.most->use->system.highest_read;
    const std::string length = end > 0 ? fmt::format(", of its first {}", format_bytes(end)) : "";
    finding.evidence.push_back(
        {"file", "most time in", path(all.most->use->path),
         fmt::format("{} read by {:.0f} {}{}", format_bytes(all.most->use->system.bytes_read), readers,
                     readers == 1 ? scene.member() : scene.members(), length)});
    const std::string_view name = all.most->use->path;
    const bool grows = seeking <= 0 && same_process && is_text(name) && !is_packaged(program) &&
                       all.most->grows_while_read();
    finding.why =
        grows           ? "The file grows while it is read: only what was written since the last read is new."
        : seeking > 0   ? "Each seek of a stream of C++ empties its buffer, and the next read fills it anew: "
                          "some 8 KiB for each piece."
        : same_process  ? "What was read once could be kept in memory."
        : scene.job.mpi ? "Every rank asks the file system for what one could read and send to the others."
                        : "Every process asks the file system for what one could read for all.";
    finding.doubt = grows          ? "A program that needs all of the file each time, such as to sort it."
                    : same_process ? "Data that do not fit into memory."
                                   : "A small file that the system has in memory on every node.";
    if (!same_process && scene.job.mpi && on_own_disk(scene.job, *all.most->use)) {
        finding.confidence = Confidence::low;
        finding.doubt += " On one node with a file system of its own, as here, sending it may take as long.";
    }
    if (!same_process && tasks) finding.doubt = "Tasks that each need all of it.";
    const FileView& view = all.most->use->system;
    const bool by_formats = same_process && program.language == Language::fortran &&
                            is_formatted_by_fortran(view.reads, view.bytes_read);
    finding.advice = advice_on_redundant_reads(scene, program, name,
                                               seeking > 0      ? ReadAgainBy::seeks_of_stream
                                               : grows          ? ReadAgainBy::same_as_it_grows
                                               : by_formats     ? ReadAgainBy::same_by_formats
                                               : same_process   ? ReadAgainBy::same_process
                                               : tasks          ? ReadAgainBy::tasks
                                               : by_looks       ? ReadAgainBy::others_file_by_file
                                               : all.up_to_part ? ReadAgainBy::others_in_part
                                                                : ReadAgainBy::others);
    Found found(std::move(finding), all.lost);
    found.file = all.most->use;
    return found;
}

}  // namespace fathom
