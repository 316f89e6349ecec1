// When I/O happened and how long it took: from DXT, operation by operation, and where a layer has none, from
// the bytes in each bin of its heatmap.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "logformat/log/lacking.h"
#include "logformat/log/words.h"
#include "logformat/slice_rows.h"
#include "parsers/darshan/import.h"
#include "parsers/darshan/trace.h"
#include "parsers/shared/burst_list.h"
#include "parsers/shared/duration_histograms.h"
#include "parsers/shared/slice_table.h"

namespace fathom::darshan {
namespace {

struct HeatmapName {
    std::string_view name;
    Layer layer;
};
constexpr HeatmapName heatmap_names[] = {
    {"heatmap:POSIX", Layer::posix}, {"heatmap:STDIO", Layer::stdio}, {"heatmap:MPIIO", Layer::mpiio}};

std::optional<Layer> heatmap_layer(const File& file, std::uint64_t id)
{
    const std::string_view name = file.name_of(id);
    for (const HeatmapName& one : heatmap_names)
        if (one.name == name) return one.layer;
    return std::nullopt;
}

// Slices are as many as our own recorder would make of processes that are busy all the time.
std::size_t most_slices(std::int64_t processes)
{
    constexpr std::int64_t of_each = 128, least = 4096, most = most_slice_rows;
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(std::clamp<std::int64_t>(processes, 1, most) * of_each, least, most));
}

class Timings {
  public:
    explicit Timings(Import& import) : import_(import), slices_(most_slices(import.processes)) {}

    void run()
    {
        for (const TracedLayer& traced : traced_layers) take_dxt(traced);
        take_heatmap();
        make_rows();
        tell_lacking();
    }

  private:
    enum class From : std::uint8_t { nothing, dxt, heatmap };

    From& from(Layer layer) { return from_[static_cast<std::size_t>(layer)]; }

    bool has_heatmap(Layer layer) const
    {
        bool found = false;
        import_.file.each_heatmap([&](const HeatmapRecord& record) {
            found = heatmap_layer(import_.file, record.id) == layer;
            return !found;
        });
        return found;
    }

    void take_dxt(const TracedLayer& traced)
    {
        const ModuleRegion* const region = import_.file.find(traced.module);
        if (region == nullptr) return;
        // A trace that broke off says less of when I/O happened than the heatmap does.
        const bool in_slices = !region->partial || !has_heatmap(traced.layer);
        std::uint64_t operations = 0, of_no_rank = 0;
        bool streams = false, full = false;
        Import::Traced* process = nullptr;
        BurstList* bursts = nullptr;
        SliceTable::Target target;
        target.layer = static_cast<std::uint64_t>(traced.layer);
        const auto begin = [&](const DxtRecord& record) {
            constexpr std::size_t of_a_process = sizeof(Import::Traced) + BurstList::most * sizeof(Burst);
            const auto number = import_.process_of(record.rank);
            if (!number || *number == reduced) {
                ++of_no_rank;
                return false;
            }
            if (!import_.traced.contains(*number) && !import_.take(of_a_process)) {
                full = true;
                return false;
            }
            import_.traced_files->emplace(record.id, import_.names.id_of(record.id));
            process = &import_.traced[*number];
            if (process->host.empty()) process->host = keep_host(record.host);
            bursts = &bursts_[*number];
            streams = import_.names.is_stream(record.id);
            target.process = *number;
            target.streams = streams;
            return true;
        };
        const auto add = [&](const DxtSegment& segment) {
            const TracedOperation operation = operation_of(segment, import_.clock);
            ++operations;
            ++process->operations;
            target.sums = segment.write ? SliceSums::writes : SliceSums::reads;
            histograms_.add(traced.layer, streams, segment.write ? Kind::write : Kind::read, operation.bytes,
                            operation.end - operation.start);
            if (in_slices) slices_.add_operation(target, operation.start, operation.end, operation.bytes);
            if (!streams && operation.bytes > 0) bursts->add(operation.start, operation.end);
            return true;
        };
        import_.problem(import_.file.each_dxt(traced.module, begin, add));
        if (operations > 0 && in_slices) from(traced.layer) = From::dxt;
        traced_any_ = traced_any_ || operations > 0;
        if (of_no_rank > 0)
            import_.problem(
                fmt::format("module {}: operations of {} records, of ranks that the job does not "
                            "have, were left out",
                            name_of(traced.module), of_no_rank));
        if (full)
            import_.problem(
                fmt::format("module {}: operations of some ranks are left out of time bins and "
                            "histograms: a file of this size should not have so many ranks",
                            name_of(traced.module)));
        compare_with_counters(traced, operations);
    }

