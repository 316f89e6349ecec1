// The rows that say how long operations took and when: histograms of durations, and slices of time.
#pragma once

#include <cstdint>
#include <string_view>

#include "logformat/field.h"
#include "logformat/kinds.h"

namespace fathom {

// Which operations a histogram is of.
struct OperationClass {
    std::uint64_t layer = 0;
    std::uint64_t streams = 0;
    std::uint64_t kind = 0;
    std::uint64_t size_class = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using C = OperationClass;
        visit(Field{"layer", &C::layer, Rule::key, Unit::none, "0 POSIX, 1 stdio, 2 MPI-IO"});
        visit(Field{"streams", &C::streams, Rule::key, Unit::none,
                    "0 operations on files, 1 on standard streams, devices and FIFOs"});
        visit(Field{
            "kind", &C::kind, Rule::key, Unit::none,
            "0 read, 1 write, 2 open, 3 close, 4 seek, 5 stat, 6 sync, 7 failed read, 8 failed write or "
            "sync, 9 failed call of another kind, 10 any other"});
        visit(Field{"size_class", &C::size_class, Rule::key, Unit::none,
                    "of reads and writes: the class of the size, from 0, in the order of read_size"});
    }
    auto operator<=>(const OperationClass&) const = default;
};

// All operations of one class, by all processes of the job.
struct OperationTimes : OperationClass {
    std::uint64_t operations = 0, time = 0, longest = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using O = OperationTimes;
        OperationClass::fields(visit);
        visit(Field{"operations", &O::operations, Rule::sum, Unit::count, "how many there were"});
        visit(Field{"time", &O::time, Rule::sum, Unit::duration, "how long they took together"});
        visit(Field{"longest", &O::longest, Rule::largest, Unit::duration, "the longest of them"});
    }
};

// One bin of the histogram of their durations (duration_bins.h). Empty bins have no row.
struct DurationBin : OperationClass {
    std::uint64_t at_least = 0, below = 0, operations = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using D = DurationBin;
        OperationClass::fields(visit);
        visit(Field{"at_least", &D::at_least, Rule::key, Unit::duration, "the shortest duration in it"});
        visit(Field{"below", &D::below, Rule::key, Unit::duration, "all in it are shorter than this"});
        visit(Field{"operations", &D::operations, Rule::sum, Unit::count, "how many fell into it"});
    }
};

// What a process did in a stretch of time that the wall clock sets: it begins at a multiple of its length in
// UNIX time, so that slices of all processes, nodes and jobs coincide. The length is 1/16 s or that doubled
// several times, the same for all slices of a process; slices in which nothing happened have no row. An
// operation counts where it began, its bytes and its time are shared out by how much of it lies in each
// slice.
struct Slice {
    std::int64_t process = 0;
    std::uint64_t layer = 0, streams = 0;
    std::uint64_t start = 0, length = 0;
    std::uint64_t reads = 0, writes = 0, metadata = 0, bytes_read = 0, bytes_written = 0;
    std::uint64_t read_time = 0, write_time = 0, metadata_time = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using S = Slice;
        visit(Field{"process", &S::process, Rule::key, Unit::rank, "the process"});
        visit(Field{"layer", &S::layer, Rule::key, Unit::none, "0 POSIX, 1 stdio, 2 MPI-IO"});
        visit(Field{"streams", &S::streams, Rule::key, Unit::none,
                    "0 operations on files, 1 on standard streams, devices and FIFOs"});
        visit(Field{"start", &S::start, Rule::key, Unit::instant, "where it begins: a multiple of length"});
        visit(Field{"length", &S::length, Rule::key, Unit::duration, "how long it is"});
        visit(Field{"reads", &S::reads, Rule::sum, Unit::count, "reads that began in it"});
        visit(Field{"writes", &S::writes, Rule::sum, Unit::count, "writes and syncs that began in it"});
        visit(Field{"metadata", &S::metadata, Rule::sum, Unit::count, "other calls that began in it"});
        visit(Field{"bytes_read", &S::bytes_read, Rule::sum, Unit::bytes, "bytes read in it"});
        visit(Field{"bytes_written", &S::bytes_written, Rule::sum, Unit::bytes, "bytes written in it"});
        visit(Field{"read_time", &S::read_time, Rule::sum, Unit::duration, "time in reads, of all threads"});
        visit(Field{"write_time", &S::write_time, Rule::sum, Unit::duration, "time in writes and syncs"});
        visit(Field{"metadata_time", &S::metadata_time, Rule::sum, Unit::duration, "time in other calls"});
    }
};

inline constexpr std::uint64_t shortest_slice_ns = 62'500'000;

}  // namespace fathom
