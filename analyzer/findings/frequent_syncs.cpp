// Data flushed to the device after every few bytes.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/findings/transactions.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_syncs = 20, enough_between = 16 << 20, few_each_time = 4;

// ns of page faults by which a process writes again what it has synced through a mapping: each time the file
// system learns of the page anew. As many as the process had beyond those of its start and of the first pass.
double faults_after_syncs(const Scene& scene, const RecordView& record, std::uint64_t syncs)
{
    constexpr double page = 4096, of_start = 2000, each = 12e3;  // ns, assumed: at most, in virtual machines
    const Member* const member = scene.job.member_of(record);
    if (member == nullptr) return 0;
    const double pages = static_cast<double>(record[&PosixRecord::mapped_bytes]) / page,
                 beyond = static_cast<double>(member->process.minor_faults) - of_start - pages,
                 again = std::clamp(beyond, 0.0, static_cast<double>(syncs - 1) * pages);
    return std::min(each * again, static_cast<double>(member->process.cpu_time));
}

// The path of the database that a file belongs to; its own where it is none of these.
std::string_view database_of(std::string_view path)
{
    for (const std::string_view ending : {sqlite_log, sqlite_journal})
        if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
    return path;
}

// In what way data were made to wait for the device.
enum class Way {
    calls,    // fsync and its kin, again and again on one file
    flushes,  // fflush
    writes,   // each write by itself: O_SYNC
    files,    // many files, one after the other
};
constexpr std::size_t ways = 4;

struct Syncs {
    std::uint64_t syncs = 0, bytes = 0, of_mapped = 0;
    double time = 0, of_data = 0, of_removed = 0, metadata = 0;  // ns; of_data: what these take in any case
    LostTime lost, faults;  // faults: of pages that were synced and are written again
    std::array<double, ways> time_of{};
    std::array<std::uint64_t, ways> number_of{};
    const FileUse* most = nullptr;
    double time_of_most = 0;
    std::array<std::uint64_t, ways> number_of_most{};
    bool of_database = false;
    const FileUse* database = nullptr;  // one of SQLite, which syncs its folder as well

    void add(const RecordView& record, Way way, std::uint64_t number, double needless)
    {
        number_of[static_cast<std::size_t>(way)] += number;
        time_of[static_cast<std::size_t>(way)] += needless;
        time += needless;
        lost.add(record, needless);
    }
    Way main() const
    {
        return static_cast<Way>(std::max_element(time_of.begin(), time_of.end()) - time_of.begin());
    }
};

// What of a record waits for the device.
struct Waiting {
    std::uint64_t syncs = 0, writes = 0;
    double sync_time = 0, write_time = 0;  // ns; of the writes, beyond what they would take otherwise
};

Waiting waiting_of(const RecordView& record)
{
    Waiting waiting{.syncs = record[&Transfers::syncs],
                    .sync_time = static_cast<double>(record[&Transfers::sync_time])};
    if (record.layer != Layer::posix || record[&Transfers::writes] == 0) return waiting;
    const double part = std::min(static_cast<double>(record[&PosixRecord::synced_writes]) /
                                     static_cast<double>(record[&Transfers::writes]),
                                 1.0);
    waiting.writes = record[&PosixRecord::synced_writes];
    waiting.write_time = std::max(static_cast<double>(record[&PosixRecord::synced_write_time]) -
                                      part * static_cast<double>(record[&Transfers::bytes_written]) * 1e9 /
                                          (assumed_rate_mib * mebibyte),
                                  0.0);
    return waiting;
}

// Syncs that become one leave as much for it to write: at this rate or faster, in ns a byte.
constexpr double device_time = 1e9 / (500 * mebibyte);

