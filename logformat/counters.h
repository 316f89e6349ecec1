// The counters of one file in one layer, as a running process keeps them and as the log stores them.
#pragma once

#include <cstdint>

#include "logformat/field.h"
#include "logformat/values.h"

namespace fathom {

enum class Layer : std::uint8_t { posix, stdio, mpiio };
inline constexpr std::size_t layers = 3;
inline constexpr std::string_view layer_names[layers] = {"posix", "stdio", "mpiio"};  // of tables
inline constexpr std::string_view layer_titles[layers] = {"POSIX", "stdio", "MPI-IO"};

// What every layer counts. What a read changes lies together, and what a write changes: in a running process
// each line of these two is a line of the cache.
struct Transfers {
    std::uint64_t reads = 0, bytes_read = 0, read_time = 0, first_read = 0, last_read = 0;
    SlowestCall slowest_read;
    std::uint64_t failed = 0;

    std::uint64_t writes = 0, bytes_written = 0, write_time = 0, first_write = 0, last_write = 0;
    SlowestCall slowest_write;
    std::uint64_t switches = 0;

    SizeHistogram read_size, write_size;
    CommonSizes common_size;
    std::uint64_t opens = 0, closes = 0, syncs = 0, metadata_time = 0, sync_time = 0;
    std::uint64_t first_open = 0, last_open = 0, first_close = 0, last_close = 0;
    std::uint64_t held_time = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using T = Transfers;
        visit(Field{"opens", &T::opens, Rule::sum, Unit::count,
                    "calls that opened the file; fdopen opens none"});
        visit(Field{"closes", &T::closes, Rule::sum, Unit::count, "calls that closed it"});
        visit(Field{"reads", &T::reads, Rule::sum, Unit::count,
                    "read calls of every kind, those at the end of the file too"});
        visit(Field{"writes", &T::writes, Rule::sum, Unit::count, "write calls of every kind"});
        visit(
            Field{"failed", &T::failed, Rule::sum, Unit::count, "calls of any kind that returned an error"});
        visit(Field{"bytes_read", &T::bytes_read, Rule::sum, Unit::bytes,
                    "bytes that reads returned (MPI-IO: asked for)"});
        visit(Field{"bytes_written", &T::bytes_written, Rule::sum, Unit::bytes,
                    "bytes that writes took (MPI-IO: were given)"});
        visit(Field{"read_time", &T::read_time, Rule::sum, Unit::duration, "time in reads"});
        visit(Field{"write_time", &T::write_time, Rule::sum, Unit::duration, "time in writes and in syncs"});
        visit(Field{"metadata_time", &T::metadata_time, Rule::sum, Unit::duration,
                    "time in all other calls: open, close, seek, stat and so on"});
        visit(Field{"sync_time", &T::sync_time, Rule::sum, Unit::duration,
                    "the part of write_time spent in syncs"});
        visit(Field{"switches", &T::switches, Rule::sum, Unit::count,
                    "changes from reading to writing or back"});
        visit(Field{"syncs", &T::syncs, Rule::sum, Unit::count,
                    "fsync, fdatasync, sync_file_range; fflush; MPI_File_sync"});
        visit(Field{"first_open", &T::first_open, Rule::earliest, Unit::instant, "start of the first open"});
        visit(Field{"last_open", &T::last_open, Rule::largest, Unit::instant, "end of the last open"});
        visit(Field{"first_read", &T::first_read, Rule::earliest, Unit::instant, "start of the first read"});
        visit(Field{"last_read", &T::last_read, Rule::largest, Unit::instant, "end of the last read"});
        visit(Field{"first_write", &T::first_write, Rule::earliest, Unit::instant,
                    "start of the first write or sync"});
        visit(Field{"last_write", &T::last_write, Rule::largest, Unit::instant,
                    "end of the last write or sync"});
        visit(
            Field{"first_close", &T::first_close, Rule::earliest, Unit::instant, "start of the first close"});
        visit(Field{"last_close", &T::last_close, Rule::largest, Unit::instant, "end of the last close"});
        visit(
            Field{"held_time", &T::held_time, Rule::sum, Unit::duration,
                  "time from the last open to the close that follows it, calls in between included: how long "
                  "the file was kept open, where it was open once at a time"});
        visit(Field{"slowest_read", &T::slowest_read, Rule::own, Unit::none, "the read that took longest"});
        visit(
            Field{"slowest_write", &T::slowest_write, Rule::own, Unit::none, "the write that took longest"});
        visit(Field{"read_size", &T::read_size, Rule::own, Unit::count,
                    "reads by size, upper bounds included"});
        visit(Field{"write_size", &T::write_size, Rule::own, Unit::count,
                    "writes by size, upper bounds included"});
        visit(Field{"common_size", &T::common_size, Rule::own, Unit::none,
                    "the commonest sizes of reads and writes; a count is at most its error too high"});
    }
};

