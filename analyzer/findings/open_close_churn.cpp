// The same files opened and closed again and again, around a little I/O each time.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/finding.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/logging.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/transactions.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_opens = 200, many_times = 10, writes_each_time = 2;
// Opens of MPI-IO are of all ranks together: each rank waits for the others. Of HDF5, archives and databases
// each open reads an index.
constexpr std::uint64_t few_costly_opens = 20;
constexpr double library_each = 1e6;  // ns: of what HDF5 and NetCDF do between an open and its close
// ns: the same of an interpreter's library, and for each attribute that it asks HDF5 for: PyTables reads some
// hundred at each open.
constexpr double interpreter_each = 5e6, each_attribute = 40e3;

// ns at least, assumed with a core of its own: SQLite reads the schema at each open, and Python makes an
// object of each member of a ZIP archive from some 60 bytes of its directory.
constexpr double schema_each = 50e3, directory_byte = 30;

struct Churn {
    std::uint64_t opens = 0, needless = 0, files = 0;
    LostTime lost, work;
    double metadata = 0;            // ns: of the needless ones' share of all metadata calls on these files
    double writing = 0;             // ns: of the writes in between, beyond what large ones would take
    double reading = 0, reads = 0;  // ns, and reads, of what is read again at each open
    bool is_many = false;
    double rewritten = 0;   // opens of files that were written anew each time
    LostTime in_libraries;  // of needless opens and closes in HDF5 and PnetCDF, and of the datasets in them
    LostTime while_open;    // computed between opens and closes
    LostTime shortly_open;  // the same of files that are open for no longer than a library needs
    LostTime taking_apart;  // of that, what Python's libraries take at least for what they read at each open
    const FileUse* most = nullptr;
    std::uint64_t opens_of_most = 0;
    bool most_looked_for = false;
    std::vector<const FileUse*> indexed;  // files of which something is read again at each open
    std::vector<const FileUse*> read_whole;
};

// A file that grows, and is read whole again each time: half of its length in the mean.
bool is_read_as_it_grows(const FileUse& use)
{
    constexpr double about_half = 0.15, no_more = 1.1;
    const FileView& view = use.system;
    const double whole = static_cast<double>(view.opens) * static_cast<double>(view.highest_read);
    return !has_index(use.path) && !is_named_as_hdf5(use.path) && view.highest_read >= view.highest_written &&
           view.bytes_written > 0 &&
           static_cast<double>(view.bytes_written) <= no_more * static_cast<double>(view.highest_read) &&
           std::abs(static_cast<double>(view.bytes_read) - whole / 2) < about_half * whole;
}

// What is read at each open is a file's index, or little of it, or what was changed since: to keep the file
// open spares that, too. The whole of a file that nobody changes is better kept in memory.
bool is_index_read(const FileUse& use)
{
    if (is_read_as_it_grows(use)) return false;
    constexpr double little_of_it = 0.25;
    constexpr std::uint64_t turns =
        4;  // of opens to one write: it is opened to read and to write, maybe twice
    const FileView& view = use.system;
    if (view.bytes_read == 0) return false;
    if (view.writes >= view.opens / turns) return true;
    const auto each_time = static_cast<double>(view.bytes_read) / static_cast<double>(view.opens);
    return each_time < little_of_it * static_cast<double>(view.highest_read) || has_index(use.path);
}

bool is_read_whole(const FileUse& use)
{
    constexpr double nearly_all = 0.8;
    const FileView& view = use.system;
    return view.bytes_written == 0 && view.bytes_read > 0 && !use.by_mpiio &&
           static_cast<double>(view.bytes_read) >=
               nearly_all * static_cast<double>(view.opens) * static_cast<double>(view.highest_read);
}

// An interpreter does more around an open than the calls that are seen. What compiled programs compute while
// a file is open is their own, but for files of these libraries: they read what describes a file when they
// open it and write it when they close it, in some hundred microseconds.
bool opens_by_library(const AdvisedProgram& program)
{
    return (program.language == Language::hdf5 || program.language == Language::netcdf) &&
           !program.besides_hdf5;
}