// SQLite's databases by their path, and whether each commit writes several pages: more changes at a time are
// of no use then. One changed value is a page or two.
std::unordered_map<std::string_view, bool> databases_of(const Job& job)
{
    constexpr std::uint64_t several_pages = 16 << 10;
    struct Commits {
        std::uint64_t syncs = 0, bytes = 0;
    };
    // Few files have a log or a journal beside them: of the others nothing is kept.
    std::unordered_set<std::string_view> of_databases;
    job.each_file([&](const FileUse& use, std::span<const RecordView>) {
        const std::string_view database = database_of(use.path);
        if (database != use.path) of_databases.insert({database, use.path});
    });
    if (of_databases.empty()) return {};
    std::unordered_map<std::string_view, Commits> of_files;
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (!of_databases.contains(use.path)) return;
        Commits& own = of_files[use.path];
        for (const RecordView& record : records) {
            if (record.layer != Layer::posix) continue;
            own.syncs += record[&Transfers::syncs];
            own.bytes += record[&Transfers::bytes_written];
        }
    });
    std::unordered_map<std::string_view, bool> databases;
    for (const auto& [path, log] : of_files) {
        const std::string_view database = database_of(path);
        if (database == path) continue;
        // In a log of what is new a commit is one sync; else in the database itself.
        const bool is_log = path.ends_with(sqlite_log);
        const auto itself = of_files.find(database);
        if (!is_log && itself == of_files.end()) continue;
        const Commits& commits = is_log ? log : itself->second;
        bool& batched = databases[database];
        batched = batched || (commits.syncs > 0 && commits.bytes / commits.syncs >= several_pages);
    }
    return databases;
}

// Files that a process syncs once each: by process.
struct SyncedOnce {
    std::uint64_t files = 0, bytes = 0;
    std::vector<std::pair<const FileUse*, const RecordView*>> records;
};

// A large file that is made, synced once and renamed, again and again: each is another one.
bool is_made_each_time(const RecordView& record, std::uint64_t syncs)
{
    constexpr std::uint64_t large = 1 << 20;
    return record.layer == Layer::posix && record[&PosixRecord::creates] >= syncs &&
           record[&Transfers::bytes_written] / syncs >= large;
}

// Bytes that a process wrote between its syncs, by a stream of the same file, too, as NumPy does by a
// descriptor of its own.
std::uint64_t bytes_between_syncs(const RecordView& record, std::span<const RecordView> records)
{
    std::uint64_t bytes = record[&Transfers::bytes_written];
    if (record.layer != Layer::posix || record.process == reduced) return bytes;
    for (const RecordView& other : records)
        if (other.layer == Layer::stdio && other.process == record.process)
            bytes += other[&Transfers::bytes_written];
    return bytes;
}

// By the tool of that name, which does what it is told (synced_by_tool).
bool is_of_sync(const Job& job, const RecordView& record)
{
    const Member* const member = job.member_of(record);
    return member != nullptr && is_packaged_tool(member->process.program) &&
           member->process.program.ends_with("/sync");
}

bool is_renamed(std::span<const RecordView> records)
{
    return std::any_of(records.begin(), records.end(), [](const RecordView& record) {
        return record.layer == Layer::posix && record[&PosixRecord::renames] > record[&Transfers::opens] / 2;
    });
}

// How many times as long MPI_File_sync takes as the syncs beneath it: all ranks wait there for the last one.
double waited_by_ranks(std::span<const RecordView> records, bool mpiio_is_timed)
{
    if (!mpiio_is_timed) return 1;
    double together = 0, beneath = 0;
    for (const RecordView& record : records)
        (record.layer == Layer::mpiio ? together : beneath) +=
            record.layer == Layer::stdio ? 0 : static_cast<double>(record[&Transfers::sync_time]);
    return beneath > 0 ? std::max(together / beneath, 1.0) : 1;
}

