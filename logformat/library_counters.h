// The counters of libraries above MPI-IO and POSIX (HDF5, PnetCDF, netCDF): of a file, and of a dataset or
// variable in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "logformat/field.h"
#include "logformat/values.h"

namespace fathom {

// Which library it was. Of two the larger stays, though no file is of both.
enum class DataLibrary : std::uint64_t { unknown, hdf5, pnetcdf, netcdf };

// How a dataset lies in its file: HDF5's H5D_layout_t + 1, then what variables of the classic formats are.
enum class DataLayout : std::uint64_t {
    unknown,
    compact,
    contiguous,
    chunked,
    virtual_dataset,
    fixed_variable,
    record_variable,
};

// What HDF5 reaches a file through.
enum class FileDriver : std::uint64_t { unknown, posix, stdio, memory, family, multi, mpiio, direct, other };

// The extents of up to `most` dimensions, the slowest first; of more, those that vary fastest.
struct Extents {
    static constexpr std::size_t most = 6;
    std::uint64_t rank = 0;  // of all dimensions
    std::array<std::uint64_t, most> extent{};

    constexpr void merge(const Extents& other)
    {
        if (other.rank != rank) {
            if (other.rank > rank) *this = other;
            return;
        }
        for (std::size_t at = 0; at < most; ++at) extent[at] = std::max(extent[at], other.extent[at]);
    }
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        constexpr std::string_view names[most] = {"_1", "_2", "_3", "_4", "_5", "_6"};
        visit("_rank", self.rank, Unit::count);
        for (std::size_t at = 0; at < most; ++at) visit(names[at], self.extent[at], Unit::count);
    }
};

// The shape of most selections, where most have one: by majority vote (Boyer, Moore 1991). `lead` is by how
// many calls it is ahead, at least, of all others together.
struct CommonShape {
    std::uint64_t lead = 0;
    Extents shape;

    constexpr void count(const Extents& one)
    {
        if (lead == 0) shape = one;
        const bool same = shape.rank == one.rank && shape.extent == one.extent;
        lead = same ? lead + 1 : lead - 1;
    }
    constexpr void merge(const CommonShape& other)
    {
        const bool same = shape.rank == other.shape.rank && shape.extent == other.shape.extent;
        if (same) {
            lead += other.lead;
        } else if (other.lead > lead) {
            *this = {other.lead - lead, other.shape};
        } else {
            lead -= other.lead;
        }
    }
    template <class Self, class Visit>
    static constexpr void parts(Self& self, Visit visit)
    {
        visit("_lead", self.lead, Unit::count);
        Extents::parts(self.shape, visit);
    }
};

// What the calls of a library did in the layers beneath it while they were under way, in the same thread and
// on the same file.
struct Beneath {
    std::uint64_t mpiio_reads = 0, mpiio_writes = 0, mpiio_collective_reads = 0, mpiio_collective_writes = 0;
    std::uint64_t mpiio_bytes_read = 0, mpiio_bytes_written = 0, mpiio_time = 0;
    std::uint64_t posix_reads = 0, posix_writes = 0, posix_bytes_read = 0, posix_bytes_written = 0;
    std::uint64_t posix_time = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using B = Beneath;
        visit(Field{"mpiio_reads", &B::mpiio_reads, Rule::sum, Unit::count,
                    "MPI-IO reads of the file that happened inside of these calls"});
        visit(
            Field{"mpiio_writes", &B::mpiio_writes, Rule::sum, Unit::count, "MPI-IO writes inside of them"});
        visit(Field{"mpiio_collective_reads", &B::mpiio_collective_reads, Rule::sum, Unit::count,
                    "those of mpiio_reads that were collective"});
        visit(Field{"mpiio_collective_writes", &B::mpiio_collective_writes, Rule::sum, Unit::count,
                    "those of mpiio_writes that were collective"});
        visit(Field{"mpiio_bytes_read", &B::mpiio_bytes_read, Rule::sum, Unit::bytes,
                    "bytes that the MPI-IO reads asked for"});
        visit(Field{"mpiio_bytes_written", &B::mpiio_bytes_written, Rule::sum, Unit::bytes,
                    "bytes that the MPI-IO writes were given"});
        visit(Field{"mpiio_time", &B::mpiio_time, Rule::sum, Unit::duration,
                    "time in MPI-IO calls of every kind inside of these calls"});
        visit(Field{"posix_reads", &B::posix_reads, Rule::sum, Unit::count,
                    "POSIX reads of the file inside of these calls, those of MPI-IO too; an aggregator's are "
                    "for other ranks as well"});
        visit(Field{"posix_writes", &B::posix_writes, Rule::sum, Unit::count, "POSIX writes inside of them"});
        visit(Field{"posix_bytes_read", &B::posix_bytes_read, Rule::sum, Unit::bytes,
                    "bytes that the POSIX reads returned"});
        visit(Field{"posix_bytes_written", &B::posix_bytes_written, Rule::sum, Unit::bytes,
                    "bytes that the POSIX writes took"});
        visit(Field{"posix_time", &B::posix_time, Rule::sum, Unit::duration,
                    "time in POSIX calls of every kind inside of these calls, those of MPI-IO too"});
    }
};