// ns that a library may compute around each open of a file.
double most_around_open(const Scene& scene, const FileCase& file)
{
    const DataFileUse* const described = scene.datasets.file_of(file.use->file);
    if (described == nullptr || described->opens() == 0) return interpreter_each;
    const DataFileCounters& sums = described->sums;
    return interpreter_each + each_attribute *
                                  static_cast<double>(sums.attribute_opens + sums.attribute_creates) /
                                  static_cast<double>(described->opens());
}

// ns: a write or two for each open could be collected where the file stays open; what they take beyond large
// ones. Those that wait for the device are a finding of their own.
double of_few_writes(const Scene& scene, const FileCase& file)
{
    double time = 0;
    for (const RecordView& record : file.records) {
        if (file.use->by_mpiio) continue;
        // A flush before each close empties what the close would.
        if (record.layer == Layer::stdio &&
            record[&Transfers::syncs] <= writes_each_time * file.use->system.opens)
            time += static_cast<double>(record[&Transfers::sync_time]);
        if (record.layer != Layer::posix) continue;
        if (record[&PosixRecord::writes] > writes_each_time * record[&PosixRecord::opens]) continue;
        const auto quick = static_cast<double>(
            record[&PosixRecord::write_time] -
            std::min(record[&PosixRecord::write_time],
                     record[&PosixRecord::sync_time] + record[&PosixRecord::synced_write_time]));
        time += std::max(quick - static_cast<double>(record[&PosixRecord::bytes_written]) *
                                     scene.reference(Direction::write).ns_per_byte,
                         0.0);
    }
    return time;
}

// ns, in calls that move no data: a finding of its own.
double waiting_for_locks(const FileCase& file)
{
    double time = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix) time += static_cast<double>(record[&PosixRecord::lock_time]);
    return time;
}

// Most opens are for nothing: they look whether the file is there.
bool is_looked_for(const FileCase& file)
{
    constexpr std::uint64_t opens_a_read = 4;
    const FileView& view = file.use->system;
    return !file.use->by_mpiio && view.bytes_written == 0 && opens_a_read * view.reads <= view.opens &&
           file.in_posix(&PosixCounters::maps) == 0 && file.in_posix(&PosixCounters::locks) == 0;
}

// Emptied at nearly each open, and written anew, about as it was before.
bool is_rewritten(const FileCase& file)
{
    const FileView& view = file.use->system;
    return view.creates >= view.opens / 2 && view.bytes_read == 0 &&
           view.bytes_written >= many_times * view.highest_written / 2 && view.highest_written > 0;
}

// ns of writes that put again what was there: a library writes whole chunks, and what describes them, at each
// close.
double of_chunks_again(const Scene& scene, const FileCase& file)
{
    constexpr double many_times_over = 4;
    const FileView& view = file.use->system;
    const auto written = static_cast<double>(view.bytes_written),
               kept = static_cast<double>(view.highest_written);
    if (file.use->by_mpiio || written < many_times_over * kept ||
        (scene.datasets.file_of(file.use->file) == nullptr && !is_named_as_hdf5(file.use->path)))
        return 0;
    return std::max(static_cast<double>(view.write_time) - file.time_in_syncs(), 0.0) * (1 - kept / written);
}

// Made and removed for each transaction, and synced a few times in between: the syncs are the fault, and need
// it (frequent_syncs).
bool is_synced_journal(const FileCase& file)
{
    constexpr std::uint64_t few_an_open = 4;
    if (!file.use->path.ends_with(sqlite_journal)) return false;
    std::uint64_t syncs = 0;
    for (const RecordView& record : file.records)
        if (record.layer == Layer::posix) syncs += record[&Transfers::syncs];
    return syncs > 0 && syncs <= few_an_open * file.use->system.opens;
}

