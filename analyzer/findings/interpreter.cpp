// A row for each language whose work around a call was measured.
#include "analyzer/findings/interpreter.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

// CPU time beyond that of the calls themselves, ns: open() makes three objects in Python, which hands a line
// of text that is flushed through three layers, >> saves and restores a descriptor in a shell, which goes
// back to the end of a line after each read, std::filesystem takes a path apart.
struct WorkAround {
    Language language;
    double open = 0, look = 0, write = 0, line = 0, read = 0, list = 0, mpiio = 0, array = 0, map = 0;
    double list_most = list;  // where patterns are looked for, and objects made, of all names
    // What it does around an open is no more than so many times what the calls take: system calls that are
    // not recorded.
    double times_of_calls = INFINITY;
};
constexpr WorkAround of_python(Language language)
{
    return {.language = language,
            .open = 5000,
            .look = 700,
            .write = 200,
            .line = 1200,
            .read = 100,
            .list = 80,
            .mpiio = 500,
            .array = 130000,
            .map = 4000,
            .list_most = 1100};
}
constexpr WorkAround work_around[] = {
    of_python(Language::python),
    of_python(Language::h5py),
    of_python(Language::netcdf4),
    {.language = Language::cxx, .open = 900, .look = 150, .list = 150, .list_most = 450},
    {.language = Language::shell, .open = 12000, .read = 2000, .times_of_calls = 3},
    {.language = Language::script, .list_most = 500},  // as Perl
};

// Node.js has threads of a pool make what is asked of it asynchronously, by streams and by fs.promises: each
// call is handed to one of them, and comes back by the event loop. What it does synchronously costs little.
constexpr WorkAround asynchronous = {
    .language = Language::script, .open = 50000, .look = 25000, .write = 25000, .line = 25000, .read = 25000};
constexpr std::string_view node = "node";
// gawk looks at each descriptor some ten times when it opens a file.
constexpr WorkAround awk = {.language = Language::script, .open = 12000};
// It saves and restores less than bash.
constexpr WorkAround dash = {.language = Language::shell, .open = 8000, .read = 2000, .times_of_calls = 3};
constexpr std::uint64_t threads_of_pool = 4;

bool is_asynchronous(const Member& member)
{
    return member.process.threads > threads_of_pool;
}

// No more than lies between calls: a program that loads modules by its pool may make all other calls itself,
// which follow one another closely.
double around_asynchronous(const Scene& scene, double calls, double each, const LostTime& lost)
{
    if (lost.total() <= 0) return 0;
    LostTime around(scene.job);
    for (const Member& member : scene.job.ranks) {
        const std::int64_t rank = scene.job.rank_index(member.process.process);
        if (rank < 0 || !is_asynchronous(member)) continue;
        const auto at = static_cast<std::size_t>(rank);
        around.add(member,
                   std::min(calls * each * scene.stretched * lost.of(at) / lost.total(),
                            std::min(scene.most_computed(at), scene.between_calls(at, Scene::Pauses::any))));
    }
    return scene.cost_beyond_io(around);
}

const WorkAround* work_of(const AdvisedProgram& program)
{
    if (program.name == node) return &asynchronous;
    if (program.name.ends_with("awk")) return &awk;
    if (program.name == "dash" || program.name == "sh") return &dash;
    for (const WorkAround& row : work_around)
        if (row.language == program.language) return &row;
    return nullptr;
}

// ns that a process computed beside its I/O; of one thread, no more than its calls leave.
double computed_beside(const Member& member)
{
    const std::uint64_t in_io = member.time().total(), run = member.run_time(), cpu = member.process.cpu_time;
    return static_cast<double>(member.process.threads > 1 ? cpu - std::min(cpu, in_io)
                                                          : std::min(cpu, run - std::min(run, in_io)));
}

// Seconds of the run for what is assumed, in ns, no more than the processes computed beside their I/O; and
// whether all of it fits there.
struct Computed {
    double seconds = 0;
    bool fits = true;
};

Computed computed_at_most(const Scene& scene, double all, const LostTime& lost)
{
    if (lost.total() <= 0) return {};
    Computed computed;
    LostTime around(scene.job);
    for (const Member& member : scene.job.ranks) {
        const std::int64_t rank = scene.job.rank_index(member.process.process);
        if (rank < 0) continue;
        const double assumed = all * scene.stretched * lost.of(static_cast<std::size_t>(rank)) / lost.total(),
                     room = computed_beside(member);
        computed.fits = computed.fits && assumed <= room;
        around.add(member, std::min(assumed, room));
    }
    computed.seconds = scene.cost_beyond_io(around);
    return computed;
}

}  // namespace

double around_calls(const Scene& scene, const AdvisedProgram& program, Around what, double calls,
                    const LostTime& lost)
{
    const WorkAround* const row = work_of(program);
    if (row == nullptr) return 0;
    const double each = what == Around::open    ? row->open
                        : what == Around::look  ? row->look
                        : what == Around::write ? row->write
                        : what == Around::line  ? row->line
                        : what == Around::list  ? row->list
                        : what == Around::mpiio ? row->mpiio
                        : what == Around::array ? row->array
                        : what == Around::map   ? row->map
                                                : row->read;
    if (row == &asynchronous) return around_asynchronous(scene, calls, each, lost);
    LostTime around(scene.job);
    const double assumed = calls * each * scene.stretched;
    around.add(lost, what == Around::open ? std::min(assumed, row->times_of_calls * lost.total()) : assumed);
    around.limit([&](std::size_t rank) {
        const Member& member = scene.job.ranks[rank];
        return member.process.cpu_time > 0 ? computed_beside(member) : INFINITY;
    });
    return scene.cost_beyond_io(around);
}

double most_around_lists(const Scene& scene, const AdvisedProgram& program, double names,
                         const LostTime& lost)
{
    const WorkAround* const row = work_of(program);
    if (row == nullptr || row->list_most <= row->list) return 0;
    // Of all names an object, as pathlib makes; a comparison with a pattern; or with a string.
    constexpr double parts[] = {1, 0.35, 0.07};
    Computed most;
    for (const double part : parts) {
        most = computed_at_most(scene, part * names * (row->list_most - row->list), lost);
        if (most.fits) break;
    }
    return most.seconds;
}

double most_around_messages(const Scene& scene, const LostTime& messages)
{
    constexpr double each = 7000;  // ns with a core of its own
    return computed_at_most(scene, messages.total() * each, messages).seconds;
}

double around_message(const AdvisedProgram& program, Direction direction)
{
    // multiprocessing: pickled and written in one piece, read in two, beneath a lock.
    constexpr double write = 12000, read = 5000;
    return !is_python(program) ? 0 : direction == Direction::write ? write : read;
}

std::string_view words_on_interpreter(const AdvisedProgram& program)
{
    if (program.language == Language::cxx)
        return "; and what the language's library does around each of these calls, which is assumed";
    if (program.name == node)
        return "; and what Node.js does around each call that it makes asynchronously, which is assumed";
    const WorkAround* const row = work_of(program);
    return row == nullptr || row->open <= 0  // it is assumed for names in folders alone
               ? std::string_view{}
               : "; and what the interpreter does around each of these calls, which is assumed";
}

}  // namespace fathom