// Calls on a file of a library, but for those on its datasets or variables.
struct DataFileCounters : Beneath {
    std::uint64_t library = 0, version = 0;
    std::uint64_t opens = 0, creates = 0, collective_opens = 0, closes = 0, flushes = 0, redefinitions = 0,
                  waits = 0;
    std::uint64_t groups = 0, attribute_opens = 0, attribute_creates = 0, attribute_reads = 0,
                  attribute_writes = 0;
    std::uint64_t failed = 0;
    std::uint64_t metadata_time = 0, open_time = 0, close_time = 0, flush_time = 0, wait_time = 0,
                  attribute_time = 0, beneath_time = 0;
    std::uint64_t first_open = 0, last_open = 0, first_close = 0, last_close = 0;
    std::uint64_t driver = 0, alignment = 0, alignment_from = 0, cache_bytes = 0, cache_slots = 0;
    std::uint64_t metadata_block = 0, sieve_bytes = 0, collective_metadata = 0, oldest_format = 0,
                  newest_format = 0;
    std::uint64_t header_bytes = 0, header_room = 0;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using F = DataFileCounters;
        visit(Field{"library", &F::library, Rule::largest, Unit::none, "1 HDF5, 2 PnetCDF"});
        visit(Field{"version", &F::version, Rule::largest, Unit::none,
                    "of the library: 1.10.8 is 1010008 (a million, a thousand and one for each)"});
        visit(Field{"opens", &F::opens, Rule::sum, Unit::count,
                    "opens of the file that exists: H5Fopen, H5Freopen, ncmpi_open"});
        visit(Field{"creates", &F::creates, Rule::sum, Unit::count, "H5Fcreate, ncmpi_create"});
        visit(Field{"collective_opens", &F::collective_opens, Rule::sum, Unit::count,
                    "opens and creates through MPI-IO"});
        visit(Field{"closes", &F::closes, Rule::sum, Unit::count,
                    "calls that closed it; what the library closes by itself at its end is none"});
        visit(Field{"flushes", &F::flushes, Rule::sum, Unit::count, "H5Fflush, ncmpi_sync, ncmpi_flush"});
        visit(Field{"redefinitions", &F::redefinitions, Rule::sum, Unit::count,
                    "PnetCDF: changes from data mode to define mode (ncmpi_redef)"});
        visit(Field{"waits", &F::waits, Rule::sum, Unit::count, "PnetCDF: ncmpi_wait, ncmpi_wait_all"});
        visit(
            Field{"groups", &F::groups, Rule::sum, Unit::count, "HDF5: groups that were opened or created"});
        visit(Field{"attribute_opens", &F::attribute_opens, Rule::sum, Unit::count,
                    "attributes that were opened (HDF5)"});
        visit(Field{"attribute_creates", &F::attribute_creates, Rule::sum, Unit::count,
                    "attributes that were created (HDF5)"});
        visit(Field{"attribute_reads", &F::attribute_reads, Rule::sum, Unit::count,
                    "reads of attributes: H5Aread, ncmpi_get_att…"});
        visit(Field{"attribute_writes", &F::attribute_writes, Rule::sum, Unit::count,
                    "writes of attributes: H5Awrite, ncmpi_put_att…"});
        visit(Field{"failed", &F::failed, Rule::sum, Unit::count,
                    "calls on the file itself that returned an error"});
        visit(Field{"metadata_time", &F::metadata_time, Rule::sum, Unit::duration,
                    "time in all these calls on the file itself, which are not on a dataset or variable"});
        visit(Field{"open_time", &F::open_time, Rule::sum, Unit::duration,
                    "the part of metadata_time in opens and creates of the file"});
        visit(Field{"close_time", &F::close_time, Rule::sum, Unit::duration,
                    "the part in closes, which may write what caches still had of datasets"});
        visit(Field{"flush_time", &F::flush_time, Rule::sum, Unit::duration, "the part in flushes"});
        visit(Field{"wait_time", &F::wait_time, Rule::sum, Unit::duration,
                    "the part in waits, which move what nonblocking calls asked for"});
        visit(Field{"attribute_time", &F::attribute_time, Rule::sum, Unit::duration,
                    "the part in calls on attributes"});
        visit(Field{"beneath_time", &F::beneath_time, Rule::sum, Unit::duration,
                    "the part in MPI-IO, or in POSIX where that is not beneath MPI-IO"});
        visit(Field{"first_open", &F::first_open, Rule::earliest, Unit::instant, "start of the first open"});
        visit(Field{"last_open", &F::last_open, Rule::largest, Unit::instant, "end of the last open"});
        visit(
            Field{"first_close", &F::first_close, Rule::earliest, Unit::instant, "start of the first close"});
        visit(Field{"last_close", &F::last_close, Rule::largest, Unit::instant, "end of the last close"});
        visit(Field{"driver", &F::driver, Rule::largest, Unit::none,
                    "HDF5 reaches the file through 1 POSIX, 2 stdio, 3 memory (core), 4 family, 5 multi or "
                    "split, 6 MPI-IO, 7 direct, 8 another; 0 not known"});
        visit(Field{"alignment", &F::alignment, Rule::largest, Unit::bytes,
                    "HDF5 puts objects at multiples of this (H5Pset_alignment)"});
        visit(Field{"alignment_from", &F::alignment_from, Rule::largest, Unit::bytes,
                    "…those of at least this size"});
        visit(Field{"cache_bytes", &F::cache_bytes, Rule::largest, Unit::bytes,
                    "HDF5's chunk cache, of each dataset that has none of its own"});
        visit(Field{"cache_slots", &F::cache_slots, Rule::largest, Unit::count, "its slots"});
        visit(Field{"metadata_block", &F::metadata_block, Rule::largest, Unit::bytes,
                    "HDF5 allocates room for metadata in blocks of this size"});
        visit(Field{"sieve_bytes", &F::sieve_bytes, Rule::largest, Unit::bytes,
                    "HDF5's buffer for small accesses to contiguous datasets"});
        visit(Field{"collective_metadata", &F::collective_metadata, Rule::largest, Unit::none,
                    "HDF5 with MPI-IO: 1 metadata are read collectively, 2 written so, 3 both"});
        visit(Field{"oldest_format", &F::oldest_format, Rule::largest, Unit::none,
                    "the lower of H5Pset_libver_bounds: 0 earliest, 1 v18, 2 v110 …"});
        visit(Field{"newest_format", &F::newest_format, Rule::largest, Unit::none, "the upper of them"});
        visit(Field{"header_bytes", &F::header_bytes, Rule::largest, Unit::bytes,
                    "PnetCDF: what is in the file's header"});
        visit(Field{"header_room", &F::header_room, Rule::largest, Unit::bytes,
                    "PnetCDF: what the header may grow to before variables must move"});
        Beneath::fields(visit);
    }
};

