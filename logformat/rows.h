// The rows of the log's tables: facts of the job, processes, totals, file names, mounts and the records of
// each layer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "logformat/counters.h"
#include "logformat/library_counters.h"

namespace fathom {

// What a number of `process` means: the row of that number in the process table (MPI ranks come first, by
// rank); reduced means that the record stands for several processes.
inline constexpr std::int64_t reduced = -1;

// How the I/O time and the bytes of one file spread over the processes that used it.
struct Sharing {
    std::uint64_t processes = 0, readers = 0, writers = 0;
    Slowest slowest;
    Fastest fastest;
    Moments time, bytes;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using S = Sharing;
        visit(Field{"processes", &S::processes, Rule::sum, Unit::count,
                    "processes that used the file in this layer"});
        visit(Field{"readers", &S::readers, Rule::sum, Unit::count,
                    "those of them that read at least one byte"});
        visit(Field{"writers", &S::writers, Rule::sum, Unit::count,
                    "those of them that wrote at least one byte"});
        visit(Field{"slowest_process", &S::slowest, Rule::own, Unit::none,
                    "the process with the longest I/O time"});
        visit(Field{"fastest_process", &S::fastest, Rule::own, Unit::none,
                    "the process with the shortest I/O time"});
        visit(Field{"time_per_process", &S::time, Rule::own, Unit::none,
                    "I/O time in ns: moments over the processes"});
        visit(Field{"bytes_per_process", &S::bytes, Rule::own, Unit::none,
                    "bytes moved: moments over the processes"});
    }
};

// The record of one file in one layer, by one process or reduced over several.
template <class Counters>
struct Record : Counters, Sharing {
    std::uint64_t file = 0;
    std::int64_t process = reduced;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using R = Record;
        visit(Field{"file", &R::file, Rule::key, Unit::none, "id of the file's name"});
        visit(Field{"process", &R::process, Rule::key, Unit::rank, "the process, or -1: several"});
        Counters::fields(visit);
        Sharing::fields(visit);
    }
};
using PosixRecord = Record<PosixCounters>;
using StdioRecord = Record<StdioCounters>;
using MpiioRecord = Record<MpiioCounters>;
// Of libraries above these layers: of a file, and of a dataset or variable, whose name is one of objects.
using DataFileRecord = Record<DataFileCounters>;
using DatasetRecord = Record<DatasetCounters>;

// What a name stands for. Only `file` counts for I/O modes.
enum class NameKind : std::uint64_t {
    file,  // a regular file, or something the run never learned more about
    directory,
    stream,    // standard input, output or error where that is no regular file
    device,    // character or block device, FIFO
    overflow,  // all files on a mount for which a process had no room left
    unopened,  // calls by path that failed: nothing was opened
    object,    // what a library keeps in a file: a dataset, a variable
    by_path,   // all files on a mount that a process named by path alone, and did not open, beyond so many
};

struct FileName {
    std::uint64_t file = 0;
    std::uint64_t kind = 0;
    std::string_view path;
    std::uint64_t files = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using F = FileName;
        visit(Field{"file", &F::file, Rule::key, Unit::none, "id of the name"});
        visit(Field{"kind", &F::kind, Rule::largest, Unit::none,
                    "0 file, 1 directory, 2 standard stream, 3 device or FIFO, 4 overflow, 5 never opened, "
                    "6 dataset or variable in a file, 7 files that were not opened"});
        visit(Field{"path", &F::path, Rule::key, Unit::none, "absolute path"});
        visit(Field{"files", &F::files, Rule::largest, Unit::count,
                    "of kinds 4 and 7: about how many files of one process it stands for (error 3.3 %)"});
    }
};

// How a process ended, as far as it is known. Of two accounts of one process the larger one says more.
enum class Ending : std::uint64_t {
    unknown,    // nobody saw it: a signal, or a system call of its own
    exited,     // exit, _exit and their kin, or return from main
    finalized,  // MPI_Finalize wrote the log; whether it exited later is shown by its status
    running,    // it was still running when the log was written
    replaced,   // exec: it went on as another program, which has a row of its own
    killed,     // a signal
    aborted,    // MPI_Abort
};

