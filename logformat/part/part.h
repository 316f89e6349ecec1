// The memory of one recorded process: a mapping of bounded size that outlives it, and how rows are made of
// it.
//
//   | PartHeader | chunk | chunk | … | unused |
//
// A chunk starts on a multiple of 64 bytes with a ChunkHeader. Everything refers to everything by its offset
// from the start of the part. Written by libinterpose only and read by the same version of Fathom on the same
// node, so plain structs do; the format to keep is the log's.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "logformat/blocks/bytes.h"
#include "logformat/collective_calls.h"
#include "logformat/distinct.h"
#include "logformat/failed_paths.h"
#include "logformat/fortran_statements.h"
#include "logformat/launchers.h"
#include "logformat/part/chunk.h"
#include "logformat/part/timing_chunks.h"
#include "logformat/part/trace_chunks.h"
#include "logformat/rows.h"
#include "logformat/timing_rows.h"
#include "logformat/trace_rows.h"

namespace fathom {

inline constexpr std::uint64_t part_magic = 0x3154524150485446;  // "FTHPART1"

enum class ClockKind : std::uint32_t { monotonic, tsc };

struct PartHeader {
    std::uint64_t magic = part_magic;
    std::uint32_t layout = 0;  // part_layout() of the writer, set when the rest of the header is
    ClockKind clock{};
    std::uint64_t size = 0;             // bytes of the mapping
    std::uint64_t records = 0;          // those that are not for traces alone
    std::atomic<std::uint64_t> used{};  // handed out, from the start of the mapping
    std::uint64_t start_ticks = 0, start_ns = 0, end_ticks = 0;
    std::atomic<std::uint64_t> first_ticks{};  // when the first call began that was counted
    std::uint64_t pid = 0, parent = 0;         // as the process itself is told
    std::int64_t rank = -1;
    std::uint64_t ranks = 0;
    Task task;  // of a launcher
    Ending ending{};
    std::int64_t status = no_status;                   // see Process
    std::uint64_t init_ticks = 0, finalize_ticks = 0;  // when MPI_Init returned, and MPI_Finalize was called
    std::atomic<std::uint64_t> missed{};               // calls that could not be counted
    std::uint32_t program = 0, command = 0, host = 0, build = 0, libraries = 0;  // text chunks
    std::uint32_t log = 0;  // text chunk: where MPI_Finalize wrote what this part held; the part is spent
    std::uint32_t not_gathered = 0;         // text chunk: why it did not
    std::uint32_t identity = 0;             // text chunk: who ran it, in which job (job_identity.h)
    std::atomic<std::uint32_t> threads{};   // first thread chunk
    std::atomic<std::uint32_t> overflow{};  // first name that stands for the files without room on a mount
    std::atomic<std::uint32_t> by_path{};   // the same of files that are named by path alone
    std::atomic<std::uint32_t>
        not_opened{};                        // files that have names and were not opened, folders not counted
    std::atomic<std::uint32_t> deaths{};     // deaths chunk
    std::atomic<std::uint32_t> starts{};     // starts chunk
    std::uint64_t start_monotonic_ns = 0;    // the clock that nobody sets, at start_ticks
    std::atomic<std::uint64_t> untimed{};    // operations that are in no histogram or slice
    std::atomic<std::uint32_t> layouts{};    // layout chunks
    std::atomic<std::uint32_t> hints{};      // newest set of hints
    std::atomic<std::uint32_t> hint_sets{};  // how many there are
    std::atomic<std::uint32_t> failures{};   // threads that have a chunk for the paths of failed calls
    std::atomic<std::uint32_t> slices{};     // newest table of slices
    std::atomic<std::uint32_t> slice_bytes{}, histogram_bytes{};  // handed out for tables, and to threads
    std::uint64_t clock_cost = 0;                                 // ticks between two looks at the clock
    // Of the process when it ended: ns, but for the faults.
    std::uint64_t cpu_time = 0, core_wait = 0, major_faults = 0, minor_faults = 0;
    std::atomic<std::uint32_t> served{};       // first counters of streams that have had a run
    std::uint64_t trace_room = 0;              // bytes that traces may have in this part
    std::atomic<std::uint64_t> trace_bytes{};  // those that they have
    std::atomic<std::uint64_t> untraced{};     // operations for which there was no room left
    // Threads that have a chunk for collective calls, and for statements of Fortran.
    std::atomic<std::uint32_t> collectives{}, statements{};
    std::atomic<std::uint32_t> dataset_bytes{};  // handed out for datasets and variables
    // Histograms of all threads that have no room for their own.
    std::atomic<std::uint32_t> shared_histogram[timing_places * histogram_count]{};
};

// What histograms and time bins are bounded by, in bytes: they shall not grow with the number of files that
// fit.
inline std::uint64_t room_for_times(const PartHeader& part)
{
    constexpr std::uint64_t enough = std::uint64_t{2} << 20, share = 8;
    return std::min(part.records, std::max(enough, part.records / share));
}

struct TextChunk {
    ChunkHeader header;
    std::uint32_t length = 0;
    char text[1];
};

struct NameChunk {
    ChunkHeader header;
    std::uint64_t id = 0;
    std::uint64_t epoch = 0;  // of the part it lies in, see libinterpose/recording/session.h
    NameKind kind{};
    std::uint64_t alignment = 0;  // of offsets: the block size, a power of two; 0: not known
    std::atomic<std::uint32_t> counters[layers]{};  // first counters chunk of each layer
    std::atomic<std::uint32_t> of_libraries{};      // the same of libraries: of a file, or of an object
    std::uint32_t next_mount = 0;                   // of those that stand for several files
    std::atomic<std::uint32_t> sketch{};            // …and which files these are
    std::uint32_t device = 0;            // that the file lies on, as the kernel numbers it; 0: not known
    std::atomic<bool> opened{};          // by this process
    std::atomic<bool> not_opened{};      // …and counts among those in the header
    std::atomic<bool> removed{};         // …by this process: an open that makes files makes it again
    std::atomic<std::uint32_t> hints{};  // the set that is this file's; 0: none known
    // The number of its place among the records that files have while they are open; 0: it is its file's for
    // good (libinterpose/recording/temporary_records.h).
    std::atomic<std::uint32_t> temporary{};
    static constexpr std::uint32_t kept =
        ~std::uint32_t{0};                    // it was one of these, and has become the file's
    std::atomic<std::uint32_t> renamed_to{};  // a hash of the name that it had last; 0: not renamed yet
    std::uint32_t length = 0;
    char path[1];
};

struct SketchChunk {
    ChunkHeader header;
    DistinctCount files;
};

// How a file on Lustre is spread over servers.
struct LayoutChunk {
    static constexpr std::uint32_t most = 512;  // of a part: jobs with more files have few layouts

