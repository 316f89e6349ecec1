// The tables of the job database, a type each. A column is a member and a row: name, unit, meaning. Tables,
// statements, views and docs/DATABASE.md follow from it (table.h).
//
// Times are nanoseconds; those of the day, of UNIX time. Texts are empty, numbers NULL where they are not
// known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logformat/values.h"

namespace fathom::jobs {

// Units of columns: how docs and people read the number.
enum class Unit : std::uint8_t { none, count, bytes, nanoseconds, unix_nanoseconds, rate, share, flag };
inline constexpr std::array<std::string_view, 8> unit_names = {
    "-", "count", "bytes", "ns", "ns of UNIX time", "MiB/s", "0 to 1", "0 or 1"};

// Views have all columns but paths, by which one may tell what a user works on.
enum class Seen : std::uint8_t { in_view, in_table };

using Number = std::int64_t;
using Known = std::optional<std::int64_t>;  // NULL: not known
using Real = std::optional<double>;

// What a batch system's accounting says of an allocation.
struct Allocation {
    Number id = 0;
    std::string cluster, job, name, user, account, queue, state;
    Number start = 0, end = 0;
    Known nodes, cores;

    static constexpr std::string_view table = "allocations", view = "fathom_allocations",
                                      meaning = "jobs of the batch system, as its accounting has them";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("id", self.id, Unit::none, "key");
        visit("cluster", self.cluster, Unit::none, "system that it ran on");
        visit("job", self.job, Unit::none, "its id in the batch system");
        visit("name", self.name, Unit::none, "name that it was given");
        visit("user_name", self.user, Unit::none, "who submitted it");
        visit("account", self.account, Unit::none, "what it is charged to");
        visit("queue", self.queue, Unit::none, "queue or partition");
        visit("state", self.state, Unit::none, "how it ended, in the batch system's word");
        visit("start_ns", self.start, Unit::unix_nanoseconds, "start");
        visit("end_ns", self.end, Unit::unix_nanoseconds, "end");
        visit("nodes", self.nodes, Unit::count, "nodes");
        visit("cores", self.cores, Unit::count, "cores that it was given");
    }
};

// A step of a job, or a program that ran outside of any; with a log or without.
struct Job {
    Number id = 0;
    Known allocation;
    Number recorded = 0;
    std::string tool, match, process;
    std::string cluster, batch_system, job, step, array_job, array_index, job_name, account, queue;
    std::string user, group, project;
    std::string program;
    Number start = 0, end = 0;
    Known run;
    Known processes, ranks_missing, nodes, cores;
    Number posix = 0, stdio = 0, mpiio = 0, hdf5 = 0, pnetcdf = 0;
    Number bytes = 0, bytes_read = 0, bytes_written = 0;
    Number read_time = 0, write_time = 0, metadata_time = 0;
    Known slowest_time;
    Real rate, rate_by_slowest, rate_per_node, rate_window, io_share;
    Known files, files_read, files_written, files_read_and_written, files_created;
    Number accesses = 0, sequential = 0;
    Known aligned;
    std::string reads_mode, writes_mode;
    Known key_size;
    std::string key_direction;
    Number findings = 0;
    std::string finding;
    Known finding_cost;
    Number problems = 0;