// Files that are synced after less than `enough_between`; the last sync of each, or of all that are synced
// one after the other, is taken as needed.
Syncs syncs_of(const Scene& scene)
{
    Syncs all{.lost = LostTime(scene.job), .faults = LostTime(scene.job)};
    const auto timed = layers_that_tell(scene.job.log, &Transfers::sync_time);
    std::unordered_map<std::int64_t, SyncedOnce> once;
    const auto databases = databases_of(scene.job);
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        const auto database = databases.find(database_of(use.path));
        if (database != databases.end() && database->second) return;
        std::uint64_t syncs = 0, opens = 0;
        const auto before_file = all.number_of;
        std::array<std::uint64_t, layers> bytes{};  // what a stream passes on is no more bytes
        double time = 0;
        const double waited = waited_by_ranks(records, timed[static_cast<std::size_t>(Layer::mpiio)]);
        for (const RecordView& record : records) {
            // What MPI-IO syncs, it syncs by POSIX.
            if (record.layer == Layer::mpiio || !timed[static_cast<std::size_t>(record.layer)]) continue;
            const Waiting waiting = waiting_of(record);
            const std::uint64_t number = waiting.syncs + waiting.writes;
            if (number == 0 || is_of_sync(scene.job, record)) continue;
            const std::uint64_t of_each = number / std::max<std::uint64_t>(record[&Sharing::processes], 1);
            if (of_each < 2) {
                SyncedOnce& own = once[record.process];
                ++own.files;
                own.bytes += record[&Transfers::bytes_written];
                own.records.emplace_back(&use, &record);
                continue;
            }
            const std::uint64_t written = bytes_between_syncs(record, records);
            if (written / number >= enough_between || is_made_each_time(record, number)) continue;
            // Flushes before closing again and again: the needless opens' (open_close_churn).
            const std::uint64_t opened =
                use.system.opens / std::max<std::uint64_t>(use.system.users().count, 1);
            if (record.layer == Layer::stdio && opened >= few_syncs && of_each <= few_each_time / 2 * opened)
                continue;
            const double needless = 1 - 1 / static_cast<double>(of_each);
            syncs += number;
            if (record.layer == Layer::posix && record[&PosixRecord::maps] > 0) {
                all.of_mapped += number;
                all.faults.add(record, faults_after_syncs(scene, record, of_each));
            }
            bytes[static_cast<std::size_t>(record.layer)] += written;
            opens += record[&Transfers::opens];
            const double before = all.time;
            all.add(record, record.layer == Layer::stdio ? Way::flushes : Way::calls, waiting.syncs,
                    needless * waiting.sync_time * waited);
            if (record.layer != Layer::stdio)
                all.of_data +=
                    needless * std::min(waiting.sync_time,
                                        static_cast<double>(record[&Transfers::bytes_written]) * device_time);
            all.add(record, Way::writes, waiting.writes, needless * waiting.write_time);
            time += all.time - before;
        }
        if (time > 0 && is_sqlite(use.path)) all.database = &use;
        all.syncs += syncs;
        all.bytes += *std::max_element(bytes.begin(), bytes.end());
        // A journal that is made, synced and removed for each change; not a file that is made anew each time,
        // which is a finding of its own.
        if (opens >= few_syncs && syncs <= few_each_time * opens && !is_renamed(records))
            all.metadata += static_cast<double>(use.system.metadata_time);
        if (time <= all.time_of_most) return;
        all.time_of_most = time;
        all.most = &use;
        for (std::size_t way = 0; way < ways; ++way)
            all.number_of_most[way] = all.number_of[way] - before_file[way];
        all.of_database = database != databases.end();
    });
    for (const auto& [process, own] : once) {
        if (process == reduced || own.files < few_syncs || own.bytes / own.files >= enough_between) continue;
        all.syncs += own.files;
        all.bytes += own.bytes;
        const double needless = 1 - 1 / static_cast<double>(own.files);
        for (const auto& [use, record] : own.records) {
            const Waiting waiting = waiting_of(*record);
            const double time = needless * (waiting.sync_time + waiting.write_time);
            all.add(*record, Way::files, 1, time);
            if (record->layer == Layer::posix && (*record)[&PosixRecord::unlinks] > 0) all.of_removed += time;
            if (all.most == nullptr || all.most->kind != NameKind::file) all.most = use;
        }
    }
    return all;
}

