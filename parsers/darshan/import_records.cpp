// Records of POSIX, STDIO and MPI-IO and their sums by process.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "logformat/log/lacking.h"
#include "logformat/part/part_rows.h"
#include "parsers/darshan/import.h"
#include "parsers/darshan/record_columns.h"
#include "parsers/shared/totals_table.h"

namespace fathom::darshan {
namespace {

// What every log lacks of the tables of records besides what their tables (record_columns.h) do not name.
bool is_sharing(const Column& column)
{
    const std::string_view label = column.label();
    return column.rule == Rule::key ||
           is_any_of(label, &Sharing::processes, &Sharing::readers, &Sharing::writers) ||
           label.starts_with(counter_name(&Sharing::slowest)) ||
           label.starts_with(counter_name(&Sharing::fastest)) ||
           label.starts_with(counter_name(&Sharing::time)) ||
           label.starts_with(counter_name(&Sharing::bytes));
}

bool is_common_size(std::string_view label)
{
    return label.starts_with(counter_name(&Transfers::common_size));
}

// Darshan 3.2.0, and only it, wrote format 3.20.
bool has_bad_common_sizes(const File& file)
{
    return file.version() == "3.20";
}

// Where a record says how the file was shared.
struct SharingPlaces {
    explicit SharingPlaces(const Counters& counters)
        : slowest(number(counters, "SLOWEST_RANK")),
          slowest_bytes(number(counters, "SLOWEST_RANK_BYTES")),
          fastest(number(counters, "FASTEST_RANK")),
          fastest_bytes(number(counters, "FASTEST_RANK_BYTES")),
          slowest_time(time(counters, "SLOWEST_RANK_TIME")),
          fastest_time(time(counters, "FASTEST_RANK_TIME")),
          time_variance(time(counters, "VARIANCE_RANK_TIME")),
          bytes_variance(time(counters, "VARIANCE_RANK_BYTES"))
    {}

    std::size_t slowest, slowest_bytes, fastest, fastest_bytes, slowest_time, fastest_time, time_variance,
        bytes_variance;

  private:
    static std::size_t place(std::span<const std::string_view> names, std::string_view name)
    {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    static std::size_t number(const Counters& counters, std::string_view name)
    {
        return place(counters.numbers, name);
    }
    static std::size_t time(const Counters& counters, std::string_view name)
    {
        return place(counters.times, name);
    }
};

// A record of all ranks together: what each did is known of the slowest and the fastest alone.
void share_reduced(Sharing& sharing, const Transfers& sums, const CounterRecord& from,
                   const SharingPlaces& places, std::int64_t processes)
{
    const auto share = [&](ProcessShare& to, std::size_t rank, std::size_t time, std::size_t bytes) {
        const std::int64_t process = from.numbers[rank];
        const auto ns = ns_of(from.times[time]);
        if (process < 0 || process >= processes || !ns) return;
        to = {process, *ns, count_of(from.numbers[bytes]).value_or(0)};
    };
    share(sharing.slowest, places.slowest, places.slowest_time, places.slowest_bytes);
    share(sharing.fastest, places.fastest, places.fastest_time, places.fastest_bytes);
    if (processes <= 0) return;
    const auto n = static_cast<std::uint64_t>(processes);
    sharing.processes = n;
    sharing.time = {n, sums.read_time + sums.write_time + sums.metadata_time,
                    at_least_0(from.times[places.time_variance] * ns_per_second * ns_per_second *
                               static_cast<double>(n))};
    sharing.bytes = {n, sums.bytes_read + sums.bytes_written,
                     at_least_0(from.times[places.bytes_variance] * static_cast<double>(n))};
}

// Darshan has the last byte, we the offset behind it; of nothing there is none.
template <class Row>
void finish(Row& row)
{
    if constexpr (std::is_base_of_v<Pattern, Row>) {
        row.highest_read = row.bytes_read == 0 ? 0 : sum_within(row.highest_read, 1);
        row.highest_written = row.bytes_written == 0 ? 0 : sum_within(row.highest_written, 1);
    }
}

template <class Row>
class LayerImport {
  public:
    LayerImport(Import& import, Layer layer, TotalsTable& totals)
        : import_(import),
          layer_(layer),
          totals_(totals),
          table_(record_table(layer)),
          plan_(plan(layer)),
          filler_(plan_),
          places_(plan_.counters()),
          rows_(import.log.rows<Row>())
    {}

    void run()
    {
        import_.problem(import_.file.each_record(table_.module,
                                                 [&](const CounterRecord& record) { return add(record); }));
        add_totals();
        for (const std::string& sentence : filler_.problems()) import_.problem(sentence);
        import_.tell_of_no_rank(table_.module, of_no_rank_);
        if (full_)
            import_.problem(
                fmt::format("module {}: it has more records than a file of this size should; "
                            "those after the first {} were left out",
                            name_of(table_.module), rows_.size()));
        tell_lacking();
    }