    ChunkHeader header;
    std::uint32_t name = 0;
    std::uint64_t stripe_size = 0, stripe_count = 0, first_server = 0;
    std::uint16_t pool = 0, servers = 0;  // lengths of these two in `text`, where they stand in this order
    char text[1];
};

// Hints that a program set for a file, and those that the MPI library used: of all files for which they are
// the same.
struct HintsChunk {
    static constexpr std::uint32_t most = 64;    // of a part
    static constexpr std::uint32_t no_room = 1;  // no chunk's place: of a file whose hints did not fit

    ChunkHeader header;
    std::uint32_t next = 0;
    std::uint16_t asked = 0, used = 0;  // lengths of these two in `text`, where they stand in this order
    std::uint32_t left_out = 0;         // hints that did not fit
    char text[1];
};

// The paths that calls of one thread failed on: only that thread writes here.
struct FailuresChunk {
    static constexpr std::uint32_t most = 32;    // of a part
    static constexpr std::uint32_t no_room = 1;  // no chunk's place: of a thread that has none

    ChunkHeader header;
    CommonFailures common;
    std::uint64_t polls = 0, poll_ticks = 0, poll_failed_ticks = 0;  // see Process
};

// Collective MPI-IO calls of one thread: only that thread writes here.
struct CollectivesChunk {
    static constexpr std::uint32_t most = 4;     // of a part
    static constexpr std::uint32_t no_room = 1;  // no chunk's place: of a thread that has none

    ChunkHeader header;
    CollectiveSample sample;
};

// Fortran's statements of one thread: only that thread writes here. Times in ticks.
struct StatementsChunk {
    static constexpr std::uint32_t most = 32;    // of a part
    static constexpr std::uint32_t no_room = 1;  // no chunk's place: of a thread that has none