// The library's own time; what it does in the layers beneath is counted there.
void add_libraries(Churn& churn, const Scene& scene)
{
    std::unordered_map<std::uint64_t, double> needless;  // by file: share of its opens
    for (const DataFileUse& one : scene.datasets.files()) {
        if (!one.own) continue;
        for (const DataFileRecord* const record : one.records) {
            const double opens = static_cast<double>(record->opens + record->creates),
                         meant = processes_of(*record);
            if (opens < static_cast<double>(many_times) * meant) continue;
            const double part = 1 - meant / opens;
            needless[one.file] = part;
            const auto all = static_cast<double>(record->open_time + record->close_time);
            churn.in_libraries.add(owner_of(*record), part * std::min(all, own_time_of(*record)));
        }
    }
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const auto found = needless.find(one.sums.container);
        if (!one.own || found == needless.end()) continue;
        for (const DatasetRecord* const record : one.records)
            churn.in_libraries.add(
                owner_of(*record),
                found->second *
                    static_cast<double>(record->metadata_time -
                                        std::min(record->metadata_time, record->metadata_time_beneath)));
    }
}

// Made and removed at nearly each open, and empty: what stands for a lock is nothing to keep open.
bool is_lock(const FileCase& file)
{
    const FileView& view = file.use->system;
    const std::uint64_t unlinks = file.in_posix(&PosixCounters::unlinks);
    return view.bytes() == 0 && view.creates >= view.opens / 2 && unlinks >= view.opens / 2;
}

Churn churn_of(const Scene& scene)
{
    Churn churn{.lost = LostTime(scene.job),
                .work = LostTime(scene.job),
                .in_libraries = LostTime(scene.job),
                .while_open = LostTime(scene.job),
                .shortly_open = LostTime(scene.job),
                .taking_apart = LostTime(scene.job),
                .most = nullptr,
                .indexed = {},
                .read_whole = {}};
    add_libraries(churn, scene);
    const auto rotated = rotated_logs(scene);
    for (const FileCase& file : scene.files) {
        const bool together = file.use->by_mpiio;
        const FileView& view = together ? file.use->application() : file.use->system;
        churn.opens += view.opens;
        // One open for each process that uses the file is what it takes; of an overflow, one for each file.
        const std::uint64_t meant = std::max({view.users().count, file.use->files, std::uint64_t{1}});
        if (view.opens < many_times * meant || is_synced_journal(file) || file.is_many_renamed() ||
            is_lock(file) || rotated.contains(file.use->path))
            continue;
        churn.is_many =
            churn.is_many ||
            ((together || has_index(file.use->path) || scene.datasets.file_of(file.use->file) != nullptr) &&
             view.opens - meant >= few_costly_opens);
        ++churn.files;
        churn.needless += view.opens - meant;
        const double part = static_cast<double>(view.opens - meant) / static_cast<double>(view.opens),
                     metadata =
                         static_cast<double>(view.metadata_time) - (together ? 0 : waiting_for_locks(file)),
                     time = part * std::max(metadata, 0.0);
        churn.metadata += time;
        const bool rewritten = !together && is_rewritten(file);
        if (rewritten) churn.rewritten += static_cast<double>(view.opens - meant);
        const double writing =
            part * (rewritten ? std::max(static_cast<double>(view.write_time) - file.time_in_syncs(), 0.0)
                              : std::max(of_few_writes(scene, file), of_chunks_again(scene, file)));
        churn.writing += writing;
        double reading = 0;
        if (!together && is_index_read(*file.use)) {
            churn.indexed.push_back(file.use);
            reading = part * static_cast<double>(view.read_time);
            churn.reads += part * static_cast<double>(view.reads);
            const double apart = is_sqlite(file.use->path) ? schema_each * static_cast<double>(view.opens)
                                 : is_zip(file.use->path)
                                     ? directory_byte * static_cast<double>(view.bytes_read)
                                     : 0;
            if (apart > 0) churn.taking_apart.add_by_time(file.records, part * apart * scene.stretched);
        }
        churn.reading += reading;
        if (is_read_whole(*file.use)) churn.read_whole.push_back(file.use);
        if (together)
            for (const RecordView& record : file.records) {
                if (record.layer == Layer::mpiio && time > 0)
                    churn.lost.add(record, static_cast<double>(record[&Transfers::metadata_time]) * time /
                                               static_cast<double>(view.metadata_time));
            }
        else
            churn.lost.add_by_time(file.records, time + writing + reading);
        if (!together)
            for (const RecordView& record : file.records) {
                churn.while_open.add(
                    record, part * scene.work_while_open(file, record, most_around_open(scene, file)));
                churn.shortly_open.add(record, part * scene.work_while_open(file, record, library_each));
            }
        // What is read again at each open is taken apart again, too.
        if (view.bytes_written == 0 || rewritten)
            for (const RecordView& record : file.records) {
                if (record.layer == Layer::mpiio) continue;
                const auto bytes = static_cast<double>(record.bytes());
                churn.work.add(record,
                               scene.work_on(file, record, bytes * part,
                                             rewritten ? Scene::Pauses::any : Scene::Pauses::short_ones));
            }
        if (view.opens <= churn.opens_of_most) continue;
        churn.opens_of_most = view.opens;
        churn.most = file.use;
        churn.most_looked_for = is_looked_for(file);
    }
    // One file may be opened while another one is.
    const auto computed = [&](std::size_t rank) { return scene.most_computed(rank); };
    churn.while_open.limit(computed);
    churn.shortly_open.limit(computed);
    return churn;
}