// A dataset of HDF5, or a variable of PnetCDF or netCDF.
struct DatasetCounters : Beneath {
    std::uint64_t container = 0, library = 0;
    std::uint64_t opens = 0, creates = 0, closes = 0, reads = 0, writes = 0, flushes = 0, extensions = 0,
                  failed = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    std::uint64_t read_time = 0, write_time = 0, metadata_time = 0, flush_time = 0;
    std::uint64_t read_time_beneath = 0, write_time_beneath = 0, metadata_time_beneath = 0;
    std::uint64_t collective_reads = 0, collective_writes = 0, nonblocking_reads = 0, nonblocking_writes = 0,
                  chunk_reads = 0, chunk_writes = 0;
    std::uint64_t whole = 0, points = 0, regular = 0, irregular = 0, nothing = 0, unknown_selections = 0;
    std::uint64_t switches = 0;
    std::uint64_t first_open = 0, last_open = 0, first_read = 0, last_read = 0, first_write = 0,
                  last_write = 0, first_close = 0, last_close = 0;
    SlowestCall slowest_read, slowest_write;
    SizeHistogram read_size, write_size;
    CommonSizes common_size;
    CommonShape read_shape, write_shape;
    std::uint64_t element_bytes = 0, layout = 0, filters = 0, other_filter = 0, deflate_level = 0,
                  cache_bytes = 0, cache_slots = 0;
    Extents dimensions, chunk;