// Where the accesses fell: layers that know offsets.
struct Pattern {
    std::uint64_t seeks = 0;
    std::uint64_t sequential_reads = 0, consecutive_reads = 0, highest_read = 0;
    std::uint64_t sequential_writes = 0, consecutive_writes = 0, highest_written = 0;
    std::uint64_t strided_reads = 0, strided_writes = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using P = Pattern;
        visit(Field{"sequential_reads", &P::sequential_reads, Rule::sum, Unit::count,
                    "reads at an offset greater than the end of the last one"});
        visit(Field{"sequential_writes", &P::sequential_writes, Rule::sum, Unit::count,
                    "writes at an offset greater than the end of the last one"});
        visit(Field{"consecutive_reads", &P::consecutive_reads, Rule::sum, Unit::count,
                    "reads that began where the last one ended"});
        visit(Field{"consecutive_writes", &P::consecutive_writes, Rule::sum, Unit::count,
                    "writes that began where the last one ended"});
        visit(Field{"strided_reads", &P::strided_reads, Rule::sum, Unit::count,
                    "reads that left as wide a gap, forwards or back, as the last one that left any"});
        visit(Field{"strided_writes", &P::strided_writes, Rule::sum, Unit::count, "writes that did so"});
        visit(Field{"highest_read", &P::highest_read, Rule::largest, Unit::bytes,
                    "offset just after the highest byte read"});
        visit(Field{"highest_written", &P::highest_written, Rule::largest, Unit::bytes,
                    "offset just after the highest byte written"});
        visit(Field{"seeks", &P::seeks, Rule::sum, Unit::count, "seek calls"});
    }
};

// What the data look like, by a sample: a call's data are looked at where it is the first of its
// direction, or there were twice as many since the last look.
struct Content {
    std::uint64_t looks = 0, text_looks = 0, number_looks = 0, best_gzip = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using C = Content;
        visit(Field{"looks", &C::looks, Rule::sum, Unit::count,
                    "reads and writes of which 64 bytes, at most, were looked at"});
        visit(Field{
            "text_looks", &C::text_looks, Rule::sum, Unit::count,
            "of those, the ones that were text: printable characters of ASCII, tabs and ends of lines"});
        visit(Field{"number_looks", &C::number_looks, Rule::sum, Unit::count,
                    "of those, the ones of which two in three characters that are no blanks were of numbers: "
                    "digits, signs, points"});
        visit(Field{"best_gzip", &C::best_gzip, Rule::sum, Unit::count,
                    "1 where the first of those began with a header of gzip that says level 9"});
    }
};