constexpr Remedy rewritten_remedies[] = {
    {Language::c,
     "Add what is new to the end of the file, or write the whole once, when it is done:",
     {"FILE* file = fopen(path, \"a\");"}},
    {Language::fortran,
     "Add what is new to the end of the file, or write the whole once, when it is done:",
     {"open (newunit=unit, file=path, position=\"append\")"}},
    {Language::python,
     "Add what is new to the end of the file, a line each, or write the whole once, when it is done:",
     {"file.write(json.dumps(record) + \"\\n\")"}},
    {Language::script, "Add what is new to the end of the file, or write the whole once, when it is done."},
    {Language::packaged, "Look for an option of PROGRAM that has it write its state less often."},
};
constexpr Remedy open_together_remedies[] = {
    {Language::c,
     "Have all ranks open the file once, before the loop, and close it after; where others should see what "
     "was written so far, sync instead of closing:",
     {"MPI_File_sync(file);"}},
    {Language::fortran,
     "Have all ranks open the file once, before the loop, and close it after; where others should see what "
     "was written so far, sync instead of closing:",
     {"call MPI_File_sync(file, error)"}},
    {Language::python,
     "Have all ranks open the file once, before the loop, and close it after; where others should see what "
     "was written so far, sync instead of closing:",
     {"file.Sync()"}},
};
constexpr Remedy churn_remedies[] = {
    {Language::c,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, flush instead of closing:",
     {"fflush(file);"}},
    {Language::cxx,
     "Let the stream live longer than the loop; where others should see what was written so far, flush "
     "instead of closing:",
     {"std::ofstream file(path);  // before the loop", "file.flush();"}},
    {Language::fortran,
     "OPEN the file once, before the loop, and CLOSE it after; where others should see what was written so "
     "far, flush instead of closing:",
     {"flush(unit)"}},
    {Language::netcdf,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, sync instead of closing. In Fortran it is nf90_sync:",
     {"nc_sync(file);"}},
    {Language::pnetcdf,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, sync instead of closing. In Fortran it is nf90mpi_sync:",
     {"ncmpi_sync(file);"}},
    {Language::adios2,
     "Open the engine once, before the loop, with a step for each turn, and close it after:",
     {"adios2_begin_step(engine, adios2_step_mode_append, -1.0f, &status);", "adios2_end_step(engine);"}},
    {Language::hdf5,
     "Open the file once, before the loop, and close it after; where others should see what was written so "
     "far, flush instead of closing, in some of the turns, as each flush writes chunks that are not full:",
     {"if (step % 100 == 0) H5Fflush(file, H5F_SCOPE_GLOBAL);"}},
    {Language::python,
     "Open the file once, around the loop, also for a library that takes a path: pandas and numpy take an "
     "open file instead. Where others should see what was written so far, flush instead "
     "of closing:",
     {"with open(path, \"a\") as file:    # around the loop", "    for line in lines: file.write(line)",
      "    file.flush()"}},
    {Language::netcdf4,
     "Open the file once, around the loop; where others should see what was written so far, sync instead of "
     "closing, in some of the turns:",
     {"with netCDF4.Dataset(path, \"a\") as dataset:    # around the loop",
      "    if step % 100 == 0: dataset.sync()"}},
    {Language::h5py,
     "Open the file once, around the loop; where others should see what was written so far, flush instead "
     "of closing, in some of the turns, as each flush writes chunks that are not full:",
     {"with h5py.File(path, \"a\") as file:    # around the loop", "    if step % 100 == 0: file.flush()"}},
    {Language::script,
     "Open the file once, before the loop; in Node.js as a stream, rather than by appendFileSync in each "
     "turn:",
     {"const file = fs.createWriteStream(path, { flags: 'a' });    // before the loop", "file.write(line);"},
     "node"},
    {Language::script, "Open the file once, before the loop, and close it after."},
    {Language::shell,
     "Open the file once, for the whole loop, rather than by >> in each turn:",
     {"for name in LIST; do", "    echo \"$name\"", "done > FILE"}},
    {Language::shell,
     "Or, where the loop writes elsewhere as well:",
     {"exec 3>> FILE    # before the loop", "echo \"$name\" >&3"}},
    {Language::packaged,
     "Have one run of PROGRAM do the work of many, where it takes several inputs or a list of them."},
    {Language::sqlite,
     "Have one run of sqlite3 do all statements, and keep its journal open:",
     {"sqlite3 DATABASE < STATEMENTS", "PRAGMA journal_mode = WAL;"}},
};

