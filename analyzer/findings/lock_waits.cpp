// Time spent waiting for locks on files.
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "logformat/hdf5_names.h"

namespace fathom {
namespace {

using namespace report;

// HDF5 takes one when it opens a file, and gives it back when it closes it.
constexpr std::uint64_t locks_an_open = 3;

constexpr Remedy record_lock_remedies[] = {
    {Language::c,
     "Take the lock less often: collect many records or numbers, and move them under one lock. Or hold it "
     "only while the data move, lock a range rather than the whole file, or give each process a file of its "
     "own.",
     {"struct flock part = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = length};",
      "fcntl(fd, F_SETLKW, &part);", "write(fd, block, length);    // many records"}},
    {Language::python,
     "Take the lock less often: collect many records or numbers, and move them under one lock. Or hold it "
     "only while the data move, lock a range rather than the whole file, or give each process a file of its "
     "own.",
     {"fcntl.lockf(file, fcntl.LOCK_EX, length, start)"}},
    {Language::shell,
     "Hold the lock only while the data move, rather than for the work before and after; or give each "
     "process a file of its own:",
     {"WORK > part.$$; flock LOCK sh -c \"cat part.$$ >> OUTPUT\""}},
    {Language::script,
     "Take the lock less often, for many records or numbers at a time, hold it only while the data move, or "
     "give each process a file of its own."},
};

}  // namespace

MaybeFinding lock_waits(const Scene& scene)
{
    std::uint64_t calls = 0, opens = 0;
    double time = 0, time_of_most = 0;
    const FileCase* most = nullptr;
    LostTime lost(scene.job);
    for (const FileCase& file : scene.files) {
        double of_file = 0;
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix) continue;
            calls += record[&PosixRecord::locks];
            of_file += static_cast<double>(record[&PosixRecord::lock_time]);
            lost.add(record, static_cast<double>(record[&PosixRecord::lock_time]));
        }
        if (of_file <= 0) continue;
        time += of_file;
        opens += file.use->system.opens;
        if (of_file <= time_of_most) continue;
        time_of_most = of_file;
        most = &file;
    }
    if (most == nullptr) return {};
    const double each = time / 1e9 / static_cast<double>(calls);
    Finding finding;
    finding.title =
        fmt::format("{} calls to lock files, {} each on average", format_count(calls), format_seconds(each));
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = "the time in these calls: fcntl, flock and lockf on locks, unlocking too";
    finding.confidence = Confidence::high;
    finding.evidence = {{"locks", "calls on locks", count(calls),
                         fmt::format("{} of all {}", format_seconds(time / 1e9), scene.members())},
                        {"file", "most time on", path(most->use->path),
                         fmt::format("{}, used by {} {}", format_seconds(time_of_most / 1e9),
                                     format_count(most->use->system.users().count), scene.members())}};
    finding.why =
        "Who waits for a lock does nothing else, and on a network file system each lock is a message to a "
        "server.";
    if (most->use->by_mpiio) {
        finding.confidence = Confidence::low;  // the locks follow from other calls
        finding.doubt = "Other programs that write to the file at the same time.";
        if (std::string together = without_disabled(scene.job); !together.empty()) {
            finding.advice = {{std::move(together)}};
            return finding;
        }
        finding.advice = {
            {"The MPI library takes these locks, to read, change and write blocks that have gaps. "
             "Have it write the pieces as they are, or write collectively:",
             {"MPI_Info_set(info, \"romio_ds_write\", \"disable\");",
              "MPI_File_write_at_all(file, offset, buffer, count, type, MPI_STATUS_IGNORE);"}}};
        return finding;
    }
    const AdvisedProgram program = program_of(scene.job, lost, most->use->path);
    if ((is_named_as_hdf5(most->use->path) || scene.datasets.file_of(most->use->file) != nullptr) &&
        calls <= locks_an_open * opens) {
        finding.confidence = Confidence::medium;  // the locks follow from other calls
        finding.doubt = "Programs that rely on HDF5 to keep others from a file that one writes to.";
        finding.advice = {
            {"HDF5 takes such a lock at each open. Open the file once; or have HDF5 do without, "
             "where no other program writes to the file meanwhile:",
             {"export HDF5_USE_FILE_LOCKING=FALSE"}}};
        Found found(std::move(finding), std::move(lost));
        found.container = most->use->path;
        return found;
    }
    if (is_sqlite(most->use->path) || program.uses("libsqlite3")) {
        finding.confidence = Confidence::medium;  // the locks follow from other calls
        finding.doubt = "Other processes that use the database at the same time.";
        finding.advice = {
            {"SQLite takes these locks, when a transaction begins and when it ends, and each statement is "
             "one by itself. Put many into one, on a connection that stays open:",
             {"BEGIN; …; COMMIT;"}}};
        Found found(std::move(finding), std::move(lost));
        found.file = most->use;
        return found;
    }
    finding.doubt = "A process whose task it is to wait for another.";
    // Of a few of each, they wait for what one does for all.
    constexpr std::uint64_t few_of_each = 4;
    if (calls <= few_of_each * most->use->system.users().count) finding.confidence = Confidence::low;
    // A counter, say, which is one and the same range for all.
    constexpr std::uint64_t few_bytes = 4096;
    const std::uint64_t extent = most->use->system.highest();
    if (extent > 0 && extent < few_bytes) {
        const bool python = is_python(program);
        finding.advice = {
            {fmt::format("All want the same {}: take many numbers or records at a time, and do "
                         "their work without the lock:",
                         format_bytes(extent)),
             python ? std::vector<std::string>{"fcntl.flock(file, fcntl.LOCK_EX)",
                                               "first = take_numbers(file, 100)",
                                               "fcntl.flock(file, fcntl.LOCK_UN)",
                                               "for number in range(first, first + 100): work(number)"}
                    : std::vector<std::string>{
                          "flock(fd, LOCK_EX); first = take_numbers(fd, 100); flock(fd, LOCK_UN);",
                          "for (i = first; i < first + 100; ++i) work(i);"}}};
        finding.advice.push_back(
            scene.job.mpi ? Advice{"Or count in the memory of one rank:",
                                   {"MPI_Fetch_and_op(&hundred, &first, MPI_LONG, 0, 0, MPI_SUM, window);"}}
            : python
                ? Advice{"Or count in memory that the processes of one node share:",
                         {"counter = multiprocessing.Value(\"q\", 0)    # before the workers start",
                          "with counter.get_lock(): first = counter.value; counter.value += 100"}}
                : Advice{"Or count in memory that the processes of one node share:",
                         {"first = atomic_fetch_add(counter, 100);    /* in a mapping with MAP_SHARED */"}});
    } else {
        finding.advice = advice_in(program, record_lock_remedies);
        // They wait for one that does something else as well while it has the lock.
        constexpr double far_longer = 5;
        const FileView& view = most->use->system;
        const auto moving = static_cast<double>(view.read_time + view.write_time);
        if (time_of_most > far_longer * moving && !is_packaged(program))
            finding.advice.insert(
                finding.advice.begin(),
                {fmt::format(
                     "Hold the lock only while data are moved, and do other work without it: moving took "
                     "{}, and processes waited {}.",
                     format_seconds(moving / 1e9), format_seconds(time_of_most / 1e9)),
                 {}});
    }
    Found found(std::move(finding), std::move(lost));
    found.file = most->use;
    return found;
}

}  // namespace fathom