    ChunkHeader header;
    FortranStatements all;
};

// The counters of one file in one layer as one thread keeps them: only `owner` writes here.
struct CountersChunk {
    ChunkHeader header;
    std::uint32_t name = 0, next = 0;
    std::atomic<std::uint32_t> owner{};           // thread id
    std::uint8_t last_was = 0;                    // 0 neither, 1 a read, 2 a write
    std::uint8_t timed = 0;                       // timings::… flags
    std::uint8_t timing_place = 0;                // of histograms and slices, see kinds.h
    std::uint16_t first_histogram = 0;            // of that place
    std::uint64_t file_bytes = 0;                 // all bits set where the bytes are a file's; 0: a stream's
    std::uint64_t offset_mask = 0;                // the bits that an aligned offset has not
    std::uint64_t read_end = 0, written_end = 0;  // where the last read and the last write ended
};

template <class Counters>
struct CountersOf : CountersChunk {
    Counters counters;
    // Between the last read that did not begin where the one before it had ended, and that end: modulo 2^64,
    // and never 0. The same of writes. Behind all else: only such accesses come here.
    std::uint64_t read_gap = 0, written_gap = 0;
};

// Calls of one thread on one stream that the stream's buffer served, one after the other: they are not timed,
// and counted here until one is that reaches the file.
struct StreamRun {
    static constexpr std::uint64_t most_bytes = 1024;  // of a call

    struct Calls {
        std::uint64_t single = 0;     // that moved one byte
        std::uint64_t sized[2] = {};  // further ones, by class of size
        std::uint64_t bytes = 0;      // that those moved
        std::uint64_t formatted = 0;
        std::uint64_t given_back = 0;  // of all bytes, by ungetc

        std::uint64_t number() const { return single + sized[0] + sized[1]; }
        std::uint64_t moved() const { return single + bytes - given_back; }
    };
    Calls calls;
    std::uint64_t put_back = 0;  // bytes that have been counted, and are left out where they are read again
    std::uint64_t longest = 0;   // text that a call moved, of which that was not known before
    bool writes = false;
    std::uint32_t next = 0;  // in the part's list, from the first run on
    bool listed = false;
    const void* stream = nullptr;  // where the process has them
    void* description = nullptr;

    // While the run is added to the counters: what it had, and what they were. A process may be killed then.
    struct Settling {
        std::atomic<bool> under_way{};
        Calls calls;
        std::uint64_t number = 0, bytes = 0, buffered = 0, small = 0, larger = 0, formatted = 0;
        CommonSizes common_size;
    };
    Settling settling;
};

template <>
struct CountersOf<StdioCounters> : CountersChunk {
    StdioCounters counters;
    std::uint64_t read_gap = 0, written_gap = 0;
    StreamRun run;
};

// Of a file while it is open (libinterpose/recording/temporary_records.h). Their mark becomes adding_mark,
// and then 0, while they are added to others: whoever reads the part in between takes those as they were
// before.
template <class Counters>
struct TemporaryOf : CountersOf<Counters> {
    std::uint32_t added_to = 0;
    Counters before;
};

// What a library above the layers did: of no layer, since its time and bytes are in those already.
template <>
struct CountersOf<DataFileCounters> : CountersChunk {
    DataFileCounters counters;
};
template <>
struct CountersOf<DatasetCounters> : CountersChunk {
    DatasetCounters counters;
};

struct ThreadChunk {
    static constexpr std::uint32_t most_bursts = 40;
    static constexpr std::uint32_t own = 1;  // added to the offset of a histogram that only this thread uses
    struct Stretch {
        std::uint64_t start = 0, end = 0;
        std::uint64_t bytes = 0;  // that files gave or took in it
    };

    ChunkHeader header;
    std::uint32_t next = 0;
    std::atomic<std::uint32_t> tid{};  // taken over when that thread is dead
    std::uint32_t bursts = 0;          // how many of `burst` are in use; the first one may still grow
    std::uint64_t gap = 0;             // in ticks
    Stretch burst[most_bursts];

    std::uint32_t histogram[timing_places * histogram_count]{};
    // The slice under way: what begins and ends within these ticks is added up here.
    std::uint64_t slice_start = 0, slice_end = 0;
    std::uint64_t slice_number = 0;
    std::uint32_t slice_level = 0;
    std::uint64_t slice[timing_places][slice_sums]{};