// By Python, of archives and databases.
Advice index_advice(std::string_view path)
{
    const std::string_view ending = path.substr(std::min(path.rfind('.'), path.size()));
    const std::string_view open = ending == ".zip" || ending == ".npz" ? "zipfile.ZipFile(path, \"a\")"
                                  : ending == ".tar"                   ? "tarfile.open(path, \"a\")"
                                  : ending.starts_with(".fit")         ? "fits.open(path, mode=\"append\")"
                                                                       : "shelve.open(path)";
    return {
        "Open the archive or database once, around the loop: what it has is listed again at each open, and "
        "written again at each close:",
        {is_sqlite(path) ? "database = sqlite3.connect(path)    # before the loop"
                         : fmt::format("with {} as file:    # around the loop", open)}};
}
constexpr Remedy reread_remedies[] = {
    {Language::python,
     "Keep in memory what the file has, and write it when it is done; or keep the file open around the "
     "loop:",
     {"with open(path, \"r+\") as file:    # around the loop"}},
};

// Written anew it is as long as before, as a checkpoint is; one that grows was half as long on the mean.
bool stays_as_long(const FileUse& use)
{
    constexpr double nearly_all = 0.9;
    const FileView& view = use.system;
    return static_cast<double>(view.bytes_written) >=
           nearly_all * static_cast<double>(view.opens) * static_cast<double>(view.highest_written);
}

// Read whole at each open, and not by a library of data files, which has words of its own.
bool reads_whole(const AdvisedProgram& program, const FileUse& use)
{
    if (!is_read_whole(use)) return false;
    return program.language == Language::python || program.language == Language::c ||
           program.language == Language::cxx || program.language == Language::fortran ||
           program.language == Language::script || program.language == Language::shell;
}

constexpr const char* ask_alone =
    "Remember that the file exists, or test for it without opening it, as most of these opens read nothing:";
constexpr Remedy looked_for_remedies[] = {
    {Language::c, ask_alone, {"access(path, R_OK) == 0"}},
    {Language::cxx, ask_alone, {"std::filesystem::exists(path)"}},
    {Language::fortran, ask_alone, {"inquire (file=path, exist=there)"}},
    {Language::python, ask_alone, {"os.path.exists(path)"}},
    {Language::shell, ask_alone, {"[ -e \"$file\" ]"}},
    {Language::script,
     "Remember that the file exists, or test for it without opening it, as most of these opens read "
     "nothing."},
};