    // Says how many reads and writes are in the counters and not in the trace.
    void compare_with_counters(const TracedLayer& traced, std::uint64_t operations)
    {
        std::uint64_t counted = 0;
        for (const Totals& totals : import_.log.rows<Totals>())
            if (totals.layer == static_cast<std::uint64_t>(traced.layer))
                counted += totals.reads + totals.writes;
        if (operations > 0 && operations < counted)
            import_.problem(
                fmt::format("module {}: it traced {} of {} reads and writes; histograms of "
                            "durations and bursts of I/O have these alone",
                            name_of(traced.module), operations, counted));
    }

    void take_heatmap()
    {
        bool wrong = false;
        import_.problem(import_.file.each_heatmap([&](const HeatmapRecord& record) {
            const auto layer = heatmap_layer(import_.file, record.id);
            if (!layer || from(*layer) == From::dxt) return true;
            const auto process = import_.process_of(record.rank);
            const auto bin_ns = ns_of(record.bin_seconds);
            if (!process || !bin_ns || *bin_ns == 0 || *process == reduced) {
                wrong = true;
                return true;
            }
            from(*layer) = From::heatmap;
            // Slices shorter than the bins would seem to say more than there is; a trace's may.
            if (!traced_any_) slices_.at_least(*bin_ns);
            SliceTable::Target target;
            target.process = *process;
            target.layer = static_cast<std::uint64_t>(*layer);
            // It does not say which bytes went to standard streams; most often it is all or none of them.
            target.streams = *layer == Layer::stdio && !import_.stdio_on_files;
            add_bins(target, record, *bin_ns);
            return true;
        }));
        if (wrong)
            import_.problem(
                "module HEATMAP: records of ranks that the job does not have, or without a width "
                "of their bins, were left out");
    }

    void add_bins(SliceTable::Target target, const HeatmapRecord& record, std::uint64_t bin_ns)
    {
        for (std::size_t bin = 0; bin < record.writes.size(); ++bin) {
            if (record.writes[bin] <= 0 && record.reads[bin] <= 0) continue;
            constexpr std::uint64_t most_ns = std::uint64_t{1} << 62;
            if (bin >= most_ns / bin_ns) break;
            const std::uint64_t start = import_.clock.start + bin * bin_ns;
            // The last bin lasts until the job ended.
            std::uint64_t end = start + bin_ns;
            if (import_.clock.end > start && import_.clock.end < end) end = import_.clock.end;
            target.sums = SliceSums::writes;
            slices_.add_bytes(target, start, end, count_of(record.writes[bin]).value_or(0));
            target.sums = SliceSums::reads;
            slices_.add_bytes(target, start, end, count_of(record.reads[bin]).value_or(0));
        }
    }

    std::string_view keep_host(std::string_view host)
    {
        const auto found = hosts_.find(host);
        return found != hosts_.end() ? *found : *hosts_.insert(import_.log.keep(host)).first;
    }

    void make_rows()
    {
        Log& log = import_.log;
        log.rows<Slice>() = slices_.take_rows();
        histograms_.make_rows(log);
        for (const auto& [process, bursts] : bursts_) {
            import_.traced[process].burst_gap = bursts.gap();
            for (const BurstList::Stretch& stretch : bursts.stretches())
                log.rows<Burst>().push_back({process, stretch.start, stretch.end});
        }
    }

    void tell_lacking()
    {
        Log& log = import_.log;
        std::string sources;
        bool dxt = false, any = false;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            if (from_[layer] == From::nothing) continue;
            any = true;
            dxt = dxt || from_[layer] == From::dxt;
            add_to_list(sources, fmt::format("{} for {}", from_[layer] == From::dxt ? "DXT" : "HEATMAP",
                                             layer_titles[layer]));
        }
        if (any) log.add_fact("time_bins_from", sources);
        if (traced_any_) log.add_fact("histograms_of", "reads and writes alone, of what DXT traced");
        if (!traced_any_) {
            mark_lacking<Burst>(log);
            mark_lacking<OperationTimes>(log);
            mark_lacking<DurationBin>(log);
        }
        mark_lacking<Slice>(log, [&](const Column& column) {
            if (is_any_of(column.label(), &Slice::metadata, &Slice::metadata_time)) return false;
            const bool of_operations = is_any_of(column.label(), &Slice::reads, &Slice::writes,
                                                 &Slice::read_time, &Slice::write_time);
            return of_operations ? dxt : any;
        });
    }

    Import& import_;
    SliceTable slices_;
    DurationHistograms histograms_;
    std::map<std::int64_t, BurstList> bursts_;
    std::set<std::string_view> hosts_;
    std::array<From, layers> from_{};
    bool traced_any_ = false;
};

}  // namespace

void import_timings(Import& import)
{
    Timings(import).run();
}

}  // namespace fathom::darshan