struct PosixCounters : Transfers, Pattern, Content {
    std::uint64_t file_unaligned = 0, memory_unaligned = 0, file_alignment = 0;
    std::uint64_t creates = 0, stats = 0, dups = 0, truncates = 0, unlinks = 0, renames = 0,
                  renames_elsewhere = 0, links = 0, attributes = 0;
    std::uint64_t directory_changes = 0, directory_reads = 0, advices = 0, random_advices = 0, locks = 0,
                  lock_time = 0;
    std::uint64_t async_reads = 0, async_writes = 0, async_time = 0, async_unseen = 0;
    std::uint64_t maps = 0, mapped_bytes = 0, map_bytes_read = 0, map_bytes_written = 0;
    std::uint64_t synced_writes = 0, synced_write_time = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using P = PosixCounters;
        Transfers::fields(visit);
        Pattern::fields(visit);
        Content::fields(visit);
        visit(
            Field{"creates", &P::creates, Rule::sum, Unit::count, "opens that made the file, or emptied it"});
        visit(Field{"stats", &P::stats, Rule::sum, Unit::count, "stat and access calls of every kind"});
        visit(Field{"dups", &P::dups, Rule::sum, Unit::count, "dup, dup2, dup3, fcntl(F_DUPFD)"});
        visit(Field{"truncates", &P::truncates, Rule::sum, Unit::count,
                    "truncate, ftruncate, fallocate, posix_fallocate"});
        visit(Field{"unlinks", &P::unlinks, Rule::sum, Unit::count, "unlink, remove"});
        visit(Field{"renames", &P::renames, Rule::sum, Unit::count, "renames of this file to another name"});
        visit(Field{"renames_elsewhere", &P::renames_elsewhere, Rule::sum, Unit::count,
                    "renames by a process to another name than its last one, from the second on"});
        visit(Field{"links", &P::links, Rule::sum, Unit::count, "link, symlink, readlink"});
        visit(Field{"attributes", &P::attributes, Rule::sum, Unit::count,
                    "calls on its mode, owner, times or extended attributes: chmod, chown, utime, xattr"});
        visit(Field{"directory_changes", &P::directory_changes, Rule::sum, Unit::count, "mkdir, rmdir"});
        visit(Field{"directory_reads", &P::directory_reads, Rule::sum, Unit::count, "readdir, scandir"});
        visit(Field{"advices", &P::advices, Rule::sum, Unit::count,
                    "posix_fadvise, readahead, madvise of a mapping of the file"});
        visit(Field{"random_advices", &P::random_advices, Rule::sum, Unit::count,
                    "those that say that reads will be at random places, so that the kernel reads nothing "
                    "ahead: posix_fadvise(POSIX_FADV_RANDOM), madvise(MADV_RANDOM)"});
        visit(
            Field{"locks", &P::locks, Rule::sum, Unit::count, "flock, lockf, fcntl on locks; unlocking too"});
        visit(Field{"lock_time", &P::lock_time, Rule::sum, Unit::duration,
                    "the part of metadata_time spent in those"});
        visit(Field{"async_reads", &P::async_reads, Rule::sum, Unit::count,
                    "reads that the program did not wait for in the call that began them: POSIX AIO, libaio, "
                    "io_uring"});
        visit(Field{"async_writes", &P::async_writes, Rule::sum, Unit::count, "writes of those kinds"});
        visit(Field{"async_time", &P::async_time, Rule::sum, Unit::duration,
                    "time from the beginning of each of those to when the program learned of its end; in "
                    "read_time and write_time is what the program spent in calls for them"});
        visit(Field{"async_unseen", &P::async_unseen, Rule::sum, Unit::count,
                    "of those, the ones of io_uring that no call reported: their number is exact, kinds, "
                    "sizes and files are taken from the last ones in the ring, their time is not known"});
        visit(Field{"maps", &P::maps, Rule::sum, Unit::count, "mmap calls on the file"});
        visit(
            Field{"mapped_bytes", &P::mapped_bytes, Rule::sum, Unit::bytes, "bytes of it that they mapped"});
        visit(Field{"map_bytes_read", &P::map_bytes_read, Rule::sum, Unit::bytes,
                    "estimate: bytes of pages that were touched through mappings that write nothing to the "
                    "file"});
        visit(Field{"map_bytes_written", &P::map_bytes_written, Rule::sum, Unit::bytes,
                    "estimate: bytes of pages that were written, or only read, through shared mappings "
                    "that may be written to"});
        visit(
            Field{"synced_writes", &P::synced_writes, Rule::sum, Unit::count,
                  "writes that returned once the device had the data: O_SYNC, O_DSYNC, RWF_SYNC, RWF_DSYNC"});
        visit(Field{"synced_write_time", &P::synced_write_time, Rule::sum, Unit::duration,
                    "the part of write_time spent in those"});
        visit(Field{"file_unaligned", &P::file_unaligned, Rule::sum, Unit::count,
                    "reads and writes at an offset that is no multiple of file_alignment"});
        visit(Field{"memory_unaligned", &P::memory_unaligned, Rule::sum, Unit::count,
                    "reads and writes whose memory is no multiple of 8 bytes"});
        visit(Field{"file_alignment", &P::file_alignment, Rule::largest, Unit::bytes,
                    "block size of the file"});
    }
};

