// Counters of libraries, Lustre's layouts, and what moved when.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "parsers/darshan/from_log_parts.h"
#include "parsers/darshan/record_id.h"

namespace fathom::darshan {
namespace {

// Like Darshan's own: more make no better picture.
constexpr std::uint64_t most_heatmap_bins = 200;
constexpr std::uint64_t most_stripes_written = 1 << 16;

// The only rank that used each file; -1 where there were several.
class RankByFile {
  public:
    explicit RankByFile(const LogView& view)
    {
        add<PosixRecord>(view);
        add<StdioRecord>(view);
        add<MpiioRecord>(view);
    }
    std::int64_t of(std::uint64_t file) const
    {
        const auto found = ranks_.find(file);
        return found == ranks_.end() ? reduced : found->second;
    }

  private:
    template <class Record>
    void add(const LogView& view)
    {
        for (const Record& record : view.log().rows<Record>()) {
            const auto rank = view.rank_of(record);
            if (!rank) continue;
            std::int64_t& known = ranks_.try_emplace(record.file, *rank).first->second;
            if (known != *rank) known = reduced;
        }
    }

    std::unordered_map<std::uint64_t, std::int64_t> ranks_;
};

bool is_told(const LogView& view, const Slice& slice)
{
    // Of damaged logs: no sum of these leaves 64 bits.
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    return slice.start < most && slice.length < most && slice.layer < layers && view.rank_of(slice.process);
}

std::vector<std::int64_t> numbers_in(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::int64_t number = -1;
        std::from_chars(text.data(), text.data() + comma, number);
        numbers.push_back(number);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return numbers;
}

constexpr Module library_modules[] = {Module::h5f, Module::h5d, Module::pnetcdf_file, Module::pnetcdf_var};

Module library_of(std::string_view name)
{
    for (const Module module : library_modules)
        if (darshan::name_of(module) == name) return module;
    return Module::none;
}

// What Darshan's records have no place for.
void tell_library_losses(const LogView& view, Losses& losses)
{
    std::uint64_t beneath = 0, attributes = 0, whole = 0;
    for (const DatasetRecord& record : view.log().rows<DatasetRecord>()) {
        beneath += record.posix_reads + record.posix_writes + record.mpiio_reads + record.mpiio_writes;
        whole += record.whole;
    }
    for (const DataFileRecord& record : view.log().rows<DataFileRecord>()) {
        beneath += record.posix_reads + record.posix_writes + record.mpiio_reads + record.mpiio_writes;
        attributes += record.attribute_opens + record.attribute_creates + record.attribute_reads +
                      record.attribute_writes;
    }
    if (beneath > 0)
        losses.add(fmt::format("what lies beneath calls of HDF5 and PnetCDF: {} reads and writes", beneath));
    if (attributes > 0) losses.add(fmt::format("{} calls on attributes", attributes));
    if (whole > 0) losses.add(fmt::format("that {} reads and writes were of whole datasets", whole));
}

}  // namespace

void write_libraries(const LogView& view, Writer& writer, Losses& losses)
{
    const auto& rows = view.log().rows<LibraryCounter>();
    using Key = std::tuple<Module, std::int64_t, std::uint64_t, std::uint64_t>;
    std::map<Key, std::vector<const LibraryCounter*>> records;
    std::size_t unknown = 0;
    for (const LibraryCounter& row : rows) {
        const auto rank = view.rank_of(row.process);
        if (!rank) continue;
        const Module module = library_of(row.library);
        if (module == Module::none)
            ++unknown;
        else
            records[{module, *rank, row.file, row.container}].push_back(&row);
    }
    const auto write_told = [&](const Key& key, const std::vector<const LibraryCounter*>& counters) {
        const auto& [module, rank, file, container] = key;
        const Counters& known = *counters_of(module);
        std::vector<std::int64_t> numbers(known.numbers.size());
        std::vector<double> times(known.times.size());
        for (const LibraryCounter* const row : counters) {
            const auto number = std::find(known.numbers.begin(), known.numbers.end(), row->counter);
            const auto time = std::find(known.times.begin(), known.times.end(), row->counter);
            if (number != known.numbers.end())
                numbers[static_cast<std::size_t>(number - known.numbers.begin())] = row->number;
            else if (time != known.times.end())
                times[static_cast<std::size_t>(time - known.times.begin())] = row->seconds;
            else
                ++unknown;
        }
        writer.add(module, CounterRecord{view.id_of(file), rank, container == 0 ? 0 : view.id_of(container),
                                         numbers, times});
    };
    auto next = records.begin();
    for (const Module module : library_modules) {
        for (; next != records.end() && std::get<Module>(next->first) == module; ++next)
            write_told(next->first, next->second);
        write_library(view, module, writer);
    }
    tell_library_losses(view, losses);
    if (unknown > 0) losses.add(fmt::format("{} counters of libraries that Darshan does not have", unknown));
}

// Of the parts of a layout ours has the last one, whose extent it does not have: it is made the only one.
void write_layouts(const LogView& view, Writer& writer, Losses& losses)
{
    if (view.log().rows<Layout>().empty()) return;
    const RankByFile ranks(view);
    std::size_t unknown = 0;
    for (const Layout& layout : view.log().rows<Layout>()) {
        if (!view.tells_file(layout.file)) continue;
        LustreRecord record{view.id_of(layout.file), ranks.of(layout.file), {}, numbers_in(layout.servers)};
        const std::uint64_t stripes = std::min(layout.stripe_count, most_stripes_written);
        // Tools look for a server of each stripe.
        if (record.osts.size() < stripes) ++unknown;
        record.osts.resize(static_cast<std::size_t>(stripes), -1);
        record.components.push_back({.stripe_size = static_cast<std::int64_t>(layout.stripe_size),
                                     .stripe_count = static_cast<std::int64_t>(stripes),
                                     .pattern = 0,
                                     .flags = 0,
                                     .extent_start = 0,
                                     .extent_end = -1,
                                     .mirror = 0,
                                     .pool = layout.pool});
        writer.add(record);
    }
    if (unknown > 0)
        losses.add(fmt::format("servers of the later stripes of {} files: they are -1", unknown));
}

// Darshan's tools fail on a heatmap in which nothing moved.
std::array<bool, layers> layers_with_bytes(const LogView& view)
{
    std::array<bool, layers> has{};
    for (const Slice& slice : view.log().rows<Slice>())
        if (is_told(view, slice) && (slice.bytes_read > 0 || slice.bytes_written > 0))
            has[slice.layer] = true;
    return has;
}

// Bins count from the job's start, slices from that of UNIX time: a slice is shared out over the two bins
// that it lies in.
void write_heatmap(const LogView& view, Writer& writer, Losses& losses)
{
    const auto& slices = view.log().rows<Slice>();
    std::vector<std::uint32_t> order;
    std::uint64_t width = shortest_slice_ns, end = view.end(), operations = 0;
    const auto has_bytes = layers_with_bytes(view);
    for (std::uint32_t at = 0; at < slices.size(); ++at) {
        const Slice& slice = slices[at];
        if (!is_told(view, slice)) continue;
        operations += slice.reads + slice.writes + slice.metadata;
        if (!has_bytes[slice.layer]) continue;
        order.push_back(at);
        width = std::max(width, slice.length);
        end = std::max(end, slice.start + slice.length);
    }
    const auto bins_of = [&] { return (end - view.start() + width - 1) / width; };
    while (bins_of() > most_heatmap_bins) width *= 2;
    const std::size_t bins = std::max<std::size_t>(1, bins_of());

    const auto key_of = [&](std::uint32_t at) {
        return std::tuple(*view.rank_of(slices[at].process), slices[at].layer);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key_of(a) < key_of(b); });