// Of files that are only read.
constexpr Remedy reopened_to_read_remedies[] = {
    {Language::c,
     "Read the file once, before the loop, and keep what it says; where it may change meanwhile, look at it "
     "every so many steps:",
     {"if (step % 1000 == 0) read_parameters(path);"}},
    {Language::fortran,
     "Read the file once, before the loop, and keep what it says; where it may change meanwhile, look at it "
     "every so many steps:",
     {"if (mod(step, 1000) == 0) call read_parameters(path)"}},
    {Language::python,
     "Read the file once, and keep what was made of it:",
     {"@functools.cache", "def load(path): …"}},
    {Language::script, "Read the file once, before the loop, and keep what was made of it."},
    {Language::shell,
     "Read the file once, for the whole loop:",
     {"while read -r line; do … done < FILE", "mapfile -t lines < FILE    # in bash"}},
};

// For a file that nobody writes: without what is there for those who read what was written so far.
std::vector<Advice> without_flushes(std::vector<Advice> advice)
{
    constexpr std::string_view last = "here others should see", before = "; w";
    for (Advice& one : advice) {
        const std::size_t at = one.text.find(last);
        if (at == std::string::npos) continue;
        std::erase_if(one.lines, [](const std::string& line) {
            return line.find("flush") != std::string::npos || line.find("sync(") != std::string::npos;
        });
        one.text.erase(at - before.size());
        one.text += one.lines.empty() ? "." : ":";
    }
    put_in(advice, "(path, \"a\")", "(path, \"r\")");
    put_in(advice, "for line in lines: file.write(line)", "for line in file: …");
    put_in(advice, "std::ofstream", "std::ifstream");
    return advice;
}

}  // namespace