std::string_view noun_of(Way way)
{
    constexpr std::string_view nouns[ways] = {"syncs", "flushes of streams",
                                              "writes that wait for the device", "files synced"};
    return nouns[static_cast<std::size_t>(way)];
}

bool has_mpiio_words(const AdvisedProgram& program)
{
    return program.language == Language::c || program.language == Language::cxx ||
           program.language == Language::fortran || program.language == Language::python;
}

bool writes_hdf5(const AdvisedProgram& program)
{
    return program.language == Language::hdf5 || program.language == Language::h5py;
}

const FileCase* case_of(const Scene& scene, const FileUse& use)
{
    const auto found = std::find_if(scene.files.begin(), scene.files.end(),
                                    [&](const FileCase& file) { return file.use == &use; });
    return found == scene.files.end() ? nullptr : &*found;
}

bool is_locked_by_several(const FileUse& use, const Scene& scene)
{
    if (use.system.users().count < 2) return false;
    const FileCase* const file = case_of(scene, use);
    return file != nullptr && file->in_posix(&PosixCounters::locks) > 0;
}

// What HDF5 does through MPI-IO at each flush beside the sync: it sets views, and writes what it notes about
// the file.
LostTime beside_syncs(const Scene& scene, const FileUse& use)
{
    LostTime beside(scene.job);
    const FileCase* const file = case_of(scene, use);
    if (file == nullptr || !are_views_of_flushes(*file)) return beside;
    for (const RecordView& record : file->records)
        if (record.layer == Layer::mpiio)
            beside.add(record, static_cast<double>(
                                   record[&Transfers::metadata_time] + record[&Transfers::write_time] -
                                   std::min(record[&Transfers::write_time], record[&Transfers::sync_time])));
    return beside;
}

