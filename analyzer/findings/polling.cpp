// A process that looks for a file, sleeps, and looks again, until another one has made or removed it; or that
// asks for a lock again and again.
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/failed_paths.h"

namespace fathom {
namespace {

using namespace report;

// One or two may be a start that waits for another program to come up; where they are much of the run, in s,
// they may be more than that.
constexpr std::uint64_t few_sleeps = 3;
constexpr double much_of_wait = 0.25, long_sleep = 0.25;

constexpr Remedy event_remedies[] = {
    {Language::c,
     "Have the process that makes the file announce it, by a pipe or by its end; inotify tells of files that "
     "others make. Or sleep a tenth as long:",
     {"inotify_add_watch(events, FOLDER, IN_MOVED_TO | IN_CLOSE_WRITE);",
      "read(events, buffer, sizeof buffer);    // returns once a file is there"}},
    {Language::fortran, "Have the process that makes the file announce it; or sleep a tenth as long."},
    {Language::python,
     "Have the process that makes the file announce it, by a pipe, a queue or join(). Or sleep a tenth as "
     "long:",
     {"done, tell = multiprocessing.Pipe(duplex=False)", "tell.send(path)    # by the one that made it",
      "path = done.recv()    # waits no longer than that"}},
    {Language::script,
     "Have the process that makes the file announce it, by a pipe or by its end; or sleep a tenth as long."},
    {Language::shell,
     "Wait for the process that makes the file, or for the file itself; or sleep a tenth as long:",
     {"wait    # for what was started by &", "inotifywait -e close_write -e moved_to FOLDER"}},
    {Language::packaged, "Look for an option of PROGRAM that has it look again sooner."},
};
// Between ranks.
constexpr Remedy event_remedies_of_ranks[] = {
    {Language::c,
     "Have the rank that makes the file announce it to those that wait, or meet them in a barrier:",
     {"MPI_Send(NULL, 0, MPI_BYTE, reader, tag, MPI_COMM_WORLD);    // by the one that made it",
      "MPI_Recv(NULL, 0, MPI_BYTE, writer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"}},
    {Language::fortran,
     "Have the rank that makes the file announce it to those that wait, or meet them in a barrier:",
     {"call MPI_Barrier(MPI_COMM_WORLD, error)"}},
    {Language::python,
     "Have the rank that makes the file announce it to those that wait, or meet them in a barrier:",
     {"comm.send(path, dest=reader)    # by the one that made it", "path = comm.recv(source=writer)"}},
    {Language::script, "Have the rank that makes the file announce it to those that wait."},
    {Language::packaged, "Look for an option of PROGRAM that has it look again sooner."},
};
// Between nodes, without MPI.
constexpr Remedy event_remedies_of_tasks[] = {
    {Language::python,
     "Have the process that makes the file announce it to the others, through a socket. Or sleep a tenth as "
     "long:",
     {"with multiprocessing.connection.Listener((node, port)) as waits: path = waits.accept().recv()",
      "multiprocessing.connection.Client((node, port)).send(path)    # by the one that made it"}},
    {Language::c,
     "Have the process that makes the file announce it to the others, through a socket; or start those that "
     "wait when it has ended; or sleep a tenth as long:",
     {"sbatch --dependency=afterok:JOB …"}},
};
constexpr Remedy lock_remedies[] = {
    {Language::c,
     "Have each process write a file of its own; or take turns by a lock that the kernel gives on as soon as "
     "it is free:",
     {"flock(fd, LOCK_EX);    // rather than a file or folder that stands for a lock"}},
    {Language::python,
     "Have each process write a file of its own; or take turns by a lock that the kernel gives on as soon as "
     "it is free:",
     {"fcntl.flock(file, fcntl.LOCK_EX)    # rather than os.mkdir and time.sleep"}},
    {Language::script,
     "Take turns by flock, which waits no longer than it has to; or sleep a tenth as long."},
    {Language::shell,
     "Have each process write a file of its own; or take turns by flock, which waits no longer than it has "
     "to:",
     {"flock LOCK COMMAND"}},
    {Language::packaged, "Look for an option of PROGRAM that has it look again sooner."},
};

constexpr Remedy refused_remedies[] = {
    {Language::c,
     "Let the kernel wait, which gives the lock on as soon as it is free:",
     {"fcntl(fd, F_SETLKW, &lock);    // rather than F_SETLK", "flock(fd, LOCK_EX);    // without LOCK_NB"}},
    {Language::python,
     "Let the kernel wait, which gives the lock on as soon as it is free:",
     {"fcntl.flock(file, fcntl.LOCK_EX)    # without LOCK_NB"}},
    {Language::script, "Let the kernel wait, which gives the lock on as soon as it is free."},
    {Language::packaged,
     "The kernel would give the lock on as soon as it is free: look for an option of PROGRAM that waits for "
     "it, or sleeps less."},
    {Language::sqlite,
     "SQLite sleeps between its attempts: hold its locks shorter, with all that is ready in one transaction, "
     "or have one process do all writes."},
};

// What the process slept for most: that a file is there, that one is gone, which stands for a lock, or a
// lock.
enum class Awaited { file, removal, lock };

Awaited awaited_by(std::uint64_t cause)
{
    if (cause == EAGAIN || cause == EACCES) return Awaited::lock;
    return cause == EEXIST ? Awaited::removal : Awaited::file;
}

// The paths that were slept for longest. Returns what the first was.
Awaited name_paths(const Log& log, Finding& finding)
{
    constexpr std::size_t most = 3;
    std::size_t place = 0;
    Awaited first = Awaited::file;
    for (const SleptFor& one : most_slept_for(log, most)) {
        if (place == 0) first = awaited_by(one.cause);
        finding.evidence.push_back({fmt::format("polled_path_{}", ++place), "slept for", path(one.path),
                                    format_seconds(static_cast<double>(one.slept) / 1e9)});
    }
    return first;
}

// Each that waits has a file of its own to wait for, as stages that follow one another do: what one is late,
// the next is late as well.
bool waits_in_chain(const Job& job)
{
    std::size_t waiting = 0, files = 0;
    for (const Member& member : job.ranks) waiting += member.process.poll_time > 0;
    for (const FailedPath& row : job.log.rows<FailedPath>()) files += row.slept > 0;
    return waiting > 1 && files >= waiting;
}

}  // namespace

MaybeFinding polling(const Scene& scene)
{
    std::uint64_t sleeps = 0;
    double slept = 0;
    LostTime late(scene.job), all(scene.job);
    for (const Member& member : scene.job.ranks) {
        const Process& process = member.process;
        sleeps += process.polls;
        slept += static_cast<double>(process.poll_time);
        late.add(member, static_cast<double>(process.poll_time -
                                             std::min(process.poll_time, process.poll_failed_time)));
        all.add(member, static_cast<double>(process.poll_time));
    }
    if (late.total() <= 0) return {};
    const bool few = sleeps < few_sleeps;
    if (few && (late.total() / 1e9 < long_sleep || late.total() / 1e9 < much_of_wait * scene.run)) return {};
    Finding finding;
    const Awaited awaited = name_paths(scene.job.log, finding);
    const bool is_lock = awaited != Awaited::file;
    finding.title = fmt::format("{} of {} between two {} the same file",
                                sleeps == 1 ? "One sleep" : format_count(sleeps) + " sleeps",
                                format_seconds(slept / 1e9 / static_cast<double>(sleeps)),
                                awaited == Awaited::lock ? "attempts to lock" : "looks for");
    // Who waits for a lock may have nothing to wait for where each writes for itself.
    const bool in_chain = !is_lock && waits_in_chain(scene.job), chained = in_chain && !scene.job.mpi,
               by_neighbours = in_chain && scene.job.mpi;
    const double most = chained ? std::min(late.total() / 1e9, scene.run)
                                : scene.cost_beyond_io(is_lock || by_neighbours ? all : late);
    finding.cost = seconds(most);
    if (is_lock) finding.cost_least = 0.0;
    if (by_neighbours) finding.cost_least = scene.cost_beyond_io(late);
    finding.cost_basis =
        is_lock ? "at most all of these sleeps; nothing where the processes have to take turns and sleep no "
                  "longer than a turn takes"
                : "what was left of each sleep when the file was there, by the time at which that was last "
                  "changed";
    if (chained)
        finding.cost_basis +=
            "; of all processes together, which wait for files of their own, each for the last one's";
    if (by_neighbours)
        finding.cost_basis +=
            "; at most all of each sleep, since the rank that makes the file may itself be late from "
            "sleeping";
    finding.confidence = few && is_lock ? Confidence::low : Confidence::medium;
    std::vector<Entry> numbers = {
        {"sleeps", "sleeps", count(sleeps), fmt::format("took {}", format_seconds(slept / 1e9))},
        {"late", is_lock ? "the last ones of each wait" : "slept though the file was there",
         seconds(late.total() / 1e9), fmt::format("summed over all {}", scene.members())}};
    finding.evidence.insert(finding.evidence.begin(), numbers.begin(), numbers.end());
    finding.why =
        "A process that sleeps learns that it may go on only when it wakes, half of a sleep too late on the "
        "mean. On a network file system each look is a question to the server as well.";
    finding.doubt = "Programs that have nothing to do until then, and that nobody waits for.";
    AdvisedProgram program = program_of(scene.job, late);
    const auto longest = most_slept_for(scene.job.log, 1);
    if (!longest.empty() && is_sqlite(longest[0].path))
        program.language = Language::sqlite;  // it sleeps by itself, whatever the program is
    const auto remedies = [&]() -> std::span<const Remedy> {
        if (awaited == Awaited::lock) return refused_remedies;
        if (is_lock) return lock_remedies;
        if (scene.job.mpi) return event_remedies_of_ranks;
        return scene.job.nodes() > 1 ? std::span<const Remedy>(event_remedies_of_tasks) : event_remedies;
    };
    finding.advice = advice_in(program, remedies());
    Found found(std::move(finding));
    for (const FileCase& file : scene.files)
        if (!longest.empty() && file.use->path == longest[0].path) found.container = file.use->path;
    return found;
}

}  // namespace fathom