inline constexpr std::int64_t no_status = -1;

struct Process {
    std::int64_t process = 0, rank = -1;
    std::uint64_t pid = 0, parent = 0, start = 0, end = 0, ending = 0;
    std::int64_t status = no_status;
    std::uint64_t ranks = 0, tasks = 0;
    std::int64_t task = -1;
    std::uint64_t initialized = 0, finalized = 0, met = 0, met_error = 0;
    std::uint64_t threads = 0, missed = 0, untimed = 0, traced = 0, untraced = 0, trace_lost = 0,
                  burst_gap = 0;
    std::uint64_t clock_cost = 0, cpu_time = 0, core_wait = 0, major_faults = 0, minor_faults = 0;
    std::uint64_t polls = 0, poll_time = 0, poll_failed_time = 0;
    std::uint64_t fortran_statements = 0, fortran_time = 0, fortran_formatted = 0, fortran_formatted_time = 0,
                  fortran_line = 0, fortran_line_statements = 0, fortran_line_time = 0;
    std::string_view host, program, command, build, libraries, fortran_source;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using P = Process;
        visit(Field{"process", &P::process, Rule::key, Unit::rank, "number of this row"});
        visit(
            Field{"rank", &P::rank, Rule::key, Unit::rank, "rank in MPI_COMM_WORLD; -1: not an MPI process"});
        visit(Field{"ranks", &P::ranks, Rule::largest, Unit::count,
                    "how many ranks its MPI_COMM_WORLD has; 0: not an MPI process"});
        visit(Field{"task", &P::task, Rule::largest, Unit::rank,
                    "its number among what a launcher started, also of a child's child; -1: not known"});
        visit(Field{"tasks", &P::tasks, Rule::largest, Unit::count,
                    "how many the launcher started; 0: not known"});
        visit(Field{"pid", &P::pid, Rule::key, Unit::none, "process id"});
        visit(Field{"parent", &P::parent, Rule::key, Unit::none, "process id of the parent at the start"});
        visit(Field{"start", &P::start, Rule::earliest, Unit::instant, "when recording began in it"});
        visit(
            Field{"end", &P::end, Rule::largest, Unit::instant, "when it ended, or was last seen in a call"});
        visit(Field{"ending", &P::ending, Rule::largest, Unit::none,
                    "0 not seen, 1 exit, 2 MPI_Finalize, 3 still running, 4 exec, 5 signal, 6 MPI_Abort"});
        visit(
            Field{"status", &P::status, Rule::largest, Unit::none,
                  "exit status, number of the signal, or code of MPI_Abort; -1 where none of them is known"});
        visit(Field{"initialized", &P::initialized, Rule::largest, Unit::instant,
                    "when its MPI_Init returned; 0: it is no MPI process"});
        visit(Field{"finalized", &P::finalized, Rule::largest, Unit::instant,
                    "when it called MPI_Finalize; 0: it did not"});
        visit(Field{
            "met", &P::met, Rule::largest, Unit::instant,
            "when all ranks had come to the exchange of MPI_Finalize, by the clock of this one's node"});
        visit(Field{"met_error", &P::met_error, Rule::largest, Unit::duration,
                    "it was no more than this before or after met"});
        visit(Field{"threads", &P::threads, Rule::largest, Unit::count, "threads that did I/O"});
        visit(Field{"missed", &P::missed, Rule::sum, Unit::count, "calls that could not be counted"});
        visit(Field{"untimed", &P::untimed, Rule::sum, Unit::count,
                    "operations that are in no histogram or time bin, for want of room"});
        visit(Field{"traced", &P::traced, Rule::sum, Unit::count, "operations in its trace"});
        visit(Field{"untraced", &P::untraced, Rule::sum, Unit::count,
                    "operations that should be in its trace and are not, for want of room"});
        visit(Field{"trace_lost", &P::trace_lost, Rule::sum, Unit::count,
                    "operations that should be in its trace and are not, because it was killed"});
        visit(Field{"burst_gap", &P::burst_gap, Rule::largest, Unit::duration,
                    "pauses shorter than this do not end a burst of I/O"});
        visit(Field{"clock_cost", &P::clock_cost, Rule::largest, Unit::duration,
                    "what reading the clock adds to the time of each call"});
        visit(Field{"cpu_time", &P::cpu_time, Rule::largest, Unit::duration,
                    "CPU time of all its threads, when it ended; 0: not known"});
        visit(Field{"core_wait", &P::core_wait, Rule::largest, Unit::duration,
                    "how long its main thread waited for a core while others had it; 0: not known"});
        visit(Field{"major_faults", &P::major_faults, Rule::largest, Unit::count,
                    "page faults that had to wait for the disk"});
        visit(Field{"minor_faults", &P::minor_faults, Rule::largest, Unit::count,
                    "page faults that did not, as where memory is used for the first time; 0: not known"});
        visit(Field{"polls", &P::polls, Rule::sum, Unit::count,
                    "sleeps of a thread between two calls by the same path, or for a lock on the same file, "
                    "the first of which failed"});
        visit(Field{"poll_time", &P::poll_time, Rule::sum, Unit::duration, "time in those sleeps"});
        visit(Field{"poll_failed_time", &P::poll_failed_time, Rule::sum, Unit::duration,
                    "the part of poll_time after which the second call failed as well, or in which what it "
                    "found was not there yet, by the time at which that was last changed"});
        visit(Field{"fortran_statements", &P::fortran_statements, Rule::sum, Unit::count,
                    "reads and writes of Fortran (gfortran), but for internal files and units 0, 5 and 6"});
        visit(Field{"fortran_time", &P::fortran_time, Rule::sum, Unit::duration,
                    "time in those, all that is called beneath included"});
        visit(Field{"fortran_formatted", &P::fortran_formatted, Rule::sum, Unit::count,
                    "those of fortran_statements with a format, list-directed, or of a namelist"});
        visit(Field{"fortran_formatted_time", &P::fortran_formatted_time, Rule::sum, Unit::duration,
                    "the part of fortran_time in those"});
        visit(Field{"fortran_line", &P::fortran_line, Rule::largest, Unit::none,
                    "the line in fortran_source with most of fortran_time"});
        visit(Field{"fortran_line_statements", &P::fortran_line_statements, Rule::largest, Unit::count,
                    "statements of that line, at least"});
        visit(Field{"fortran_line_time", &P::fortran_line_time, Rule::largest, Unit::duration,
                    "time in those"});
        visit(Field{"host", &P::host, Rule::key, Unit::none, "node it ran on"});
        visit(Field{"program", &P::program, Rule::key, Unit::none, "path of the executable"});
        visit(Field{"command", &P::command, Rule::key, Unit::none, "its arguments"});
        visit(Field{"build", &P::build, Rule::key, Unit::none,
                    "which build of the executable it is: its build id, or else its size and when it was "
                    "changed; empty: not known"});
        visit(Field{"libraries", &P::libraries, Rule::key, Unit::none,
                    "those of a fixed list that it had loaded at its end, spaces between, and libhdf5.a for "
                    "HDF5 linked into it; go: a program in Go, whose I/O is not recorded; empty: not known"});
        visit(Field{"fortran_source", &P::fortran_source, Rule::key, Unit::none,
                    "source file of Fortran with that line: the end of its path; empty: not known"});
    }
};