struct StdioCounters : Transfers, Pattern, Content {
    std::uint64_t creates = 0, formatted = 0, format_time = 0, buffered_reads = 0, buffered_writes = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        Transfers::fields(visit);
        Pattern::fields(visit);
        Content::fields(visit);
        using S = StdioCounters;
        visit(
            Field{"creates", &S::creates, Rule::sum, Unit::count, "opens that made the file, or emptied it"});
        visit(Field{
            "formatted", &S::formatted, Rule::sum, Unit::count,
            "reads and writes that make text from values or back, in the stream's buffer: printf, scanf and "
            "the like; not where each call reaches the file"});
        visit(Field{"format_time", &S::format_time, Rule::sum, Unit::duration,
                    "the part of read_time and write_time spent in those"});
        visit(Field{"buffered_reads", &S::buffered_reads, Rule::sum, Unit::count,
                    "small reads that the stream's buffer served, which are not timed"});
        visit(Field{"buffered_writes", &S::buffered_writes, Rule::sum, Unit::count,
                    "small writes that it took"});
    }
};

struct MpiioCounters : Transfers {
    std::uint64_t collective_opens = 0, collective_reads = 0, collective_writes = 0;
    std::uint64_t nonblocking_reads = 0, nonblocking_writes = 0, nonblocking_time = 0, split_reads = 0,
                  split_writes = 0, shared_pointer = 0, views = 0;
    std::uint64_t seeks = 0, truncates = 0, unlinks = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using M = MpiioCounters;
        Transfers::fields(visit);
        visit(Field{"collective_opens", &M::collective_opens, Rule::sum, Unit::count,
                    "opens by more than one rank"});
        visit(Field{"collective_reads", &M::collective_reads, Rule::sum, Unit::count,
                    "reads by all ranks together, blocking"});
        visit(Field{"collective_writes", &M::collective_writes, Rule::sum, Unit::count,
                    "writes by all ranks together, blocking"});
        visit(Field{"nonblocking_reads", &M::nonblocking_reads, Rule::sum, Unit::count,
                    "reads that return before they are done (MPI_File_iread…)"});
        visit(Field{"nonblocking_writes", &M::nonblocking_writes, Rule::sum, Unit::count,
                    "writes that return before they are done (MPI_File_iwrite…)"});
        visit(Field{"nonblocking_time", &M::nonblocking_time, Rule::sum, Unit::duration,
                    "time from the beginning of each of those to when the program learned of its end; "
                    "in read_time and write_time is what the program spent in calls for them"});
        visit(Field{"split_reads", &M::split_reads, Rule::sum, Unit::count,
                    "collective reads of the …_begin form"});
        visit(Field{"split_writes", &M::split_writes, Rule::sum, Unit::count,
                    "collective writes of the …_begin form"});
        visit(Field{"shared_pointer", &M::shared_pointer, Rule::sum, Unit::count,
                    "reads and writes where the pointer is that all ranks share, blocking "
                    "(MPI_File_read_shared, MPI_File_write_ordered and their like)"});
        visit(Field{"views", &M::views, Rule::sum, Unit::count, "MPI_File_set_view calls"});
        visit(Field{"seeks", &M::seeks, Rule::sum, Unit::count, "MPI_File_seek, MPI_File_seek_shared"});
        visit(Field{"truncates", &M::truncates, Rule::sum, Unit::count,
                    "MPI_File_set_size, MPI_File_preallocate"});
        visit(Field{"unlinks", &M::unlinks, Rule::sum, Unit::count, "MPI_File_delete"});
    }
};

}  // namespace fathom