MaybeFinding open_close_churn(const Scene& scene)
{
    const Churn churn = churn_of(scene);
    if (churn.most == nullptr || (churn.needless < few_opens && !churn.is_many)) return {};
    if (keeps_versions(executable_of(scene.job, churn.lost))) return {};
    const double time = churn.metadata;
    Finding finding;
    const bool mostly_rewritten = churn.rewritten > static_cast<double>(churn.needless) / 2;
    finding.title = fmt::format("{} {} {} times beyond the first",
                                churn.files == 1 ? "one file" : format_count(churn.files) + " files",
                                mostly_rewritten ? "emptied and written anew" : "opened and closed",
                                format_count(churn.needless));
    finding.title[0] = churn.files == 1 ? 'O' : finding.title[0];
    const AdvisedProgram program = program_of(scene.job, churn.lost, churn.most->path);
    const double in_libraries = scene.cost_in_libraries(churn.in_libraries),
                 around = around_calls(scene, program, Around::open, static_cast<double>(churn.needless),
                                       churn.lost) +
                          around_calls(scene, program, Around::read, churn.reads, churn.lost),
                 in_calls = scene.cost(churn.lost) + in_libraries + around;
    // What was assumed lies in there as well.
    const LostTime* const computed = is_interpreted(program)     ? &churn.while_open
                                     : opens_by_library(program) ? &churn.shortly_open
                                                                 : nullptr;
    const double while_open =
        computed == nullptr ? 0 : std::max(scene.cost_beyond_io(*computed) - around - in_libraries, 0.0);
    const double work = std::max(scene.cost_beyond_io(churn.work), while_open);
    finding.cost = seconds(std::min(in_calls + work, scene.run));
    finding.cost_basis = fmt::format(
        "the share of these in the time of all calls on these files that move no data; one open a {} is "
        "taken as needed{}",
        scene.member(),
        churn.writing > 0 ? "; and of the writes between them, beyond what large ones would take" : "");
    if (in_libraries > 0)
        finding.cost_basis += "; and what HDF5 or PnetCDF spend on them, and on opening what is in the files";
    finding.cost_basis += words_on_interpreter(program);
    finding.confidence = Confidence::medium;
    if (churn.reading > 0) finding.cost_basis += "; and of the reads of what is read again at each open";
    if (work > in_calls / 4) {
        finding.cost_basis +=
            while_open >= work ? "; at most also what is computed while the file is open, such as the work "
                                 "of a library that reads its index at each open and writes it at each close"
            : churn.rewritten > 0
                ? "; at most also the time between their writes, in which the program makes what it writes"
                : "; at most also the time between their reads, in which the program works on what it read";
        finding.cost_least = in_calls;
        if (is_python(program))
            finding.cost_least = in_calls + std::min(scene.cost_beyond_io(churn.taking_apart), work);
        // Nothing but the time shows that it is the library's work, and not the program's.
        if (while_open >= work && churn.indexed.empty() && in_calls < worthy_seconds)
            finding.confidence = Confidence::low;
    }
    const bool is_of_index = std::any_of(churn.indexed.begin(), churn.indexed.end(),
                                         [](const FileUse* use) { return has_index(use->path); });
    finding.evidence = {{"needless_opens", "opens beyond the first", count(churn.needless),
                         fmt::format("of {} opens in all", format_count(churn.opens))},
                        {"time_per_open", "each, with its close",
                         seconds(time / 1e9 / static_cast<double>(churn.needless)), ""},
                        {"file", "most often opened", path(churn.most->path),
                         fmt::format("{} times, for {} of data", format_count(churn.opens_of_most),
                                     format_bytes(churn.most->system.bytes()))}};
    finding.why =
        "Every open looks the path up again, on a network file system at the server, and a close may have to "
        "wait until the data are there.";
    finding.doubt = "Files that must be closed so that another program sees them.";
    if (churn.most->path.ends_with(sqlite_journal)) {
        finding.why = "SQLite makes a journal for each transaction, and each statement is one by itself.";
        finding.advice = advice_on_transactions(program);
    } else if (mostly_rewritten && stays_as_long(*churn.most)) {
        finding.why = "Each time the whole is written in place of the last one, of which nothing stays.";
        finding.doubt = "A state that must not be lost even if the program fails at any moment.";
        finding.advice = {
            {"Write it less often, such as every tenth time: only the last one stays. A checkpoint is worth "
             "as many seconds as the time since the last one that a failure would cost."}};
    } else if (mostly_rewritten) {
        finding.why =
            "Each time the whole is made and written once more, though little of it is new: the longer it "
            "gets, the more.";
        finding.advice = advice_in(program, rewritten_remedies);
    } else if (program.language == Language::python && is_of_index) {
        finding.why =
            "At each open the library reads what the file has, and lists it; the more the file has, the "
            "longer that takes.";
        finding.advice = {index_advice(churn.most->path)};
        if (churn.most->system.bytes_written == 0) {
            put_in(finding.advice, "(path, \"a\")", "(path)");
            put_in(finding.advice, ", and written again at each close", "");
        }
    } else if (program.language == Language::python && churn.reading > 0 &&
               churn.most->system.bytes_written > 0) {
        finding.advice = advice_in(program, reread_remedies);
    } else if (program.name.ends_with("awk") && churn.most->system.bytes_written > 0) {
        finding.advice = {
            {"Leave out close(): awk closes files at its end, and may have as many open as "
             "ulimit -n says; gawk more than that:",
             {"{ print > FILE }    # without close(FILE)"}}};
    } else if (churn.most_looked_for && !is_packaged(program)) {
        finding.advice = advice_in(program, looked_for_remedies);
        finding.doubt = "Files that other programs make or remove in between.";
    } else if (reads_whole(program, *churn.most)) {
        finding.advice = advice_in(program, reopened_to_read_remedies);
    } else {
        // What libraries do above MPI-IO is advised on in their own calls.
        const bool by_mpiio = churn.most->by_mpiio &&
                              !(program.language >= Language::hdf5 && program.language <= Language::adios2);
        finding.advice =
            by_mpiio && program.language != Language::h5py && program.language != Language::netcdf4
                ? advice_in(program, open_together_remedies)
                : advice_in(program, churn_remedies);
        if (churn.most->system.bytes_written == 0) {
            finding.advice = without_flushes(std::move(finding.advice));
            finding.doubt = "Files that other programs replace in between.";
        }
    }
    Found found(std::move(finding), churn.lost);
    found.metadata = scene.cost(churn.lost, time);
    // One that is only read; of several, the other finding may be about some.
    if (churn.files == 1 && (churn.most->system.bytes_written == 0 || is_read_as_it_grows(*churn.most)))
        found.file = churn.most;
    found.kept_open = churn.indexed;
    if (churn.read_whole.size() == churn.files) found.read_whole = churn.read_whole;
    if (churn.files == 1) found.container = churn.most->path;
    return found;
}

}  // namespace fathom