// Whose work a total counts.
enum class Scope : std::uint64_t {
    direct,         // what the program itself asked of this layer
    beneath_mpiio,  // POSIX and stdio calls on files that are open through MPI-IO
    streams,        // standard streams, devices and FIFOs
};

// All that one process did in one layer; kept also for the files whose records are reduced. Where a log of
// another tool does not say who of several processes did it, `process` is reduced; the log then has such a
// row for each layer of which it does not say all.
struct Totals {
    std::int64_t process = 0;
    std::uint64_t layer = 0, scope = 0;
    std::uint64_t opens = 0, reads = 0, writes = 0, syncs = 0, failed = 0, files = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0, read_time = 0, write_time = 0, metadata_time = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using T = Totals;
        visit(Field{"process", &T::process, Rule::key, Unit::rank,
                    "the process, or -1: several, not separated"});
        visit(Field{"layer", &T::layer, Rule::key, Unit::none, "0 POSIX, 1 stdio, 2 MPI-IO"});
        visit(Field{"scope", &T::scope, Rule::key, Unit::none,
                    "0 the program's own calls, 1 beneath MPI-IO, 2 standard streams"});
        visit(Field{"opens", &T::opens, Rule::sum, Unit::count, "opens"});
        visit(Field{"reads", &T::reads, Rule::sum, Unit::count, "reads"});
        visit(Field{"writes", &T::writes, Rule::sum, Unit::count, "writes"});
        visit(Field{"syncs", &T::syncs, Rule::sum, Unit::count, "syncs"});
        visit(Field{"failed", &T::failed, Rule::sum, Unit::count, "calls that returned an error"});
        visit(Field{"files", &T::files, Rule::sum, Unit::count, "files used"});
        visit(Field{"bytes_read", &T::bytes_read, Rule::sum, Unit::bytes, "bytes read"});
        visit(Field{"bytes_written", &T::bytes_written, Rule::sum, Unit::bytes, "bytes written"});
        visit(Field{"read_time", &T::read_time, Rule::sum, Unit::duration, "time in reads"});
        visit(Field{"write_time", &T::write_time, Rule::sum, Unit::duration, "time in writes and syncs"});
        visit(
            Field{"metadata_time", &T::metadata_time, Rule::sum, Unit::duration, "time in all other calls"});
    }
};