    static constexpr std::string_view table = "jobs", view = "fathom_jobs",
                                      meaning = "a row a job step, with a log or without";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("id", self.id, Unit::none, "key");
        visit("allocation", self.allocation, Unit::none, "key of its row in allocations");
        visit("recorded", self.recorded, Unit::flag, "there is a log of it");
        visit("tool", self.tool, Unit::none, "whose log the numbers are from: fathom, darshan or another");
        visit("match_key", self.match, Unit::none,
              "equal in logs of two tools of one run (user, job or process, program)", Seen::in_table);
        visit("process_key", self.process, Unit::none,
              "the same by the process that did the work (user, process, program); empty: not known",
              Seen::in_table);
        visit("cluster", self.cluster, Unit::none, "system that it ran on");
        visit("batch_system", self.batch_system, Unit::none, "Slurm, LSF, PBS or Flux");
        visit("job", self.job, Unit::none, "id of the job in the batch system");
        visit("step", self.step, Unit::none, "step of the job");
        visit("array_job", self.array_job, Unit::none, "id of the array that the job is one of");
        visit("array_index", self.array_index, Unit::none, "which of the array's jobs it is");
        visit("job_name", self.job_name, Unit::none, "name that the job was given");
        visit("account", self.account, Unit::none, "what the job is charged to");
        visit("queue", self.queue, Unit::none, "queue or partition");
        visit("user_name", self.user, Unit::none, "who ran it; the number where the name is not known");
        visit("group_name", self.group, Unit::none, "the user's group");
        visit("project", self.project, Unit::none, "the account, or what the site's rules say (--projects)");
        visit("program", self.program, Unit::none,
              "file name of the executable that did the work (METHODS 14)");
        visit("start_ns", self.start, Unit::unix_nanoseconds, "start; 0: not known");
        visit("end_ns", self.end, Unit::unix_nanoseconds, "end; 0: not known");
        visit("run_ns", self.run, Unit::nanoseconds, "run time");
        visit("processes", self.processes, Unit::count,
              "MPI ranks; all processes where there are none, and what exec replaced counts once");
        visit("ranks_missing", self.ranks_missing, Unit::count,
              "ranks or tasks of which nothing was recorded");
        visit("nodes", self.nodes, Unit::count, "compute nodes; not known where that of one rank is not");
        visit("cores", self.cores, Unit::count, "cores of the allocation");
        visit("posix", self.posix, Unit::flag, "it used POSIX calls on files itself");
        visit("stdio", self.stdio, Unit::flag, "streams of stdio");
        visit("mpiio", self.mpiio, Unit::flag, "MPI-IO");
        visit("hdf5", self.hdf5, Unit::flag, "HDF5");
        visit("pnetcdf", self.pnetcdf, Unit::flag, "PnetCDF");
        visit("bytes", self.bytes, Unit::bytes,
              "moved, each once, at the lowest layer: what rates are made of");
        visit("bytes_read", self.bytes_read, Unit::bytes, "read, as the program asked for it");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written, as the program asked for it");
        visit("read_ns", self.read_time, Unit::nanoseconds, "time in reads, over all processes");
        visit("write_ns", self.write_time, Unit::nanoseconds, "time in writes and syncs, over all processes");
        visit("metadata_ns", self.metadata_time, Unit::nanoseconds,
              "time in metadata calls, over all processes");
        visit("slowest_ns", self.slowest_time, Unit::nanoseconds,
              "time in I/O of the slowest rank (METHODS 1)");
        visit("rate", self.rate, Unit::rate, "over the time in which some process transferred data");
        visit("rate_by_slowest", self.rate_by_slowest, Unit::rate, "bytes by the slowest rank's time in I/O");
        visit("rate_per_node", self.rate_per_node, Unit::rate, "the same per compute node: MiB/s/CN");
        visit("rate_window", self.rate_window, Unit::rate,
              "over the time in which some process had I/O under way");
        visit("io_share", self.io_share, Unit::share, "time in I/O of all processes, of their run times");
        visit("files", self.files, Unit::count, "distinct regular files");
        visit("files_read", self.files_read, Unit::count, "those of which data was read");
        visit("files_written", self.files_written, Unit::count, "those to which data was written");
        visit("files_read_and_written", self.files_read_and_written, Unit::count,
              "those of which both is true");
        visit("files_created", self.files_created, Unit::count,
              "of those written, the ones that it made or emptied");
        visit("accesses", self.accesses, Unit::count, "reads and writes of POSIX");
        visit("sequential", self.sequential, Unit::count,
              "of those, at an offset no less than the end of the one before");
        visit("aligned", self.aligned, Unit::count, "of those, at a multiple of the file's block size");
        visit("reads_mode", self.reads_mode, Unit::none, "I/O mode of the reads: N-N, N-M, N-1, 1-1");
        visit("writes_mode", self.writes_mode, Unit::none, "I/O mode of the writes");
        visit("key_size", self.key_size, Unit::bytes,
              "commonest size of an access of POSIX and stdio (METHODS 14)");
        visit("key_direction", self.key_direction, Unit::none,
              "r, w or r+w: where accesses of that size class were");
        visit("findings", self.findings, Unit::count, "findings");
        visit("finding", self.finding, Unit::none, "the costliest: its rule");
        visit("finding_cost_ns", self.finding_cost, Unit::nanoseconds, "what it costs of the run time");
        visit("problems", self.problems, Unit::count, "what is damaged or missing in the log");
    }
};

// What is long, and not looked for.
struct Details {
    Number job = 0;
    std::string program_path, command, verdict, finding_title, problem;
    Known bin_length;
    std::string bins;

