// The dump as lines of text. Numbers are exact: times are whole nanoseconds, printed as seconds with nine
// decimals.
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/dump/dump.h"
#include "analyzer/dump/subject.h"

namespace fathom {
namespace {

constexpr std::size_t piece_bytes = 1u << 16;

class TextDump {
  public:
    TextDump(const Log& log, const DumpChoice& choice, const Sink& sink)
        : log_(log), choice_(choice), sink_(sink), paths_(log), start_(start_of(log))
    {}

    void run()
    {
        header();
        each_table([&](const auto& table, std::size_t) {
            using Row = typename std::remove_cvref_t<decltype(table)>::Row;
            if (!choice_.wants(table.name) || (!choice_.file.empty() && !has_path<Row>)) return;
            rows<Row>(table.name);
        });
        if (going_) sink_(out_);
    }

  private:
    void line(std::string_view text)
    {
        out_ += "# ";
        out_ += text;
        out_ += '\n';
    }

    void header()
    {
        line("fathom dump 1");
        line(
            "columns: table, process, counter, value, subject (a path, a layer or a mount); tabs between "
            "them");
        line("process: a number in the table processes; -1: reduced over several processes");
        line(
            "values: bytes; counts; durations in seconds; instants in seconds since the job's start, '-' for "
            "never;");
        line(
            "  'not-recorded' where the log has no such counter; in texts \\t \\n \\r \\\\ \\xNN \\u{N} "
            "stand for bytes");
        if (start_ == 0)
            line("job start: unknown; instants are seconds of UNIX time");
        else
            line(fmt::format("job start: {} = {} s of UNIX time", report::format_instant(start_),
                             exact(start_)));
        for (const std::string& problem : log_.problems) line("problem: " + report::escaped(problem));
        for (const std::string_view column : log_.not_recorded.names())
            line("not recorded: " + std::string(column));
    }

    static std::string exact(std::uint64_t nanoseconds)
    {
        return fmt::format("{}.{:09}", nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000);
    }

    template <class Row>
    void rows(std::string_view table)
    {
        const Columns columns = columns_of<Row>();
        const std::vector<bool> missing = lacking_columns<Row>(log_);
        for (const Row& row : log_.rows<Row>()) {
            if (!going_) return;
            if constexpr (std::is_same_v<Row, Fact>) {
                fact(row);
                continue;
            }
            const std::string subject = subject_of(paths_, row);
            if (!choice_.file.empty() && subject.find(choice_.file) == std::string::npos) continue;
            if constexpr (std::is_same_v<Row, LibraryCounter>) {
                library_counter(row, subject);
                continue;
            }
            const std::string shown = subject.empty() ? "-" : report::escaped(subject);
            const std::string head = fmt::format("{}\t{}\t", table, process_of(row));
            values(&row, columns, missing, names_the_row<Row>, head, shown);
            give();
        }
    }

    void values(const void* row, const Columns& columns, const std::vector<bool>& missing,
                bool (*names)(const Column&), const std::string& head, const std::string& shown)
    {
        for (std::size_t at = 0; at < columns.count; ++at) {
            const Column& column = columns.column[at];
            if (names(column) || (choice_.nonzero && (missing[at] || is_zero(row, column)))) continue;
            out_ += head;
            out_ += column.label();
            out_ += '\t';
            if (missing[at])
                out_ += "not-recorded";
            else
                value(row, column);
            out_ += '\t';
            out_ += shown;
            out_ += '\n';
        }
    }

    void fact(const Fact& fact)
    {
        fmt::format_to(std::back_inserter(out_), "job\t-\t{}\t{}\t-\n", report::escaped(fact.name),
                       report::escaped(fact.value));
        give();
    }

    // One line a row, by the name of its counter, as the records of the layers have theirs.
    void library_counter(const LibraryCounter& row, const std::string& subject)
    {
        const bool whole = row.seconds == 0;
        if (choice_.nonzero && whole && row.number == 0) return;
        fmt::format_to(std::back_inserter(out_), "libraries\t{}\t{}_{}\t{}\t{}\n", row.process,
                       report::escaped(row.library), report::escaped(row.counter),
                       whole ? fmt::format("{}", row.number) : fmt::format("{}", row.seconds),
                       report::escaped(subject));
        give();
    }

    void give()
    {
        if (out_.size() < piece_bytes) return;
        going_ = sink_(out_);
        out_.clear();
    }

    template <class Row>
    static std::string process_of(const Row& row)
    {
        if constexpr (requires { row.process; })
            return fmt::format(FMT_COMPILE("{}"), row.process);
        else
            return "-";
    }

    static bool is_zero(const void* row, const Column& column)
    {
        if (column.type == ScalarType::text) return load<std::string_view>(row, column).empty();
        return load<std::uint64_t>(row, column) == 0;
    }

    void append_number(std::uint64_t number)
    {
        const fmt::format_int digits(number);
        out_.append(digits.data(), digits.size());
    }

    void text(std::string_view words, Unit unit)
    {
        out_ += unit == Unit::code ? hexadecimal(words) : report::escaped(words);
    }

    void value(const void* row, const Column& column)
    {
        auto to = std::back_inserter(out_);
        switch (column.type) {
            case ScalarType::text:
                text(load<std::string_view>(row, column), column.unit);
                return;
            case ScalarType::f64:
                fmt::format_to(to, FMT_COMPILE("{}"), load<double>(row, column));
                return;
            case ScalarType::i64:
                fmt::format_to(to, FMT_COMPILE("{}"), load<std::int64_t>(row, column));
                return;
            case ScalarType::u64:
                break;
        }
        std::uint64_t number = load<std::uint64_t>(row, column);
        if (column.unit == Unit::instant) {
            if (number == 0) {
                out_ += '-';
                return;
            }
            if (number < start_) out_ += '-';
            number = number < start_ ? start_ - number : number - start_;
        }
        const bool time = column.unit == Unit::instant || column.unit == Unit::duration;
        if (time && number == 0)
            out_ += "0.000000000";  // most counters of most files
        else if (time)
            fmt::format_to(to, FMT_COMPILE("{}.{:09}"), number / 1'000'000'000, number % 1'000'000'000);
        else
            append_number(number);
    }

    const Log& log_;
    const DumpChoice& choice_;
    const Sink& sink_;
    Paths paths_;
    std::uint64_t start_;
    std::string out_;
    bool going_ = true;
};

}  // namespace

void dump_text(const Log& log, const DumpChoice& choice, const Sink& sink)
{
    TextDump(log, choice, sink).run();
}

}  // namespace fathom
