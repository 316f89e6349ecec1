// The tables of a log, one row each: its name and the type of its rows. Writer, reader, schema and dump
// follow it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "logformat/blocks/columns.h"
#include "logformat/rows.h"
#include "logformat/timing_rows.h"
#include "logformat/trace_rows.h"

namespace fathom {

// What tables are called and mean.
struct TableWords {
    std::string_view name;
    std::string_view meaning;
};

template <class RowType>
struct Table : TableWords {
    using Row = RowType;
};

template <class... Rows>
struct Tables {
    static constexpr std::size_t count = sizeof...(Rows);
    std::array<TableWords, count> words;

    constexpr Tables(const Table<Rows>&... table) : words{table...} {}
};

// (Not `Tables tables{`: g++ 12 would put that among what may be written, of which each process that loads
// the preload library takes a page.)
inline constexpr auto tables = Tables{
    Table<Fact>{{"job", "what is said once for the job"}},
    Table<Process>{{"processes", "every process that was seen"}},
    Table<Totals>{{"totals", "sums per process, layer and scope"}},
    Table<Burst>{{"bursts", "when each process had I/O under way"}},
    Table<OperationTimes>{{"operations", "operations of one layer, kind and size, of all processes"}},
    Table<DurationBin>{{"durations", "histograms of how long they took"}},
    Table<Slice>{{"time_bins", "what each process did in each time bin (a stretch of wall-clock time)"}},
    Table<CollectiveCall>{{"collectives", "a sample of collective MPI-IO calls, as each rank saw them"}},
    Table<FileName>{{"names", "paths by id"}},
    Table<Mount>{{"mounts", "mounted file systems"}},
    Table<Layout>{{"layouts", "files that are spread over servers (Lustre)"}},
    Table<Hints>{{"hints", "the hints that programs gave MPI-IO for files, and those in use (MPI_Info)"}},
    Table<FailedPath>{{"failed_paths", "the paths that calls failed on most, of all processes"}},
    Table<PosixRecord>{{"posix", "files in the POSIX layer"}},
    Table<StdioRecord>{{"stdio", "files in the stdio layer"}},
    Table<MpiioRecord>{{"mpiio", "files in the MPI-IO layer"}},
    Table<DataFileRecord>{{"data_files", "files of HDF5 and PnetCDF, as these libraries were called"}},
    Table<DatasetRecord>{{"datasets", "datasets of HDF5 and variables of PnetCDF and netCDF"}},
    Table<TraceShape>{{"trace_shapes", "traces: what operations were, once for all that did the same"}},
    Table<TracePiece>{{"trace", "traces: the operations of each thread, piece by piece"}},
    Table<TracePlace>{{"trace_places", "traces: the files, and where in them"}},
    Table<TraceTimes>{{"trace_times", "traces: when the operations were"}},
    Table<LibraryCounter>{{"libraries", "what libraries above MPI-IO counted, in logs of other tools"}},
};
inline constexpr std::size_t table_count = decltype(tables)::count;

namespace detail {
template <class Visit, class... Rows>
constexpr void each_of(const Tables<Rows...>& all, Visit& visit)
{
    std::size_t at = 0;
    ((visit(Table<Rows>{all.words[at]}, at), ++at), ...);
}

template <class Row, class... Rows>
constexpr std::size_t number_among(const Tables<Rows...>&)
{
    std::size_t at = 0;
    static_cast<void>(((std::is_same_v<Row, Rows> || (++at, false)) || ...));
    return at;
}
}  // namespace detail

// Calls visit(table, its number) for each table.
template <class Visit>
constexpr void each_table(Visit visit)
{
    detail::each_of(tables, visit);
}

// The number of the table whose rows are of type Row; table_count where there is none.
template <class Row>
constexpr std::size_t table_number()
{
    return detail::number_among<Row>(tables);
}

// The columns of a table, by number. Costs a microsecond; callers keep it where that matters.
Columns columns_of_table(std::size_t number);

template <class Row>
Columns columns_of()
{
    if constexpr (table_number<Row>() < table_count)
        return columns_of_table(table_number<Row>());
    else
        return made_columns<Row>();
}

// Its name.
template <class Row>
constexpr std::string_view table_name()
{
    static_assert(table_number<Row>() < table_count);
    return tables.words[table_number<Row>()].name;
}

}  // namespace fathom
