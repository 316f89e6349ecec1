// A part's clock, its texts, and whether it is one.
#include "logformat/part/part.h"

#include <time.h>
#include <x86intrin.h>

namespace fathom {

std::uint32_t part_layout()
{
    std::uint32_t shape = 5;
    for (const std::size_t size : {sizeof(PartHeader),
                                   sizeof(NameChunk),
                                   sizeof(LayoutChunk),
                                   sizeof(HintsChunk),
                                   sizeof(FailuresChunk),
                                   sizeof(ThreadChunk),
                                   sizeof(SketchChunk),
                                   sizeof(DeathsChunk),
                                   sizeof(StartsChunk),
                                   sizeof(HistogramChunk),
                                   sizeof(OctaveChunk),
                                   sizeof(SlicesChunk),
                                   sizeof(TraceChunk),
                                   sizeof(TraceWork),
                                   sizeof(TraceBytesChunk),
                                   sizeof(TracePlacesChunk),
                                   sizeof(CountersOf<PosixCounters>),
                                   sizeof(CountersOf<StdioCounters>),
                                   sizeof(CountersOf<MpiioCounters>),
                                   sizeof(CollectivesChunk),
                                   sizeof(StatementsChunk),
                                   sizeof(CountersOf<DataFileCounters>),
                                   sizeof(CountersOf<DatasetCounters>)})
        shape = shape * 31 + static_cast<std::uint32_t>(size);
    return shape;
}

std::uint64_t ClockMap::duration(std::uint64_t t) const
{
    const double duration = static_cast<double>(t) * ns_per_tick + 0.5;
    constexpr double too_long = 0x1p64;  // only of a part that is damaged
    return duration < too_long ? static_cast<std::uint64_t>(duration) : UINT64_MAX;
}

std::uint64_t ClockMap::instant(std::uint64_t t) const
{
    if (t == 0) return 0;
    return t >= ticks ? ns + duration(t - ticks) : ns - duration(ticks - t);
}

std::uint64_t ticks_now(ClockKind kind)
{
    if (kind == ClockKind::tsc) return __rdtsc();
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t unix_ns_now()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

ClockMap own_clock(const PartHeader& header)
{
    ClockMap map{header.start_ticks, header.start_ns, 1};
    const std::uint64_t ticks = ticks_now(header.clock), ns = ticks_now(ClockKind::monotonic);
    if (ticks > header.start_ticks && ns > header.start_monotonic_ns)
        map.ns_per_tick = static_cast<double>(ns - header.start_monotonic_ns) /
                          static_cast<double>(ticks - header.start_ticks);
    return map;
}

bool is_part(std::span<const std::byte> part)
{
    if (part.size() < sizeof(PartHeader)) return false;
    const auto& header = *reinterpret_cast<const PartHeader*>(part.data());
    return header.magic == part_magic && header.layout == part_layout();
}

FailedPathSums* failed_sums_of(PartRows& rows)
{
    if (rows.failed_sums.size() == 0)
        if (FailedPathSums* const fresh = rows.failed_sums.append_array<FailedPathSums>(1)) fresh->size = 0;
    const auto all = rows.failed_sums.as<FailedPathSums>();
    return all.empty() ? nullptr : all.data();
}

void make_failed_rows(PartRows& rows)
{
    rows.failed_paths.clear();
    for (FailedPathSums& all : rows.failed_sums.as<FailedPathSums>()) {
        all.sort();
        for (const FailedPathSums::Sum& one : std::span(all.sum).first(static_cast<std::size_t>(all.size)))
            rows.failed_paths.append_row(
                FailedPath{one.text.path(), one.calls, one.error, one.text.cause, one.slept});
    }
}

std::string_view part_text(std::span<const std::byte> part, std::uint32_t at)
{
    if (at == 0 || at % chunk_alignment != 0 || at > part.size() || part.size() - at < sizeof(TextChunk))
        return {};
    const auto* const chunk = reinterpret_cast<const TextChunk*>(part.data() + at);
    if (chunk->header.mark.load(std::memory_order_acquire) != chunk_mark ||
        chunk->header.kind != ChunkKind::text)
        return {};
    if (chunk->length > part.size() - at - sizeof(TextChunk)) return {};
    return {chunk->text, chunk->length};
}

}  // namespace fathom