    std::uint32_t trace = 0, trace_work = 0;
    std::uint32_t failures = 0, collectives = 0, statements = 0;
};

// The children whose end this process learned by wait: what killed a process, only its parent learns.
struct DeathsChunk {
    static constexpr std::uint32_t most = 256;
    static constexpr std::uint32_t most_good = 192;  // exits with 0 leave room for what is worth more
    struct Entry {
        std::atomic<std::uint32_t> pid{};  // set last
        std::int32_t status = 0;           // as wait gives it
        std::uint64_t ticks = 0;
    };

    ChunkHeader header;
    std::atomic<std::uint32_t> used{};  // may be counted on beyond `most`
    Entry entry[most];
};

// The programs that this process, or a child of it without a part of its own, called exec for. A child writes
// here too: the part's memory is shared with it.
struct StartsChunk {
    static constexpr std::uint32_t most = 256;
    static constexpr std::size_t name_bytes = 40;
    struct Entry {
        std::atomic<std::uint32_t> pid{};  // of the process; set last, 0 after an exec that failed
        std::uint64_t ticks = 0;
        char name[name_bytes] = {};  // the end of what exec was given
    };

    ChunkHeader header;
    std::atomic<std::uint32_t> used{};  // may be counted on beyond `most`
    Entry entry[most];
};

// Changes whenever the structs above or the counters change their shape.
std::uint32_t part_layout();

// What a part's clock said when it was what UNIX time, and how fast it goes: turns ticks into nanoseconds.
struct ClockMap {
    std::uint64_t ticks = 0, ns = 0;
    double ns_per_tick = 1;

    std::uint64_t duration(std::uint64_t t) const;
    std::uint64_t instant(std::uint64_t t) const;  // 0 stays 0: never
};

// The clocks as they stand now.
std::uint64_t ticks_now(ClockKind kind);
std::uint64_t unix_ns_now();

// The clock of a part, for the process that has it: its speed since the start, by the clock that nobody sets.
ClockMap own_clock(const PartHeader& header);

// A child's end as its parent learned of it.
struct Death {
    std::uint64_t parent = 0, pid = 0;
    std::int64_t status = 0;  // as wait gives it
    std::uint64_t when = 0;   // ns of UNIX time at which the parent knew
};

// A process that was to become another program.
struct Start {
    std::uint64_t by = 0;  // whose part says so: the process itself, or the one that it was forked from
    std::uint64_t pid = 0;
    std::uint64_t when = 0;  // ns of UNIX time
    std::string_view name;
};

// Everything a part says, as rows of the log's tables; texts point into the part.
struct PartRows {
    Bytes processes, totals, bursts, names, layouts, hints, posix, stdio, mpiio, deaths, starts;
    Bytes data_files, datasets;
    Bytes operations, durations, slices, collectives;
    Bytes failed_paths, failed_sums;  // rows, and the one FailedPathSums that has their texts
    Bytes trace_shapes, trace, trace_places, trace_times;
    Bytes runs;  // code that traces end with, which rows of trace_shapes refer to
    Process* process() { return processes.as<Process>().data(); }
    bool empty()
    {
        return posix.size() + stdio.size() + mpiio.size() + data_files.size() + datasets.size() == 0;
    }
    bool good() const
    {
        return processes.good() && totals.good() && bursts.good() && names.good() && layouts.good() &&
               hints.good() && posix.good() && stdio.good() && mpiio.good() && data_files.good() &&
               datasets.good() && deaths.good() && starts.good() && operations.good() && durations.good() &&
               slices.good() && collectives.good() && trace_shapes.good() && trace.good() &&
               trace_places.good() && trace_times.good() && runs.good() && failed_paths.good() &&
               failed_sums.good();
    }
};

// Where failed paths of this process, or of several, are summed; nullptr when memory ran out. Rows are made
// of the sums once all are there.
FailedPathSums* failed_sums_of(PartRows& rows);
void make_failed_rows(PartRows& rows);

// True if these bytes are a part that this version of Fathom can read.
bool is_part(std::span<const std::byte> part);

// Fills `rows` from a part; they are not good() when memory ran out, and then there may be no process(). The
// part's process may have died at any moment. `number` is its row in the process table.
void read_part(std::span<const std::byte> part, const ClockMap& clock, std::int64_t number, PartRows& rows);

// The text chunk at an offset; empty where there is none.
std::string_view part_text(std::span<const std::byte> part, std::uint32_t at);

}  // namespace fathom