    template <class Visit>
    static constexpr void fields(Visit& visit)
    {
        using D = DatasetCounters;
        visit(Field{"container", &D::container, Rule::largest, Unit::none, "id of the name of its file"});
        visit(Field{"library", &D::library, Rule::largest, Unit::none,
                    "1 HDF5, 2 PnetCDF, 3 netCDF, of files of the classic formats"});
        visit(Field{"opens", &D::opens, Rule::sum, Unit::count, "calls that opened it; of variables none"});
        visit(Field{"creates", &D::creates, Rule::sum, Unit::count, "calls that created it"});
        visit(Field{"closes", &D::closes, Rule::sum, Unit::count, "calls that closed it"});
        visit(Field{"reads", &D::reads, Rule::sum, Unit::count,
                    "read calls: H5Dread and its kin; PnetCDF: those that return when they are done, and "
                    "those that only ask"});
        visit(Field{"writes", &D::writes, Rule::sum, Unit::count, "write calls"});
        visit(Field{"flushes", &D::flushes, Rule::sum, Unit::count, "H5Dflush"});
        visit(Field{"extensions", &D::extensions, Rule::sum, Unit::count,
                    "changes of its dimensions: H5Dset_extent"});
        visit(Field{"failed", &D::failed, Rule::sum, Unit::count, "calls on it that returned an error"});
        visit(Field{"bytes_read", &D::bytes_read, Rule::sum, Unit::bytes,
                    "elements that reads selected, times element_bytes; of texts of variable length what "
                    "refers to them"});
        visit(Field{"bytes_written", &D::bytes_written, Rule::sum, Unit::bytes,
                    "elements that writes selected, times element_bytes"});
        visit(Field{"read_time", &D::read_time, Rule::sum, Unit::duration,
                    "time in reads; of brief ones that memory serves, by every 32nd"});
        visit(Field{"write_time", &D::write_time, Rule::sum, Unit::duration,
                    "time in writes and flushes; of brief writes that memory takes, by every 32nd"});
        visit(Field{"metadata_time", &D::metadata_time, Rule::sum, Unit::duration,
                    "time in opens, creates, closes and changes of its dimensions; a close may write what "
                    "the chunk cache still had"});
        visit(Field{"flush_time", &D::flush_time, Rule::sum, Unit::duration,
                    "the part of write_time in flushes"});
        visit(Field{"read_time_beneath", &D::read_time_beneath, Rule::sum, Unit::duration,
                    "the part of read_time in MPI-IO, or in POSIX where that is not beneath MPI-IO; the rest "
                    "is the library's own"});
        visit(Field{"write_time_beneath", &D::write_time_beneath, Rule::sum, Unit::duration,
                    "the same part of write_time"});
        visit(Field{"metadata_time_beneath", &D::metadata_time_beneath, Rule::sum, Unit::duration,
                    "the same part of metadata_time"});
        visit(Field{"collective_reads", &D::collective_reads, Rule::sum, Unit::count,
                    "reads that all ranks were to make together"});
        visit(Field{"collective_writes", &D::collective_writes, Rule::sum, Unit::count,
                    "writes that all ranks were to make together"});
        visit(
            Field{"nonblocking_reads", &D::nonblocking_reads, Rule::sum, Unit::count,
                  "PnetCDF: reads that only ask (ncmpi_iget…); a wait makes them, in the time of the file"});
        visit(Field{"nonblocking_writes", &D::nonblocking_writes, Rule::sum, Unit::count,
                    "PnetCDF: writes that only ask (ncmpi_iput…, ncmpi_bput…)"});
        visit(Field{"chunk_reads", &D::chunk_reads, Rule::sum, Unit::count,
                    "reads of a whole chunk as it is stored (H5Dread_chunk)"});
        visit(Field{"chunk_writes", &D::chunk_writes, Rule::sum, Unit::count,
                    "writes of a whole chunk as it is stored (H5Dwrite_chunk)"});
        visit(Field{"whole", &D::whole, Rule::sum, Unit::count, "reads and writes of all its elements"});
        visit(Field{"points", &D::points, Rule::sum, Unit::count, "reads and writes of single points"});
        visit(Field{"regular", &D::regular, Rule::sum, Unit::count,
                    "reads and writes of a regular hyperslab: start, stride, count and block"});
        visit(Field{"irregular", &D::irregular, Rule::sum, Unit::count,
                    "reads and writes of a hyperslab that is none"});
        visit(Field{"nothing", &D::nothing, Rule::sum, Unit::count, "reads and writes of no element"});
        visit(Field{"unknown_selections", &D::unknown_selections, Rule::sum, Unit::count,
                    "reads and writes of which what they selected is not known; they have no bytes"});
        visit(Field{"switches", &D::switches, Rule::sum, Unit::count,
                    "changes from reading to writing or back"});
        visit(Field{"first_open", &D::first_open, Rule::earliest, Unit::instant,
                    "start of the first open or create"});
        visit(Field{"last_open", &D::last_open, Rule::largest, Unit::instant,
                    "end of the last open or create"});
        visit(Field{"first_read", &D::first_read, Rule::earliest, Unit::instant, "start of the first read"});
        visit(Field{"last_read", &D::last_read, Rule::largest, Unit::instant, "end of the last read"});
        visit(Field{"first_write", &D::first_write, Rule::earliest, Unit::instant,
                    "start of the first write or flush"});
        visit(Field{"last_write", &D::last_write, Rule::largest, Unit::instant,
                    "end of the last write or flush"});
        visit(
            Field{"first_close", &D::first_close, Rule::earliest, Unit::instant, "start of the first close"});
        visit(Field{"last_close", &D::last_close, Rule::largest, Unit::instant, "end of the last close"});
        visit(Field{"slowest_read", &D::slowest_read, Rule::own, Unit::none, "the read that took longest"});
        visit(
            Field{"slowest_write", &D::slowest_write, Rule::own, Unit::none, "the write that took longest"});
        visit(Field{"read_size", &D::read_size, Rule::own, Unit::count,
                    "reads by size, upper bounds included"});
        visit(Field{"write_size", &D::write_size, Rule::own, Unit::count,
                    "writes by size, upper bounds included"});
        visit(Field{"common_size", &D::common_size, Rule::own, Unit::none,
                    "the commonest sizes of reads and writes; a count is at most its error too high"});
        visit(Field{"read_shape", &D::read_shape, Rule::own, Unit::none,
                    "the commonest extent of what reads selected, along each of the first 6 dimensions (of "
                    "more, the last 6), where more than half of them have it: _lead is by how many reads it "
                    "is ahead of all others together, at least"});
        visit(Field{"write_shape", &D::write_shape, Rule::own, Unit::none, "the same of writes"});
        visit(Field{"element_bytes", &D::element_bytes, Rule::largest, Unit::bytes,
                    "size of an element in the file"});
        visit(Field{
            "layout", &D::layout, Rule::largest, Unit::none,
            "1 compact, 2 contiguous, 3 chunked, 4 virtual; of a variable: 5 of fixed size, 6 along the "
            "unlimited dimension; 0 not known"});
        visit(Field{"filters", &D::filters, Rule::largest, Unit::none,
                    "a sum: 2 deflate, 4 shuffle, 8 Fletcher32, 16 szip, 32 n-bit, 64 scale and offset, 1 "
                    "others"});
        visit(Field{"other_filter", &D::other_filter, Rule::largest, Unit::none,
                    "the number under which The HDF Group lists one of the others"});
        visit(Field{"deflate_level", &D::deflate_level, Rule::largest, Unit::none,
                    "that deflate compresses with, 1 to 9; 0: without deflate, or not known"});
        visit(Field{"cache_bytes", &D::cache_bytes, Rule::largest, Unit::bytes,
                    "HDF5's chunk cache for it; 0: not known"});
        visit(Field{"cache_slots", &D::cache_slots, Rule::largest, Unit::count, "the slots of that"});
        visit(Field{"dimensions", &D::dimensions, Rule::own, Unit::none,
                    "its extent along each dimension, the largest it had; the first 6 of them (of more, the "
                    "last 6)"});
        visit(Field{"chunk", &D::chunk, Rule::own, Unit::none,
                    "the extent of a chunk along each dimension; rank 0: it has none"});
        Beneath::fields(visit);
    }
};

}  // namespace fathom
