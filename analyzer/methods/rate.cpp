// MiB/s/CN and the bytes that go into it.
#include "analyzer/methods/rate.h"

namespace fathom {

Rate rate_of(std::uint64_t bytes, std::uint64_t time, std::uint64_t nodes)
{
    Rate rate{.bytes = bytes, .time = time, .nodes = nodes};
    rate.has_total = bytes > 0 && time > 0;
    rate.defined = rate.has_total && nodes > 0;
    if (rate.has_total)
        rate.total = static_cast<double>(bytes) / mebibyte / (static_cast<double>(time) / 1e9);
    if (rate.defined) rate.per_node = rate.total / static_cast<double>(nodes);
    return rate;
}

Rate rate_by_slowest_rank(std::span<const RankIo> ranks, std::uint64_t nodes)
{
    std::uint64_t bytes = 0, longest = 0;
    std::size_t slowest = 0;
    for (std::size_t at = 0; at < ranks.size(); ++at) {
        bytes += ranks[at].bytes;
        if (ranks[at].time <= longest) continue;
        longest = ranks[at].time;
        slowest = at;
    }
    Rate rate = rate_of(bytes, longest, nodes);
    rate.slowest = slowest;
    return rate;
}

std::uint64_t lowest_layer_bytes(const LayerBytes& bytes)
{
    const std::uint64_t beneath = bytes.posix_beneath_mpiio + bytes.stdio_beneath_mpiio;
    return bytes.posix_direct + bytes.stdio_direct + (beneath > 0 ? beneath : bytes.mpiio);
}

}  // namespace fathom