constexpr Remedy flush_remedies[] = {
    {Language::c, "Leave flushing to fclose, or flush after every few MiB."},
    {Language::cxx,
     "End lines by '\\n' rather than std::endl, and untie std::cout from std::cin, before each read of which "
     "it is flushed:",
     {"std::cout << value << '\\n';", "std::cin.tie(nullptr);", "std::ios::sync_with_stdio(false);"}},
    {Language::script, "Write many values by one call, or leave flushing to the end of the file."},
    {Language::python, "Leave flushing to the end of the file, or flush after every few MiB."},
    {Language::packaged, "Look for an option of PROGRAM that has it flush its output less often."},
};
constexpr Remedy mpiio_sync_remedies[] = {
    {Language::c,
     "Sync once, after the last write, or after every few hundred MiB:",
     {"MPI_File_sync(file);    // not at each step"}},
    {Language::fortran,
     "Sync once, after the last write, or after every few hundred MiB:",
     {"call MPI_File_sync(file, error)    ! not at each step"}},
    {Language::python,
     "Sync once, after the last write, or after every few hundred MiB:",
     {"file.Sync()    # not at each step"}},
    {Language::packaged, "Look for an option of PROGRAM that has it sync less often, or once at its end."},
};
constexpr Remedy hdf5_sync_remedies[] = {
    {Language::hdf5,
     "Flush once, after the last step, or after every so many steps:",
     {"if (step % 100 == 0) H5Fflush(file, H5F_SCOPE_GLOBAL);"}},
    {Language::h5py,
     "Flush once, after the last step, or after every so many steps:",
     {"if step % 100 == 0: file.flush()"}},
};
constexpr Remedy lmdb_remedies[] = {
    {Language::c,
     "Put many changes into one transaction of LMDB: each commit syncs:",
     {"mdb_txn_begin(env, NULL, 0, &txn);", "mdb_txn_commit(txn);    // after thousands of mdb_put"}},
    {Language::python,
     "Put many changes into one transaction of LMDB: each commit syncs:",
     {"with env.begin(write=True) as txn:", "    for key, value in items: txn.put(key, value)"}},
    {Language::script, "Put many changes into one transaction of LMDB: each commit syncs."},
};
constexpr Remedy sync_remedies[] = {
    {Language::c,
     "Sync once, after the last write, or after every few hundred MiB; where each record must be safe, "
     "sync several together. Where only the data matter:",
     {"fdatasync(fd);"}},
    {Language::c,
     "In SQLite, put many changes into one transaction:",
     {"sqlite3_exec(database, \"BEGIN\", NULL, NULL, NULL);",
      "sqlite3_exec(database, \"COMMIT\", NULL, NULL, NULL);"},
     "libsqlite3"},
    {Language::unknown,
     "Sync once, after the last write, or after every few hundred MiB; where each record must be safe, "
     "sync several together. Where only the data matter:",
     {"fdatasync(fd);"}},
    {Language::unknown, "In SQLite, put many changes into one transaction:", {"BEGIN; …; COMMIT;"}},
    {Language::python,
     "Sync once, after the last write, or after every few hundred MiB. Where only the data matter:",
     {"file.flush()", "os.fdatasync(file.fileno())"}},
    {Language::python,
     "In SQLite, put many changes into one transaction:",
     {"with connection:", "    connection.executemany(\"INSERT INTO data VALUES (?, ?)\", rows)"},
     "libsqlite3"},
    {Language::script, "Sync once, after the last write, or after every few hundred MiB."},
    {Language::packaged,
     "Have redis sync once a second, in its configuration or while it runs:",
     {"appendfsync everysec", "redis-cli config set appendfsync everysec"},
     "redis-server"},
    {Language::packaged,
     "Put many rows into one transaction, or have commits not wait for the disk:",
     {"BEGIN; …; COMMIT;", "SET synchronous_commit TO off;"},
     "postgres"},
    {Language::packaged, "Look for an option of PROGRAM that has it sync less often, or once at its end."},
    {Language::dd,
     "Sync once, at the end, rather than by oflag=sync or oflag=dsync after each block:",
     {"dd if=INPUT of=OUTPUT bs=4M conv=fdatasync"}},
};
constexpr Remedy sync_flag_remedies[] = {
    {Language::script,
     "Open the file by \"rw\" rather than \"rws\" or \"rwd\", and sync once, after the last write:",
     {"file.getChannel().force(false);"},
     "java"},
    {Language::c,
     "Open the file without O_SYNC and O_DSYNC, and sync once, after the last write:",
     {"fdatasync(fd);"}},
    {Language::python,
     "Open the file without os.O_SYNC and os.O_DSYNC, and sync once, after the last write:",
     {"os.fdatasync(fd)"}},
    {Language::packaged,
     "Look for an option of PROGRAM that has it sync once at its end, not at each write."},
    {Language::dd,
     "Sync once, at the end, rather than by oflag=sync or oflag=dsync after each block:",
     {"dd if=INPUT of=OUTPUT bs=4M conv=fdatasync"}},
};
constexpr Remedy synced_files_remedies[] = {
    {Language::c,
     "Write all of them first, then have the file system sync what there is, once:",
     {"syncfs(fd);"}},
    {Language::python, "Write all of them first, then sync what there is, once:", {"os.sync()"}},
    {Language::script, "Write all of them first, then sync what there is, once:", {"sync -f FOLDER"}},
    {Language::packaged, "Look for an option of PROGRAM that has it sync less often, or once at its end."},
};

