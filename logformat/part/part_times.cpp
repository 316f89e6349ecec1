// Merges the threads' histograms and slices, and converts their clock.
#include "logformat/part/part_times.h"

#include <algorithm>
#include <cstring>

namespace fathom {
namespace {

// The counts of the bins of one shift; none where a part is damaged.
std::span<const std::uint64_t> counts_at(std::span<const std::byte> part, std::uint32_t origin,
                                         unsigned shift)
{
    const auto at = static_cast<std::uint64_t>(std::int64_t{origin} - OctaveChunk::origin(shift));
    const std::size_t counts = OctaveChunk::counts(shift);
    if (origin == 0 || at % chunk_alignment != 0 || at > part.size() ||
        part.size() - at < sizeof(OctaveChunk) + (counts - 1) * sizeof(std::uint64_t))
        return {};
    const auto* const octave = reinterpret_cast<const OctaveChunk*>(part.data() + at);
    const bool whole = octave->header.mark.load(std::memory_order_acquire) == chunk_mark &&
                       octave->header.kind == ChunkKind::octave;
    return whole ? std::span(octave->count, counts) : std::span<const std::uint64_t>();
}

// Spreads what fell into one bin of ticks over the bins of nanoseconds that it covers, by how much of it they
// cover; all of it arrives.
void spread(std::uint64_t count, double from, double to, std::span<std::uint64_t> bins_of_ns)
{
    std::size_t number = bins::bin_of(static_cast<std::uint64_t>(from)).number();
    std::uint64_t given = 0;
    for (; given < count; ++number) {
        const double below =
            static_cast<double>(bins::at_least(number)) + static_cast<double>(bins::width(number));
        const bool last = below >= to || number + 1 == bins_of_ns.size();
        const double part = last ? 1 : (below - from) / (to - from);
        const auto until = last ? count : static_cast<std::uint64_t>(static_cast<double>(count) * part + 0.5);
        if (until <= given) continue;
        bins_of_ns[number] += until - given;
        given = until;
    }
}

}  // namespace

void PartTimes::add(const HistogramChunk& histogram)
{
    if (histogram.row < timing_places * histogram_count) histograms_.append_row(&histogram);
}

void PartTimes::add_sums(std::uint64_t place, std::uint64_t number, std::uint32_t level,
                         const std::uint64_t* sum)
{
    constexpr std::uint32_t most_level = 40;
    if (level > most_level || std::all_of(sum, sum + slice_sums, [](std::uint64_t one) { return one == 0; }))
        return;
    Sums sums{place, number, level, {}};
    std::copy(sum, sum + slice_sums, sums.sum);
    slices_.append_row(sums);
}

void PartTimes::add(const SlicesChunk& table)
{
    const std::size_t room = (table.header.bytes - offsetof(SlicesChunk, entry)) / sizeof(SlicesChunk::Entry);
    for (std::size_t at = 0; at < std::min<std::size_t>(table.capacity, room); ++at) {
        const SlicesChunk::Entry& entry = table.entry[at];
        const std::uint64_t key = entry.key.load(std::memory_order_relaxed);
        if (key == 0) continue;
        std::uint64_t sum[slice_sums];
        for (std::size_t which = 0; which < slice_sums; ++which)
            sum[which] = entry.sum[which].load(std::memory_order_relaxed);
        add_sums((key - 1) % timing_places, (key - 1) / timing_places, table.level, sum);
    }
}

void PartTimes::add(const ThreadChunk& thread)
{
    for (std::size_t place = 0; place < timing_places; ++place)
        add_sums(place, thread.slice_number, thread.slice_level, thread.slice[place]);
}

void PartTimes::make_rows(std::int64_t process, PartRows& rows)
{
    auto all = histograms_.as<const HistogramChunk*>();
    std::sort(all.begin(), all.end(),
              [](const HistogramChunk* a, const HistogramChunk* b) { return a->row < b->row; });
    while (!all.empty()) {
        std::size_t same = 1;
        while (same < all.size() && all[same]->row == all[0]->row) ++same;
        make_histogram(all.first(same), rows);
        all = all.subspan(same);
    }
    make_slices(process, rows.slices);
}

void PartTimes::make_histogram(std::span<const HistogramChunk* const> of_one_class, PartRows& rows)
{
    counts_.clear();
    std::uint64_t* const zeros = counts_.append_array<std::uint64_t>(2 * bins::count);
    if (zeros == nullptr) return;
    std::memset(zeros, 0, 2 * bins::count * sizeof *zeros);
    const std::span<std::uint64_t> ticks(zeros, bins::count), ns(zeros + bins::count, bins::count);

    const std::size_t place = of_one_class.front()->row / histogram_count;
    const auto [kind, size_class] = kind_of_histogram(of_one_class.front()->row % histogram_count);
    OperationTimes times;
    times.layer = place / 2;
    times.streams = place % 2;
    times.kind = static_cast<std::uint64_t>(kind);
    times.size_class = size_class;
    for (const HistogramChunk* const one : of_one_class) {
        times.time += one->time;
        times.longest = std::max(times.longest, one->longest);
        for (unsigned shift = 0; shift < bins::shifts; ++shift) {
            std::size_t number = bins::Bin{shift, OctaveChunk::first(shift)}.number();
            const std::uint32_t origin = one->octave[shift].load(std::memory_order_acquire);
            for (const std::uint64_t count : counts_at(part_, origin, shift)) ticks[number++] += count;
        }
    }
    for (std::size_t at = 0; at < bins::count; ++at) {
        if (ticks[at] == 0) continue;
        times.operations += ticks[at];
        const auto from = static_cast<double>(bins::at_least(at)) * clock_.ns_per_tick;
        const auto to = from + static_cast<double>(bins::width(at)) * clock_.ns_per_tick;
        spread(ticks[at], from, to, ns);
    }
    if (times.operations == 0) return;
    times.time = clock_.duration(times.time);
    times.longest = clock_.duration(times.longest);
    rows.operations.append_row(times);
    for (std::size_t at = 0; at < bins::count; ++at)
        if (ns[at] != 0)
            rows.durations.append_row(
                DurationBin{times, bins::at_least(at), bins::at_least(at) + bins::width(at), ns[at]});
}

void PartTimes::make_slices(std::int64_t process, Bytes& to)
{
    const auto all = slices_.as<Sums>();
    std::uint32_t level = 0;
    for (const Sums& one : all) level = std::max(level, one.level);
    for (Sums& one : all) one.number >>= level - one.level;
    std::sort(all.begin(), all.end(), [](const Sums& a, const Sums& b) {
        return a.place != b.place ? a.place < b.place : a.number < b.number;
    });
    const std::uint64_t length = shortest_slice_ns << level;
    Slice* row = nullptr;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const Sums& one = all[at];
        if (at == 0 || one.place != all[at - 1].place || one.number != all[at - 1].number) {
            row = to.append_array<Slice>(1);
            if (row == nullptr) return;
            *row = {process, one.place / 2, one.place % 2, one.number * length, length};
        }
        const auto sum = [&](SliceSum which) { return one.sum[static_cast<std::size_t>(which)]; };
        row->reads += sum(SliceSum::reads);
        row->writes += sum(SliceSum::writes);
        row->metadata += sum(SliceSum::metadata);
        row->bytes_read += sum(SliceSum::bytes_read);
        row->bytes_written += sum(SliceSum::bytes_written);
        row->read_time += clock_.duration(sum(SliceSum::read_time));
        row->write_time += clock_.duration(sum(SliceSum::write_time));
        row->metadata_time += clock_.duration(sum(SliceSum::metadata_time));
    }
}

}  // namespace fathom
