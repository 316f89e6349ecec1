// A whole log in memory: the rows of every table, what the log's own schema lists, and what could not be
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/log/column_name.h"
#include "logformat/log/column_set.h"
#include "logformat/log/packed_rows.h"
#include "logformat/log/tick.h"
#include "logformat/tables.h"

namespace fathom {

// The tables whose rows a log may have packed: those of the files, of which a job may have millions.
template <class Row>
inline constexpr bool packs =
    std::is_same_v<Row, PosixRecord> || std::is_same_v<Row, StdioRecord> || std::is_same_v<Row, MpiioRecord>;

namespace detail {
template <class Row>
struct RowsOf {
    std::vector<Row> rows;
};
template <class Row>
requires packs<Row>
struct RowsOf<Row> {
    std::vector<Row> rows;
    PackedRows packed;
};
template <class... Rows>
struct RowsOfAll : RowsOf<Rows>... {};
template <class... Rows>
RowsOfAll<Rows...> rows_of_all(const Tables<Rows...>&);
}  // namespace detail

struct TraceEvent;  // trace.h
using TraceVisit = std::function<bool(const TraceEvent&)>;

class Log {
  public:
    Log();
    Log(Log&& other) noexcept;
    Log& operator=(Log&& other) noexcept;
    ~Log();

    template <class Row>
    std::vector<Row>& rows()
    {
        return static_cast<detail::RowsOf<Row>&>(rows_).rows;
    }
    template <class Row>
    const std::vector<Row>& rows() const
    {
        if constexpr (packs<Row>)
            if (!packed<Row>().empty()) throw std::logic_error("this log's records are packed");
        return static_cast<const detail::RowsOf<Row>&>(rows_).rows;
    }

    // Rows of a table that are not in rows<Row>(), which is then empty: only in logs of read_packed_log.
    template <class Row>
    requires packs<Row> PackedRows& packed() { return static_cast<detail::RowsOf<Row>&>(rows_).packed; }
    template <class Row>
    requires packs<Row>
    const PackedRows& packed() const { return static_cast<const detail::RowsOf<Row>&>(rows_).packed; }
    // How many records of files a layer's table has, packed or not.
    template <class Row>
    requires packs<Row> std::size_t records()
    const
    {
        const auto& of = static_cast<const detail::RowsOf<Row>&>(rows_);
        return of.rows.size() + of.packed.size();
    }

    // What is missing or damaged, a sentence each. Empty: the log is whole.
    std::vector<std::string> problems;

    // Columns of ours that the log does not have: not recorded, rather than 0.
    ColumnSet not_recorded;
    // Whether the log has a column: recorded(&Slice::write_time).
    template <class Row, class Value>
    bool recorded(Value Row::*column) const
    {
        return not_recorded.empty() || recorded(table_name<Row>(), column_name(column));
    }
    template <class Row, class Value>
    void mark_lacking(Value Row::*column)
    {
        mark_lacking(table_name<Row>(), column_name(column));
    }
    // For those that go over tables and columns.
    bool recorded(std::string_view table, std::string_view column) const;
    void mark_lacking(std::string_view table, std::string_view column);
    // "posix.sync_time", of which no compiler makes sure: std::logic_error where no table has it.
    bool recorded(std::string_view name) const;
    void mark_lacking(std::string_view name);

    // Logs of other tools: reads the traced operations from the file anew, one after the other, so that they
    // need no memory; visit returns false to stop. Returns what could not be read, a sentence each. Empty
    // where the operations, if there are any, are in the tables.
    std::function<std::vector<std::string>(const TraceVisit& visit)> trace_elsewhere;

    // The value of a fact of the job; the first one where several share the name.
    std::optional<std::string_view> fact(std::string_view name) const;

    // A copy of a text that lives as long as this log: rows hold views.
    std::string_view keep(std::string_view text);
    std::span<std::byte> keep(std::vector<std::byte> bytes);
    void add_fact(std::string_view name, std::string_view value);

    // Lets go of the memory that rows were read from: copies the texts that rows still show to one place.
    void compact();

    // Takes over every row of another log, whose texts stay alive with this one.
    void append(Log&& other);

  private:
    decltype(detail::rows_of_all(tables)) rows_;
    std::deque<std::vector<std::byte>> texts_;
};

// What went wrong, to which file, and what to do.
struct LogError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads a log. Damage leads to a partial Log whose `problems` say so; LogError is thrown where nothing can be
// read. Memory: the file, its blocks uncompressed and the rows. `tick` gets the bytes of the file that are
// done: half of each for reading it, half for taking it apart.
Log read_log(const std::string& path, const Tick& tick = {});

// The same of a log that Fathom itself put there: through no link, and of no other user.
Log read_own_log(const std::string& path);

// Tables of at least so many records of files are packed.
struct Packing {
    std::uint64_t from = ~std::uint64_t{0};
};
Log decode_log(std::span<const std::byte> file, const std::string& path, const Tick& tick = {},
               Packing packing = {});

// The same as read_log for those that go through the records of files by visit_records
// (analyzer/job/files.h): of very many they are packed.
inline constexpr std::uint64_t packed_from = 4096;
Log read_packed_log(const std::string& path, const Tick& tick = {});

class Encoder;
inline constexpr std::string_view problem_fact = "problem", missing_column_fact = "missing_column";

// Encodes a whole log. What it lacks (`problems`, `not_recorded`) goes along as facts of these names, which
// are none any more once it is read again. Names and records are put into the order of the paths.
void encode_log(const Log& log, Encoder& encoder);

// Writes a log under a temporary name, flushes it to the device and renames it: `path` is whole or untouched.
// Throws LogError.
void write_log(const Log& log, const std::string& path);

}  // namespace fathom