constexpr Remedy mapped_remedies[] = {
    {Language::c,
     "Sync the mapping once, after the last change, or after many; between them the kernel writes pages when "
     "it will. Or have it begin without waiting for it:",
     {"msync(map, length, MS_SYNC);    // once, at the end", "msync(map, length, MS_ASYNC);"}},
    {Language::python, "Flush the mapping once, after the last change, or after many:", {"map.flush()"}},
    {Language::packaged, "Look for an option of PROGRAM that has it sync less often, or once at its end."},
};
std::vector<Advice> advice_on(Way way, const AdvisedProgram& program)
{
    switch (way) {
        case Way::flushes:
            return advice_in(program, flush_remedies);
        case Way::writes:
            return advice_in(program, sync_flag_remedies);
        case Way::files:
            return advice_in(program, synced_files_remedies);
        default:
            return advice_in(program, sync_remedies);
    }
}

bool share_cores(const Scene& scene)
{
    constexpr double much_longer = 1.5;
    return scene.job.mpi && scene.stretched >= much_longer;
}

// Seconds of the run. Of ranks that share cores one computes while another still waits: each loses its own
// time, not that of the last.
double cost_of_syncs(const Scene& scene, const LostTime& lost, double ns)
{
    const double cost = scene.cost(lost, ns);
    if (!share_cores(scene)) return cost;
    double ranks = 0;
    for (std::size_t rank = 0; rank < scene.job.ranks.size(); ++rank) ranks += lost.of(rank) > 0 ? 1 : 0;
    return ranks > 0 ? std::min(cost, ns / 1e9 / ranks) : cost;
}

}  // namespace