  private:
    static const RecordPlan& plan(Layer layer)
    {
        static const RecordPlan one(record_table(layer), columns_of<Row>());
        return one;
    }

    bool add(const CounterRecord& record)
    {
        constexpr std::size_t of_a_record = sizeof(Row) + sizeof(Totals) + sizeof(FileName) + 256;
        const auto process = import_.process_of(record.rank);
        if (!process) {
            ++of_no_rank_;
            return true;
        }
        if (!import_.take(of_a_record)) {
            full_ = true;
            return false;
        }
        Row row;
        filler_.fill(record, import_.clock, &row);
        row.file = import_.names.id_of(record.id);
        row.process = *process;
        if (has_bad_common_sizes(import_.file)) row.common_size = {};
        finish(row);
        if (layer_ == Layer::mpiio) import_.in_mpiio.insert(record.id);
        if (layer_ == Layer::stdio && !import_.names.is_stream(record.id)) import_.stdio_on_files = true;
        if (row.process == reduced) {
            share_reduced(row, row, record, places_, import_.processes);
            readers_unknown_ = readers_unknown_ || row.bytes_read > 0;
            writers_unknown_ = writers_unknown_ || row.bytes_written > 0;
        } else {
            if (import_.processes == 1 && joined(record.id, row)) return true;
            share_alone(row, row.process);
        }
        rows_.push_back(row);
        scopes_.push_back(scope_of(record.id));
        return true;
    }

    // A job of one process may have both a record of rank -1 and one of rank 0 on a file: its only process
    // has one row.
    bool joined(std::uint64_t darshan_id, const Row& row)
    {
        const auto [found, fresh] = row_of_.try_emplace(darshan_id, rows_.size());
        if (fresh) return false;
        Row& first = rows_[found->second];
        merge(first, row);
        share_alone(first, first.process);
        return true;
    }

    Scope scope_of(std::uint64_t darshan_id) const
    {
        if (import_.names.is_stream(darshan_id)) return Scope::streams;
        return layer_ != Layer::mpiio && import_.in_mpiio.contains(darshan_id) ? Scope::beneath_mpiio
                                                                               : Scope::direct;
    }

    void add_totals()
    {
        for (std::size_t at = 0; at < rows_.size(); ++at)
            totals_.add(rows_[at].process, layer_, scopes_[at], rows_[at]);
    }

    // What logs of a kind lack: always the same, so it is found out once.
    struct Lacking {
        explicit Lacking(const RecordTable& table)
            : common_sizes(
                  columns_without<Row>([](const Column& one) { return !is_common_size(one.label()); })),
              readers(columns_without<Row>(
                  [](const Column& one) { return !is_any_of(one.label(), &Sharing::readers); })),
              writers(columns_without<Row>(
                  [](const Column& one) { return !is_any_of(one.label(), &Sharing::writers); })),
              always(columns_without<Row>([&](const Column& column) {
                  const auto named = [&](const auto& row) { return row.column == column.label(); };
                  return is_sharing(column) ||
                         std::any_of(table.numbers.begin(), table.numbers.end(), named) ||
                         std::any_of(table.times.begin(), table.times.end(), named);
              }))
        {}
        ColumnSet common_sizes, readers, writers, always;
    };

    void tell_lacking()
    {
        static const Lacking lacking(table_);
        import_.log.not_recorded.merge(lacking.always);
        if (has_bad_common_sizes(import_.file)) import_.log.not_recorded.merge(lacking.common_sizes);
        if (readers_unknown_) import_.log.not_recorded.merge(lacking.readers);
        if (writers_unknown_) import_.log.not_recorded.merge(lacking.writers);
        if (filler_.records() > 0)
            filler_.each_not_told(
                [&](std::string_view label) { import_.log.mark_lacking(table_name<Row>(), label); });
    }

    Import& import_;
    Layer layer_;
    TotalsTable& totals_;
    const RecordTable& table_;
    const RecordPlan& plan_;
    RecordFiller filler_;
    SharingPlaces places_;
    std::vector<Row>& rows_;
    std::vector<Scope> scopes_;
    std::unordered_map<std::uint64_t, std::size_t> row_of_;  // of a job of one process, by Darshan's id
    std::uint64_t of_no_rank_ = 0;
    bool full_ = false, readers_unknown_ = false, writers_unknown_ = false;
};

}  // namespace

void import_records(Import& import)
{
    TotalsTable totals(import.log.rows<Totals>());
    // MPI-IO first: it shows which records of the others lie beneath it.
    LayerImport<MpiioRecord>(import, Layer::mpiio, totals).run();
    LayerImport<PosixRecord>(import, Layer::posix, totals).run();
    LayerImport<StdioRecord>(import, Layer::stdio, totals).run();
    totals.sort();
    import.log.mark_lacking(&Totals::failed);
    if (has_bad_common_sizes(import.file))
        import.problem(
            "the commonest sizes of accesses were left out: Darshan 3.2.0 wrote wrong ones, and "
            "warns that other counters may be wrong too");
}

}  // namespace fathom::darshan