    static constexpr std::string_view table = "job_details", view = "fathom_job_details",
                                      meaning = "texts and time bins of a job";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("program_path", self.program_path, Unit::none, "path of the program", Seen::in_table);
        visit("command", self.command, Unit::none, "the command with its arguments, at most 1,000 bytes",
              Seen::in_table);
        visit("verdict", self.verdict, Unit::none, "the first sentence of its report", Seen::in_table);
        visit("finding_title", self.finding_title, Unit::none, "the costliest finding, in a sentence",
              Seen::in_table);
        visit("problem", self.problem, Unit::none, "the first thing that is damaged or missing in the log",
              Seen::in_table);
        visit("bin_ns", self.bin_length, Unit::nanoseconds,
              "length of its time bins, which begin at multiples of it");
        visit("bins", self.bins, Unit::none, "its time bins (see above)");
    }
};

// What it ran with and on, by which runs of one program may differ.
struct Environment {
    Number job = 0;
    std::string mpi, kernel, recorder, node_names, storage, striping;
    Number metadata_calls = 0;
    Known core_wait{};
    std::string build{};

    static constexpr std::string_view table = "job_environment", view = "fathom_job_environment",
                                      meaning = "what a job ran with and on";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("mpi", self.mpi, Unit::none, "MPI library, with its version");
        visit("kernel", self.kernel, Unit::none, "release of the kernel of the node that made the log");
        visit("recorder", self.recorder, Unit::none, "what recorded it, with its version");
        visit("node_names", self.node_names, Unit::none,
              "the nodes that it ran on, sorted, commas between; empty: not known, or more than 1,000 bytes");
        visit("storage", self.storage, Unit::none,
              "the mounted file systems with its data, most bytes first: type and server or device",
              Seen::in_table);
        visit("striping", self.striping, Unit::none,
              "how files with data are spread over servers: '4 servers, 1 MiB each'");
        visit("metadata_calls", self.metadata_calls, Unit::count,
              "opens, closes, stats, unlinks, renames and the like, of all processes");
        visit("core_wait_ns", self.core_wait, Unit::nanoseconds,
              "longest time for which the main thread of a rank waited for a core that others had");
        visit("build", self.build, Unit::none,
              "which build of the program ran: its build id, or else its size and when it was changed",
              Seen::in_table);
    }
};

// What the job did in one layer, on files.
struct Layer {
    Number job = 0;
    std::string layer;
    Number files = 0, reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
    Number read_time = 0, write_time = 0, metadata_time = 0, opens = 0, syncs = 0, seeks = 0;
    std::array<Number, SizeHistogram::classes> read_size{}, write_size{};

    static constexpr std::string_view table = "job_layers", view = "fathom_job_layers",
                                      meaning = "what a job did in each layer, on files";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("layer", self.layer, Unit::none, "posix, stdio or mpiio");
        visit("files", self.files, Unit::count, "files with a record in this layer");
        visit("reads", self.reads, Unit::count, "reads");
        visit("writes", self.writes, Unit::count, "writes");
        visit("bytes_read", self.bytes_read, Unit::bytes, "read");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written");
        visit("read_ns", self.read_time, Unit::nanoseconds, "time in reads");
        visit("write_ns", self.write_time, Unit::nanoseconds, "time in writes and syncs");
        visit("metadata_ns", self.metadata_time, Unit::nanoseconds, "time in metadata calls");
        visit("opens", self.opens, Unit::count, "opens");
        visit("syncs", self.syncs, Unit::count, "syncs");
        visit("seeks", self.seeks, Unit::count, "seeks; 0 of MPI-IO");
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
            visit("reads" + std::string(SizeHistogram::names[at]), self.read_size[at], Unit::count,
                  "reads of so many bytes, the upper bound included");
        for (std::size_t at = 0; at < SizeHistogram::classes; ++at)
            visit("writes" + std::string(SizeHistogram::names[at]), self.write_size[at], Unit::count,
                  "writes of so many bytes");
    }
};

// What it did on one mounted file system.
struct OnMount {
    Number job = 0;
    std::string mount, type;
    Number files = 0, bytes_read = 0, bytes_written = 0, read_time = 0, write_time = 0, metadata_time = 0;
    std::string source{};