MaybeFinding frequent_syncs(const Scene& scene)
{
    const Syncs all = syncs_of(scene);
    // A few that take a third of the run, as those of a mapping may, which pass on all of it.
    constexpr std::uint64_t few_long_syncs = 5;
    constexpr double much_of_run = 0.3;
    const bool long_ones = all.syncs >= few_long_syncs && all.of_mapped > all.syncs / 2 &&
                           cost_of_syncs(scene, all.lost, all.time + all.metadata) >= much_of_run * scene.run;
    if ((all.syncs < few_syncs && !long_ones) || all.most == nullptr) return {};
    const Way way = all.main();
    const std::uint64_t number = all.number_of[static_cast<std::size_t>(way)],
                        number_of_most = all.number_of_most[static_cast<std::size_t>(way)],
                        between = all.bytes / std::max<std::uint64_t>(number, 1);
    // Nothing but its pages in memory was changed.
    constexpr std::uint64_t hardly_any = 64;  // bytes for each
    const bool mapped = between < hardly_any && all.of_mapped > number / 2;
    Finding finding;
    finding.title =
        fmt::format("{} {}{}", format_count(number), noun_of(way),
                    mapped              ? " of mapped files"
                    : all.bytes == 0    ? ""
                    : way == Way::files ? fmt::format(" one by one, of {} each", format_bytes(between))
                                        : fmt::format(", one after every {} written", format_bytes(between)));
    finding.cost = seconds(cost_of_syncs(scene, all.lost, all.time + all.metadata));
    finding.cost_basis =
        way == Way::files ? "the time in them, but for one" : "the time in them, but for one a file";
    if (share_cores(scene)) finding.cost_basis += ", the mean of the ranks, as they share cores";
    if (const double faults = scene.cost_beyond_io(all.faults); mapped && faults > 0) {
        finding.cost_least = cost_of(finding);
        finding.cost = seconds(cost_of(finding) + faults);
        finding.cost_basis +=
            "; at most also the page faults by which synced pages are written again, 12 µs each";
    }
    constexpr double much = 0.2, much_remains = 0.8;
    if (all.of_data > much * all.time) {
        finding.cost_least = cost_of_syncs(scene, all.lost, all.time - all.of_data + all.metadata);
        finding.cost_basis += "; at least beyond what the data take at 500 MiB/s";
    }
    // What does not wait here waits for a slow link elsewhere.
    if (const double least =
            scene.beyond_slow_link(*all.most, cost_of(finding), static_cast<double>(all.bytes));
        least < much_remains * cost_of(finding)) {
        finding.cost_least = std::min(finding.cost_least.value_or(least), least);
        finding.cost_basis += "; at least beyond what the data take over a link of 50 MiB/s";
    }
    if (const LostTime beside = beside_syncs(scene, *all.most); beside.total() > 0) {
        if (!finding.cost_least) finding.cost_least = cost_of(finding);
        finding.cost = seconds(cost_of(finding) + cost_of_syncs(scene, beside, beside.total()));
        finding.cost_basis +=
            "; at most also the views that HDF5 sets, and what it writes about the file, at each flush";
    }
    if (all.metadata > 0)
        finding.cost_basis += "; and in opening and removing files that are synced once or so each time";
    // Now and then: perhaps as often as it must be.
    constexpr std::uint64_t now_and_then = 100;
    // So much at a time may have been collected for it.
    constexpr std::uint64_t collected = 64 << 10;
    finding.confidence = number >= now_and_then ? Confidence::high
                         : between < collected  ? Confidence::medium
                                                : Confidence::low;
    finding.evidence = {{"syncs", std::string(noun_of(way)), count(number),
                         fmt::format("took {}, {} each", format_seconds(all.time / 1e9),
                                     format_seconds(all.time / 1e9 / static_cast<double>(number)))},
                        {"bytes_between", "written between two", bytes(between),
                         mapped ? "by calls, beside what went through mappings" : ""},
                        {"file", way == Way::files ? "one of them" : "most time on", path(all.most->path),
                         number_of_most > 1 ? fmt::format("{} times", format_count(number_of_most)) : ""}};
    finding.why =
        way == Way::flushes
            ? "Each flush empties the stream's buffer by a system call, however little is in it."
            : "Each waits until the device has the data, and often its cache and the file's metadata.";
    finding.doubt = "Data that must not be lost even if the machine fails at any moment: a database's log.";
    const AdvisedProgram program = program_of(scene.job, all.lost, all.most->path);
    const bool in_database = all.of_database || is_sqlite(all.most->path) ||
                             (all.most->kind == NameKind::directory && all.database != nullptr) ||
                             program.language == Language::sqlite;
    // Each commit of a database waits for the device by design; how many there need be, only its user knows.
    if (in_database) finding.confidence = Confidence::medium;
    if (std::any_of(scene.job.ranks.begin(), scene.job.ranks.end(),
                    [](const Member& member) { return member.process.threads > 1; })) {
        finding.confidence = Confidence::low;
        finding.doubt += " Threads of their own that sync while others compute: nobody waits for those.";
    }
    // A close passes the data on to a server as a sync does, and who takes turns waits for it; how much a
    // mapping passes on is not known.
    const bool by_server = !on_local_file_system(scene.job, *all.most),
               once_an_open = number_of_most <= all.most->system.opens + all.most->system.opens / 4;
    if (by_server && !in_database && (mapped || once_an_open || is_locked_by_several(*all.most, scene))) {
        finding.cost_least = 0.0;
        finding.confidence = Confidence::low;
        finding.doubt += " On a file system of several nodes a close waits for the server as well.";
    }
    finding.advice = is_lmdb(all.most->path)            ? advice_in(program, lmdb_remedies)
                     : mapped                           ? advice_in(program, mapped_remedies)
                     : in_database && way == Way::calls ? advice_on_transactions(program)
                     : is_named_as_hdf5(all.most->path) && way == Way::calls && writes_hdf5(program)
                         ? advice_in(program, hdf5_sync_remedies)
                     : all.most->by_mpiio && way == Way::calls && has_mpiio_words(program)
                         ? advice_in(program, mpiio_sync_remedies)
                         : advice_on(way, program);
    Found found(std::move(finding), all.lost);
    found.metadata = scene.cost(all.metadata);
    found.of_removed = all.of_removed > all.time / 2;
    if (in_database) found.file = all.database != nullptr ? all.database : all.most;
    return found;
}

}  // namespace fathom
