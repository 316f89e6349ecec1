// The tables of POSIX, STDIO and MPI-IO.
#include "parsers/darshan/record_columns.h"

namespace fathom::darshan {
namespace {

// OPENS counts fileno() and dup() too, and fdopen() in STDIO. Darshan's SEQ has what is consecutive in it,
// ours has not. MAX_BYTE_READ and MAX_BYTE_WRITTEN are the last byte; records.cpp makes them the offset
// behind it.
constexpr NumberRow posix_rows[] = {
    {"opens", {"OPENS"}, {"FILENOS", "DUPS"}},
    {"reads", {"READS"}},
    {"writes", {"WRITES"}},
    {"bytes_read", {"BYTES_READ"}},
    {"bytes_written", {"BYTES_WRITTEN"}},
    {"switches", {"RW_SWITCHES"}},
    {"syncs", {"FSYNCS", "FDSYNCS"}},
    {"slowest_read_size", {"MAX_READ_TIME_SIZE"}},
    {"slowest_write_size", {"MAX_WRITE_TIME_SIZE"}},
    {"read_size_0_100", {"SIZE_READ_0_100"}},
    {"read_size_100_1K", {"SIZE_READ_100_1K"}},
    {"read_size_1K_10K", {"SIZE_READ_1K_10K"}},
    {"read_size_10K_100K", {"SIZE_READ_10K_100K"}},
    {"read_size_100K_1M", {"SIZE_READ_100K_1M"}},
    {"read_size_1M_4M", {"SIZE_READ_1M_4M"}},
    {"read_size_4M_10M", {"SIZE_READ_4M_10M"}},
    {"read_size_10M_100M", {"SIZE_READ_10M_100M"}},
    {"read_size_100M_1G", {"SIZE_READ_100M_1G"}},
    {"read_size_1G_plus", {"SIZE_READ_1G_PLUS"}},
    {"write_size_0_100", {"SIZE_WRITE_0_100"}},
    {"write_size_100_1K", {"SIZE_WRITE_100_1K"}},
    {"write_size_1K_10K", {"SIZE_WRITE_1K_10K"}},
    {"write_size_10K_100K", {"SIZE_WRITE_10K_100K"}},
    {"write_size_100K_1M", {"SIZE_WRITE_100K_1M"}},
    {"write_size_1M_4M", {"SIZE_WRITE_1M_4M"}},
    {"write_size_4M_10M", {"SIZE_WRITE_4M_10M"}},
    {"write_size_10M_100M", {"SIZE_WRITE_10M_100M"}},
    {"write_size_100M_1G", {"SIZE_WRITE_100M_1G"}},
    {"write_size_1G_plus", {"SIZE_WRITE_1G_PLUS"}},
    {"common_size_1", {"ACCESS1_ACCESS"}},
    {"common_size_1_count", {"ACCESS1_COUNT"}},
    {"common_size_2", {"ACCESS2_ACCESS"}},
    {"common_size_2_count", {"ACCESS2_COUNT"}},
    {"common_size_3", {"ACCESS3_ACCESS"}},
    {"common_size_3_count", {"ACCESS3_COUNT"}},
    {"common_size_4", {"ACCESS4_ACCESS"}},
    {"common_size_4_count", {"ACCESS4_COUNT"}},
    {"sequential_reads", {"SEQ_READS"}, {"CONSEC_READS"}},
    {"sequential_writes", {"SEQ_WRITES"}, {"CONSEC_WRITES"}},
    {"consecutive_reads", {"CONSEC_READS"}},
    {"consecutive_writes", {"CONSEC_WRITES"}},
    {"highest_read", {"MAX_BYTE_READ"}},
    {"highest_written", {"MAX_BYTE_WRITTEN"}},
    {"seeks", {"SEEKS"}},
    {"stats", {"STATS"}},
    {"dups", {"DUPS"}},
    {"renames", {"RENAME_SOURCES"}},
    {"maps", {"MMAPS"}},
    {"file_unaligned", {"FILE_NOT_ALIGNED"}},
    {"memory_unaligned", {"MEM_NOT_ALIGNED"}},
    {"file_alignment", {"FILE_ALIGNMENT"}, {}, true},
};

constexpr TimeRow transfer_rows[] = {
    {"first_open", "OPEN_START_TIMESTAMP"},
    {"last_open", "OPEN_END_TIMESTAMP"},
    {"first_read", "READ_START_TIMESTAMP"},
    {"last_read", "READ_END_TIMESTAMP"},
    {"first_write", "WRITE_START_TIMESTAMP"},
    {"last_write", "WRITE_END_TIMESTAMP"},
    {"first_close", "CLOSE_START_TIMESTAMP"},
    {"last_close", "CLOSE_END_TIMESTAMP"},
    {"read_time", "READ_TIME"},
    {"write_time", "WRITE_TIME"},
    {"metadata_time", "META_TIME"},
    {"slowest_read_time", "MAX_READ_TIME"},
    {"slowest_write_time", "MAX_WRITE_TIME"},
};
// STDIO does not have the slowest calls, the last two.
constexpr auto stdio_time_rows = std::span(transfer_rows).first<std::size(transfer_rows) - 2>();

constexpr NumberRow stdio_rows[] = {
    {"opens", {"OPENS"}, {"FDOPENS"}},
    {"reads", {"READS"}},
    {"writes", {"WRITES"}},
    {"bytes_read", {"BYTES_READ"}},
    {"bytes_written", {"BYTES_WRITTEN"}},
    {"syncs", {"FLUSHES"}},
    {"highest_read", {"MAX_BYTE_READ"}},
    {"highest_written", {"MAX_BYTE_WRITTEN"}},
    {"seeks", {"SEEKS"}},
};

constexpr NumberRow mpiio_rows[] = {
    {"opens", {"INDEP_OPENS", "COLL_OPENS"}},
    {"reads", {"INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"}},
    {"writes", {"INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"}},
    {"bytes_read", {"BYTES_READ"}},
    {"bytes_written", {"BYTES_WRITTEN"}},
    {"switches", {"RW_SWITCHES"}},
    {"syncs", {"SYNCS"}},
    {"slowest_read_size", {"MAX_READ_TIME_SIZE"}},
    {"slowest_write_size", {"MAX_WRITE_TIME_SIZE"}},
    {"read_size_0_100", {"SIZE_READ_AGG_0_100"}},
    {"read_size_100_1K", {"SIZE_READ_AGG_100_1K"}},
    {"read_size_1K_10K", {"SIZE_READ_AGG_1K_10K"}},
    {"read_size_10K_100K", {"SIZE_READ_AGG_10K_100K"}},
    {"read_size_100K_1M", {"SIZE_READ_AGG_100K_1M"}},
    {"read_size_1M_4M", {"SIZE_READ_AGG_1M_4M"}},
    {"read_size_4M_10M", {"SIZE_READ_AGG_4M_10M"}},
    {"read_size_10M_100M", {"SIZE_READ_AGG_10M_100M"}},
    {"read_size_100M_1G", {"SIZE_READ_AGG_100M_1G"}},
    {"read_size_1G_plus", {"SIZE_READ_AGG_1G_PLUS"}},
    {"write_size_0_100", {"SIZE_WRITE_AGG_0_100"}},
    {"write_size_100_1K", {"SIZE_WRITE_AGG_100_1K"}},
    {"write_size_1K_10K", {"SIZE_WRITE_AGG_1K_10K"}},
    {"write_size_10K_100K", {"SIZE_WRITE_AGG_10K_100K"}},
    {"write_size_100K_1M", {"SIZE_WRITE_AGG_100K_1M"}},
    {"write_size_1M_4M", {"SIZE_WRITE_AGG_1M_4M"}},
    {"write_size_4M_10M", {"SIZE_WRITE_AGG_4M_10M"}},
    {"write_size_10M_100M", {"SIZE_WRITE_AGG_10M_100M"}},
    {"write_size_100M_1G", {"SIZE_WRITE_AGG_100M_1G"}},
    {"write_size_1G_plus", {"SIZE_WRITE_AGG_1G_PLUS"}},
    {"common_size_1", {"ACCESS1_ACCESS"}},
    {"common_size_1_count", {"ACCESS1_COUNT"}},
    {"common_size_2", {"ACCESS2_ACCESS"}},
    {"common_size_2_count", {"ACCESS2_COUNT"}},
    {"common_size_3", {"ACCESS3_ACCESS"}},
    {"common_size_3_count", {"ACCESS3_COUNT"}},
    {"common_size_4", {"ACCESS4_ACCESS"}},
    {"common_size_4_count", {"ACCESS4_COUNT"}},
    {"collective_opens", {"COLL_OPENS"}},
    {"collective_reads", {"COLL_READS"}},
    {"collective_writes", {"COLL_WRITES"}},
    {"nonblocking_reads", {"NB_READS"}},
    {"nonblocking_writes", {"NB_WRITES"}},
    {"split_reads", {"SPLIT_READS"}},
    {"split_writes", {"SPLIT_WRITES"}},
    {"views", {"VIEWS"}},
};

constexpr RecordTable tables_by_layer[layers] = {
    {Module::posix, Layer::posix, posix_rows, transfer_rows},
    {Module::stdio, Layer::stdio, stdio_rows, stdio_time_rows},
    {Module::mpiio, Layer::mpiio, mpiio_rows, transfer_rows},
};

}  // namespace

const RecordTable& record_table(Layer layer)
{
    return tables_by_layer[static_cast<std::size_t>(layer)];
}

}  // namespace fathom::darshan