    static constexpr std::string_view table = "job_mounts", view = "fathom_job_mounts",
                                      meaning = "what a job did on each mounted file system";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("mount", self.mount, Unit::none, "where it is mounted; empty: not known");
        visit("type", self.type, Unit::none, "as the kernel calls it: lustre, nfs4, ext4");
        visit("files", self.files, Unit::count, "regular files used there");
        visit("bytes_read", self.bytes_read, Unit::bytes, "read, as the program asked for it");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written");
        visit("read_ns", self.read_time, Unit::nanoseconds, "time in reads, over all processes");
        visit("write_ns", self.write_time, Unit::nanoseconds, "time in writes and syncs");
        visit("metadata_ns", self.metadata_time, Unit::nanoseconds, "time in metadata calls");
        visit("source", self.source, Unit::none, "device or server and what it exports; empty: not known",
              Seen::in_table);
    }
};

// Files of one I/O mode in one direction (METHODS 2).
struct InMode {
    Number job = 0;
    std::string direction, mode;
    Number files = 0, bytes = 0;

    static constexpr std::string_view table = "job_modes", view = "fathom_job_modes",
                                      meaning = "files and bytes of a job by I/O mode";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("direction", self.direction, Unit::none, "reads or writes");
        visit("mode", self.mode, Unit::none, "N-N, N-M, N-1 or 1-1");
        visit("files", self.files, Unit::count, "files with data in that direction");
        visit("bytes", self.bytes, Unit::bytes, "moved, as the program asked for it");
    }
};

// Files by how many of the job's processes shared them.
struct Shared {
    Number job = 0;
    std::string sharing;
    Number files_read = 0, bytes_read = 0, files_written = 0, bytes_written = 0;

    static constexpr std::string_view table = "job_sharing", view = "fathom_job_sharing",
                                      meaning =
                                          "files and bytes of a job by how many processes shared a file";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("sharing", self.sharing, Unit::none,
              "unique (one process), partly shared (several) or shared (all of them)");
        visit("files_read", self.files_read, Unit::count, "files of which data was read");
        visit("bytes_read", self.bytes_read, Unit::bytes, "read, as the program asked for it");
        visit("files_written", self.files_written, Unit::count, "files to which data was written");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written");
    }
};

// A stretch in which the job moved data (METHODS 8).
struct InPhase {
    Number job = 0, start = 0, length = 0, bytes_read = 0, bytes_written = 0;

    static constexpr std::string_view table = "job_phases", view = "fathom_job_phases",
                                      meaning = "stretches in which a job moved data";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("start_ns", self.start, Unit::nanoseconds, "since the job's start");
        visit("length_ns", self.length, Unit::nanoseconds, "how long it took");
        visit("bytes_read", self.bytes_read, Unit::bytes, "read in it, each byte once");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written in it");
    }
};

struct Found {
    Number job = 0;
    std::string finding, confidence, title;
    Known cost;

    static constexpr std::string_view table = "job_findings", view = "fathom_job_findings",
                                      meaning = "what made a job slow (docs/FINDINGS.md)";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("finding", self.finding, Unit::none, "its rule");
        visit("cost_ns", self.cost, Unit::nanoseconds, "what it costs of the run time");
        visit("confidence", self.confidence, Unit::none, "low, medium or high");
        visit("title", self.title, Unit::none, "what it is, in a sentence", Seen::in_table);
    }
};

// One of the files with most bytes, or with most time where there are no bytes.
struct LargeFile {
    Number job = 0;
    std::string path;
    Number bytes_read = 0, bytes_written = 0, time = 0;

    static constexpr std::string_view table = "job_files", view = "",
                                      meaning = "the files with most bytes of a job, at most three";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("job", self.job, Unit::none, "key of its row in jobs");
        visit("path", self.path, Unit::none, "its path", Seen::in_table);
        visit("bytes_read", self.bytes_read, Unit::bytes, "read, as the program asked for it");
        visit("bytes_written", self.bytes_written, Unit::bytes, "written");
        visit("time_ns", self.time, Unit::nanoseconds, "time in calls on it, over all processes");
    }
};

// A file that was read, or could not be.
struct LogFile {
    std::string path, tool, identity, trouble;
    Number size = 0, changed = 0;
    Known job;

    static constexpr std::string_view table = "logs", view = "",
                                      meaning = "the log files that were added, the broken ones too";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("path", self.path, Unit::none, "its path", Seen::in_table);
        visit("size", self.size, Unit::bytes, "of the file");
        visit("changed_ns", self.changed, Unit::unix_nanoseconds, "when it was written last");
        visit("tool", self.tool, Unit::none, "whose log it is");
        visit("identity", self.identity, Unit::none,
              "equal in copies of one log, whatever they are called or packed with");
        visit("job", self.job, Unit::none, "key of its row in jobs; NULL of a broken log");
        visit("trouble", self.trouble, Unit::none, "why it could not be read; empty: it could",
              Seen::in_table);
    }
};