// The first so many bursts of a thread have no pause of more than a millisecond in them, whatever burst_gap
// is.
inline constexpr std::uint32_t first_bursts = 12;

// A stretch of time in which a process had I/O on files under way that moved data, pauses under its burst_gap
// included.
struct Burst {
    std::int64_t process = 0;
    std::uint64_t start = 0, end = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using B = Burst;
        visit(Field{"process", &B::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"start", &B::start, Rule::key, Unit::instant, "start of its first call"});
        visit(Field{"end", &B::end, Rule::key, Unit::instant, "end of its last call"});
    }
};

// One call of a sample of the collective reads and writes of a process; the calls that are one on all ranks
// have the same file, number and ranks. Split and nonblocking ones are in none.
struct CollectiveCall {
    std::int64_t process = 0;
    std::uint64_t file = 0, call = 0, ranks = 0, direction = 0;
    std::uint64_t before = 0, start = 0, end = 0, beneath = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using C = CollectiveCall;
        visit(Field{"process", &C::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"file", &C::file, Rule::key, Unit::none, "id of the file's name"});
        visit(Field{"call", &C::call, Rule::key, Unit::none,
                    "its number among the collective calls of the process on the file, from 0"});
        visit(Field{"ranks", &C::ranks, Rule::key, Unit::count, "ranks that opened the file together"});
        visit(Field{"direction", &C::direction, Rule::key, Unit::none, "0 read, 1 write"});
        visit(Field{"before", &C::before, Rule::key, Unit::instant,
                    "when the process's last read or write of the file had returned; 0: none"});
        visit(Field{"start", &C::start, Rule::key, Unit::instant, "when it was called"});
        visit(Field{"end", &C::end, Rule::key, Unit::instant, "when it returned"});
        visit(Field{"beneath", &C::beneath, Rule::key, Unit::duration,
                    "how long its thread was in POSIX calls on the file meanwhile"});
    }
};

struct Mount {
    std::string_view path, type, source;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using M = Mount;
        visit(Field{"path", &M::path, Rule::key, Unit::none, "where it is mounted"});
        visit(Field{"type", &M::type, Rule::key, Unit::none, "file system type"});
        visit(Field{"source", &M::source, Rule::key, Unit::none, "device or server"});
    }
};