    std::vector<std::int64_t> writes(bins), reads(bins);
    const auto share_out = [&](const Slice& slice, std::uint64_t bytes, std::vector<std::int64_t>& into) {
        const std::uint64_t slice_end = slice.start + slice.length;
        std::uint64_t given = 0;
        for (std::uint64_t at = std::max(slice.start, view.start()); given < bytes;) {
            const std::uint64_t bin = std::min((at - view.start()) / width, bins - 1);
            const std::uint64_t bin_end = view.start() + (bin + 1) * width;
            std::uint64_t until = bytes;
            if (bin_end < slice_end)
                until = static_cast<std::uint64_t>(static_cast<long double>(bytes) *
                                                   static_cast<long double>(bin_end - slice.start) /
                                                   static_cast<long double>(slice.length));
            into[bin] += static_cast<std::int64_t>(until - given);
            given = until;
            at = bin_end;
        }
    };
    for (std::size_t from = 0; from < order.size();) {
        const auto [rank, layer] = key_of(order[from]);
        std::fill(writes.begin(), writes.end(), 0);
        std::fill(reads.begin(), reads.end(), 0);
        std::size_t to = from;
        for (; to < order.size() && key_of(order[to]) == std::tuple(rank, layer); ++to) {
            const Slice& slice = slices[order[to]];
            share_out(slice, slice.bytes_written, writes);
            share_out(slice, slice.bytes_read, reads);
        }
        from = to;
        writer.add(HeatmapRecord{record_id(heatmap_names[layer]), rank, static_cast<double>(width) / 1e9,
                                 writes, reads});
    }
    if (operations > 0)
        losses.add(fmt::format(
            "of time bins: {} operations, their times, and which bytes were of streams; bytes are "
            "kept, in bins of {} s",
            operations, static_cast<double>(width) / 1e9));
}

}  // namespace fathom::darshan