// What a node reports of a step that runs there. Times of its clock, but `written`.
struct RunningStep {
    std::string key;
    std::string node, user, project, job, step, program;
    Number start = 0, from = 0, until = 0, written = 0;
    Number processes = 0;
    Known nodes;
    struct Done {
        Number bytes_read = 0, bytes_written = 0, reads = 0, writes = 0, metadata_calls = 0;
        Number read_time = 0, write_time = 0, metadata_time = 0;
    };
    Done all, lately;

    static constexpr std::string_view table = "running_jobs", view = "fathom_running_jobs",
                                      meaning =
                                          "jobs that run now, as monitors on their nodes report them "
                                          "(docs/WATCH.md): a row a step and node";
    template <class Self, class Visit>
    static void columns(Self& self, Visit visit)
    {
        visit("row_key", self.key, Unit::none, "node, user, job and step: one row of each");
        visit("node", self.node, Unit::none, "its name");
        visit("user_name", self.user, Unit::none, "whose job it is: who owns what is read there");
        visit("project", self.project, Unit::none, "the account that the job says");
        visit("job", self.job, Unit::none, "id of the job in the batch system");
        visit("step", self.step, Unit::none, "step of the job");
        visit("program", self.program, Unit::none, "file name of the program");
        visit("start_ns", self.start, Unit::unix_nanoseconds, "start, by the node's clock");
        visit("from_ns", self.from, Unit::unix_nanoseconds, "when the last interval began");
        visit("until_ns", self.until, Unit::unix_nanoseconds, "when it ended");
        visit("written_ns", self.written, Unit::unix_nanoseconds,
              "when the row was written, by the database's clock");
        visit("processes", self.processes, Unit::count, "that run there; 0: it has ended there");
        visit("nodes", self.nodes, Unit::count, "nodes of the step or job");
        visit("bytes_read", self.all.bytes_read, Unit::bytes, "read there since the start");
        visit("bytes_written", self.all.bytes_written, Unit::bytes, "written");
        visit("reads", self.all.reads, Unit::count, "reads");
        visit("writes", self.all.writes, Unit::count, "writes");
        visit("metadata_calls", self.all.metadata_calls, Unit::count, "metadata calls");
        visit("read_ns", self.all.read_time, Unit::nanoseconds, "time in reads, of all processes there");
        visit("write_ns", self.all.write_time, Unit::nanoseconds, "time in writes and syncs");
        visit("metadata_ns", self.all.metadata_time, Unit::nanoseconds, "time in metadata calls");
        visit("lately_bytes_read", self.lately.bytes_read, Unit::bytes, "read in the last interval");
        visit("lately_bytes_written", self.lately.bytes_written, Unit::bytes, "written in it");
        visit("lately_reads", self.lately.reads, Unit::count, "reads in it");
        visit("lately_writes", self.lately.writes, Unit::count, "writes in it");
        visit("lately_metadata_calls", self.lately.metadata_calls, Unit::count, "metadata calls in it");
        visit("lately_read_ns", self.lately.read_time, Unit::nanoseconds, "time in reads in it");
        visit("lately_write_ns", self.lately.write_time, Unit::nanoseconds, "time in writes and syncs in it");
        visit("lately_metadata_ns", self.lately.metadata_time, Unit::nanoseconds,
              "time in metadata calls in it");
    }
};

// Calls visit(a row of each table).
template <class Visit>
void each_table(Visit visit)
{
    visit(Allocation());
    visit(Job());
    visit(Details());
    visit(Layer());
    visit(OnMount());
    visit(InMode());
    visit(Shared());
    visit(InPhase());
    visit(Found());
    visit(LargeFile());
    visit(LogFile());
    visit(Environment());
    visit(RunningStep());
}

// Those that are parts of a job: each has its key in `job`.
template <class Visit>
void each_part(Visit visit)
{
    visit(Details());
    visit(Layer());
    visit(OnMount());
    visit(InMode());
    visit(Shared());
    visit(InPhase());
    visit(Found());
    visit(LargeFile());
    visit(Environment());
}

}  // namespace fathom::jobs