// How a file system spreads a file over its servers: Lustre's layout, as the file was when it was first
// opened.
struct Layout {
    std::uint64_t file = 0;
    std::uint64_t stripe_size = 0, stripe_count = 0, first_server = 0;
    std::string_view servers, pool;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using L = Layout;
        visit(Field{"file", &L::file, Rule::key, Unit::none, "id of the file's name"});
        visit(Field{"stripe_size", &L::stripe_size, Rule::largest, Unit::bytes,
                    "bytes on one server before the next one's turn"});
        visit(Field{"stripe_count", &L::stripe_count, Rule::largest, Unit::count,
                    "over how many they are spread"});
        visit(Field{"first_server", &L::first_server, Rule::largest, Unit::none, "number of the first"});
        visit(Field{"servers", &L::servers, Rule::key, Unit::none,
                    "numbers of all of them (OSTs), in turn, commas between; the first 64"});
        visit(Field{"pool", &L::pool, Rule::key, Unit::none,
                    "name of the pool they are of, where there is one"});
    }
};

// Hints that a program gave MPI-IO for a file (MPI_Info), and what the MPI library made of it: "name=value",
// with semicolons between.
struct Hints {
    std::uint64_t file = 0;
    std::string_view asked, used;
    std::uint64_t left_out = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using H = Hints;
        visit(Field{"file", &H::file, Rule::key, Unit::none, "id of the file's name"});
        visit(Field{"asked", &H::asked, Rule::key, Unit::none,
                    "hints that the program set when it opened the file or later: name=value;name=value"});
        visit(Field{"used", &H::used, Rule::key, Unit::none,
                    "hints that the MPI library then had for it, its own among them"});
        visit(Field{"left_out", &H::left_out, Rule::largest, Unit::count,
                    "hints without room, at least: 1 for a file that has none here"});
    }
};

// One of the paths that calls failed on most, of all processes: at most `most_failed_paths`.
struct FailedPath {
    std::string_view path;
    std::uint64_t calls = 0, error = 0, cause = 0, slept = 0;

    std::uint64_t certain() const { return calls - std::min(calls, error); }

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using F = FailedPath;
        visit(Field{"path", &F::path, Rule::key, Unit::none,
                    "absolute path; of one of more than 256 bytes the end, which begins with no slash"});
        visit(Field{"calls", &F::calls, Rule::sum, Unit::count,
                    "calls by this path that failed, in POSIX and stdio"});
        visit(Field{"error", &F::error, Rule::sum, Unit::count, "calls is too high by no more than this"});
        visit(Field{"cause", &F::cause, Rule::own, Unit::none,
                    "why the last of them failed, as Linux numbers errors (errno): 2 no such file"});
        visit(Field{"slept", &F::slept, Rule::sum, Unit::duration,
                    "time that threads slept after such a call until they made the next one by this path"});
    }
};

// Whatever is said once for the job: the command, where it ran, which paths were left out, what went wrong.
struct Fact {
    std::string_view name, value;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using F = Fact;
        visit(Field{"name", &F::name, Rule::key, Unit::none, "what it is; several rows may share a name"});
        visit(Field{"value", &F::value, Rule::key, Unit::none, "its value"});
    }
};

// A counter of a library above MPI-IO (HDF5, PnetCDF), of a file or of an object in it, in logs of other
// tools that count there. Where a library has any row about a file and a process, its other counters are 0.
struct LibraryCounter {
    std::string_view library, counter;
    std::uint64_t file = 0, container = 0;
    std::int64_t process = reduced;
    std::int64_t number = 0;
    double seconds = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using C = LibraryCounter;
        visit(Field{"library", &C::library, Rule::key, Unit::none, "H5F, H5D, PNETCDF_FILE, PNETCDF_VAR"});
        visit(Field{"counter", &C::counter, Rule::key, Unit::none, "its name, as the tool calls it"});
        visit(Field{"file", &C::file, Rule::key, Unit::none, "id of the name of the file or object"});
        visit(Field{"container", &C::container, Rule::key, Unit::none,
                    "of an object: id of the name of its file; 0: not known, or no object"});
        visit(Field{"process", &C::process, Rule::key, Unit::rank, "the process, or -1: several"});
        visit(Field{"number", &C::number, Rule::key, Unit::none, "its value, where it is a whole number"});
        visit(Field{"seconds", &C::seconds, Rule::key, Unit::none,
                    "its value, where it is a time or a variance; times count from the job's start"});
    }
};

}  // namespace fathom
