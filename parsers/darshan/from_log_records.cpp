// Records of files in the layers POSIX, stdio and MPI-IO: which counter of Darshan is made of which of ours.
#include "parsers/darshan/record_maker.h"

namespace fathom::darshan {
namespace {

// Darshan has the last byte rather than the end.
constexpr std::uint64_t last_byte(std::uint64_t end)
{
    return end == 0 ? 0 : end - 1;
}
constexpr std::uint64_t rest_of(std::uint64_t all, std::uint64_t others)
{
    return all > others ? all - others : 0;
}

// Sequential accesses are those behind the last one; Darshan counts those right behind it among them. Opens
// have dups among them.
using P = PosixRecord;
constexpr MadeNumber<P> made_posix_rows[] = {
    {posix("OPENS"), "opens", [](const P& r) { return r.opens + r.dups; }},
    {posix("DUPS"), "dups", [](const P& r) { return r.dups; }},
    {posix("READS"), "reads", [](const P& r) { return r.reads; }},
    {posix("WRITES"), "writes", [](const P& r) { return r.writes; }},
    {posix("SEEKS"), "seeks", [](const P& r) { return r.seeks; }},
    {posix("STATS"), "stats", [](const P& r) { return r.stats; }},
    {posix("MMAPS"), "maps", [](const P& r) { return r.maps; }},
    {posix("FSYNCS"), "syncs", [](const P& r) { return r.syncs; }},
    {posix("RENAME_SOURCES"), "renames", [](const P& r) { return r.renames; }},
    {posix("BYTES_READ"), "bytes_read", [](const P& r) { return r.bytes_read; }},
    {posix("BYTES_WRITTEN"), "bytes_written", [](const P& r) { return r.bytes_written; }},
    {posix("MAX_BYTE_READ"), "highest_read", [](const P& r) { return last_byte(r.highest_read); }},
    {posix("MAX_BYTE_WRITTEN"), "highest_written", [](const P& r) { return last_byte(r.highest_written); }},
    {posix("CONSEC_READS"), "consecutive_reads", [](const P& r) { return r.consecutive_reads; }},
    {posix("CONSEC_WRITES"), "consecutive_writes", [](const P& r) { return r.consecutive_writes; }},
    {posix("SEQ_READS"), "sequential_reads",
     [](const P& r) { return r.sequential_reads + r.consecutive_reads; }},
    {posix("SEQ_WRITES"), "sequential_writes",
     [](const P& r) { return r.sequential_writes + r.consecutive_writes; }},
    {posix("RW_SWITCHES"), "switches", [](const P& r) { return r.switches; }},
    {posix("MEM_NOT_ALIGNED"), "memory_unaligned", [](const P& r) { return r.memory_unaligned; }},
    {posix("MEM_ALIGNMENT"), "memory_unaligned", [](const P&) { return std::uint64_t{8}; }},
    {posix("FILE_NOT_ALIGNED"), "file_unaligned", [](const P& r) { return r.file_unaligned; }},
    {posix("FILE_ALIGNMENT"), "file_alignment", [](const P& r) { return r.file_alignment; }},
    {posix("MAX_READ_TIME_SIZE"), "slowest_read_size", [](const P& r) { return r.slowest_read.size; }},
    {posix("MAX_WRITE_TIME_SIZE"), "slowest_write_size", [](const P& r) { return r.slowest_write.size; }}};

using M = MpiioRecord;
constexpr MadeNumber<M> made_mpiio_rows[] = {
    {mpiio("INDEP_OPENS"), "opens", [](const M& r) { return rest_of(r.opens, r.collective_opens); }},
    {mpiio("COLL_OPENS"), "collective_opens", [](const M& r) { return r.collective_opens; }},
    {mpiio("INDEP_READS"), "reads",
     [](const M& r) { return rest_of(r.reads, r.collective_reads + r.split_reads + r.nonblocking_reads); }},
    {mpiio("INDEP_WRITES"), "writes",
     [](const M& r) {
         return rest_of(r.writes, r.collective_writes + r.split_writes + r.nonblocking_writes);
     }},
    {mpiio("COLL_READS"), "collective_reads", [](const M& r) { return r.collective_reads; }},
    {mpiio("COLL_WRITES"), "collective_writes", [](const M& r) { return r.collective_writes; }},
    {mpiio("SPLIT_READS"), "split_reads", [](const M& r) { return r.split_reads; }},
    {mpiio("SPLIT_WRITES"), "split_writes", [](const M& r) { return r.split_writes; }},
    {mpiio("NB_READS"), "nonblocking_reads", [](const M& r) { return r.nonblocking_reads; }},
    {mpiio("NB_WRITES"), "nonblocking_writes", [](const M& r) { return r.nonblocking_writes; }},
    {mpiio("SYNCS"), "syncs", [](const M& r) { return r.syncs; }},
    {mpiio("VIEWS"), "views", [](const M& r) { return r.views; }},
    {mpiio("BYTES_READ"), "bytes_read", [](const M& r) { return r.bytes_read; }},
    {mpiio("BYTES_WRITTEN"), "bytes_written", [](const M& r) { return r.bytes_written; }},
    {mpiio("RW_SWITCHES"), "switches", [](const M& r) { return r.switches; }},
    {mpiio("MAX_READ_TIME_SIZE"), "slowest_read_size", [](const M& r) { return r.slowest_read.size; }},
    {mpiio("MAX_WRITE_TIME_SIZE"), "slowest_write_size", [](const M& r) { return r.slowest_write.size; }}};

using S = StdioRecord;
constexpr MadeNumber<S> made_stdio_rows[] = {
    {stdio("OPENS"), "opens", [](const S& r) { return r.opens; }},
    {stdio("READS"), "reads", [](const S& r) { return r.reads; }},
    {stdio("WRITES"), "writes", [](const S& r) { return r.writes; }},
    {stdio("SEEKS"), "seeks", [](const S& r) { return r.seeks; }},
    {stdio("FLUSHES"), "syncs", [](const S& r) { return r.syncs; }},
    {stdio("BYTES_READ"), "bytes_read", [](const S& r) { return r.bytes_read; }},
    {stdio("BYTES_WRITTEN"), "bytes_written", [](const S& r) { return r.bytes_written; }},
    {stdio("MAX_BYTE_READ"), "highest_read", [](const S& r) { return last_byte(r.highest_read); }},
    {stdio("MAX_BYTE_WRITTEN"), "highest_written", [](const S& r) { return last_byte(r.highest_written); }}};

using T = Transfers;
// Of a module that calls its times by these names.
consteval std::array<MadeTime, 11> made_times(std::span<const std::string_view> names)
{
    const auto at = [&](std::string_view name) consteval
    {
        return detail::place_of(names, name);
    };
    return {{{at("OPEN_START_TIMESTAMP"), "first_open", &T::first_open, true},
             {at("READ_START_TIMESTAMP"), "first_read", &T::first_read, true},
             {at("WRITE_START_TIMESTAMP"), "first_write", &T::first_write, true},
             {at("CLOSE_START_TIMESTAMP"), "first_close", &T::first_close, true},
             {at("OPEN_END_TIMESTAMP"), "last_open", &T::last_open, true},
             {at("READ_END_TIMESTAMP"), "last_read", &T::last_read, true},
             {at("WRITE_END_TIMESTAMP"), "last_write", &T::last_write, true},
             {at("CLOSE_END_TIMESTAMP"), "last_close", &T::last_close, true},
             {at("READ_TIME"), "read_time", &T::read_time, false},
             {at("WRITE_TIME"), "write_time", &T::write_time, false},
             {at("META_TIME"), "metadata_time", &T::metadata_time, false}}};
}
constexpr auto made_transfer_rows = made_times(transfer_times),
               made_stdio_time_rows = made_times(stdio_times);

constexpr Spots posix_spots = {posix("FASTEST_RANK"),
                               posix("FASTEST_RANK_BYTES"),
                               posix("SLOWEST_RANK"),
                               posix("SLOWEST_RANK_BYTES"),
                               transfer_time("FASTEST_RANK_TIME"),
                               transfer_time("SLOWEST_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_BYTES")};
constexpr Spots mpiio_spots = {mpiio("FASTEST_RANK"),
                               mpiio("FASTEST_RANK_BYTES"),
                               mpiio("SLOWEST_RANK"),
                               mpiio("SLOWEST_RANK_BYTES"),
                               transfer_time("FASTEST_RANK_TIME"),
                               transfer_time("SLOWEST_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_TIME"),
                               transfer_time("VARIANCE_RANK_BYTES")};
constexpr Spots stdio_spots = {stdio("FASTEST_RANK"),
                               stdio("FASTEST_RANK_BYTES"),
                               stdio("SLOWEST_RANK"),
                               stdio("SLOWEST_RANK_BYTES"),
                               stdio_time("FASTEST_RANK_TIME"),
                               stdio_time("SLOWEST_RANK_TIME"),
                               stdio_time("VARIANCE_RANK_TIME"),
                               stdio_time("VARIANCE_RANK_BYTES")};
constexpr SizeSpots posix_sizes = {posix("SIZE_READ_0_100"), posix("SIZE_WRITE_0_100"),
                                   posix("ACCESS1_ACCESS"), posix("ACCESS1_COUNT")};
constexpr SizeSpots mpiio_sizes = {mpiio("SIZE_READ_AGG_0_100"), mpiio("SIZE_WRITE_AGG_0_100"),
                                   mpiio("ACCESS1_ACCESS"), mpiio("ACCESS1_COUNT")};

constexpr std::int64_t unknown_number = -1;

}  // namespace

// Of FSYNCS and FDSYNCS tools make a sum, so the latter is 0: all syncs are in the former. Strides, which
// tools merge by their counts, are 0 as well.
void write_posix(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<PosixRecord> maker(view, "posix", Module::posix);
    maker.records().each([&](const PosixRecord& record, std::int64_t rank) {
        maker.begin(rank);
        for (const std::size_t place : {posix("FILENOS"), posix("RENAME_TARGETS"), posix("MODE")})
            maker.set(place, unknown_number);
        maker.add(record, made_posix_rows);
        maker.add_sizes(record, posix_sizes);
        maker.add_times(record, made_transfer_rows);
        maker.add_slowest(record, transfer_time("MAX_READ_TIME"), transfer_time("MAX_WRITE_TIME"));
        maker.add_sharing(record, posix_spots);
        maker.write(record, writer);
    });
    maker.mark_partial(writer);
    maker.tell(made_posix_rows, made_transfer_rows, true, losses);
}

void write_mpiio(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<MpiioRecord> maker(view, "mpiio", Module::mpiio);
    maker.records().each([&](const MpiioRecord& record, std::int64_t rank) {
        maker.begin(rank);
        for (const std::size_t place : {mpiio("HINTS"), mpiio("MODE")}) maker.set(place, unknown_number);
        maker.add(record, made_mpiio_rows);
        maker.add_sizes(record, mpiio_sizes);
        maker.add_times(record, made_transfer_rows);
        maker.add_slowest(record, transfer_time("MAX_READ_TIME"), transfer_time("MAX_WRITE_TIME"));
        maker.add_sharing(record, mpiio_spots);
        maker.write(record, writer);
    });
    maker.mark_partial(writer);
    maker.tell(made_mpiio_rows, made_transfer_rows, true, losses);
}

void write_stdio(const LogView& view, Writer& writer, Losses& losses)
{
    Maker<StdioRecord> maker(view, "stdio", Module::stdio);
    maker.records().each([&](const StdioRecord& record, std::int64_t rank) {
        maker.begin(rank);
        maker.set(stdio("FDOPENS"), unknown_number);
        maker.add(record, made_stdio_rows);
        maker.add_times(record, made_stdio_time_rows);
        maker.add_sharing(record, stdio_spots);
        maker.write(record, writer);
    });
    maker.mark_partial(writer);
    maker.tell(made_stdio_rows, made_stdio_time_rows, false, losses);
}

}  // namespace fathom::darshan
