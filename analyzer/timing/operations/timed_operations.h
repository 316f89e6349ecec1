// The operations of a log or of a CSV by class, with how long each took: what clusters and models of
// operation times are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/methods/quantiles.h"
#include "logformat/log/log.h"

namespace fathom {

// Operations of one kind and size. Times are seconds, sizes bytes.
struct TimedClass {
    std::string layer;      // "POSIX", "stdio", "MPI-IO"; empty: the source does not say
    std::string operation;  // "read", "write", "open" ...; empty: the source does not say
    std::string group;      // of a CSV: what else distinguishes its rows, "uncached, seq"; else empty

    // What the sizes of reads and writes are known to be between, both included; both nothing: not known, or
    // an operation without a size. `most_bytes` nothing alone: no upper end.
    std::optional<std::uint64_t> least_bytes, most_bytes;
    std::optional<double> mean_bytes;  // of an operation
    std::string size_basis;            // where mean_bytes is from, in words; empty: from each operation

    std::uint64_t operations = 0;
    double time = 0, longest = 0;  // of all of them

    // Each operation by itself, in the order of the source, or every so many-th of them: `starts` (since
    // `begin` of the whole) is as long as `durations` or empty, so is `sizes`. All empty: only bins are
    // known.
    std::vector<double> durations, starts;
    std::vector<std::uint64_t> sizes;
    bool each = false;  // `durations` has all of them

    // Of all operations, in ns, ascending; filled in where `each` is not set.
    std::vector<HistogramBin> bins;

    bool same_size() const { return least_bytes && least_bytes == most_bytes; }
    // "POSIX read of 1 MiB", "POSIX write ≤ 1 KiB", "stdio open", "uncached, seq: read of 4 KiB".
    std::string name() const;
    // "reads of 1 MiB", "writes of up to 1 KiB", "open calls".
    std::string plural() const;
};

enum class TimedSource : std::uint8_t { trace, histograms, csv };

struct TimedOperations {
    TimedSource source = TimedSource::trace;
    std::vector<TimedClass> classes;  // most time first
    std::optional<double> begin;      // what starts count from, UNIX seconds; nothing: from the first one
    // Durations come from a scale of steps of this part of their length (0: as exact as written).
    double resolution = 0;
    std::vector<std::string> notes;     // what one must know of where they come from, a sentence each
    std::vector<std::string> problems;  // what could not be read, likewise
};

// From what of a log. `best`: from its trace, and where it has no operation in one, from its histograms.
enum class TimedFrom : std::uint8_t { best, trace, histograms };

// Which operations, and how they are read. Empty: all.
struct OperationChoice {
    std::string layer = {}, operation = {};  // "posix" or "POSIX"; "read"
    TimedFrom from = TimedFrom::best;
    std::optional<std::uint64_t> size = {};  // those of this size, or whose class it lies in
    std::size_t most_kept = std::size_t{1}
                            << 22;  // operations by themselves in memory, of all classes together

    // Names of columns of a CSV; empty: the first that there is of those that our own files have. Only the
    // duration must be there.
    std::string duration_column = {}, start_column = {}, operation_column = {}, size_column = {};
    std::vector<std::string> group_columns = {};  // rows with different texts there are different classes
};

// Of a log. Operations on standard streams and devices are
// left out, as are kinds that stand for several calls ("other", "failed").
TimedOperations timed_operations(const Log& log, const OperationChoice& choice = {}, const Tick& tick = {});

// The file is named, or looks, like a CSV rather than a log.
bool is_csv_file(const std::string& path);

// Of a log of any kind that a parser knows, or a CSV with a header line. Throws std::runtime_error: file,
// line, what to do.
TimedOperations timed_operations(const std::string& path, const OperationChoice& choice = {},
                                 const Tick& tick = {});

}  // namespace fathom
