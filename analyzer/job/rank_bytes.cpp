// Takes totals where a layer has them of every rank, else slices that add up to what the layer moved.
#include "analyzer/job/rank_bytes.h"

#include "analyzer/job/slices.h"

namespace fathom {
namespace {

std::uint64_t bytes_in(const Totals& totals, Direction direction)
{
    return direction == Direction::read ? totals.bytes_read : totals.bytes_written;
}

// False where it is not known.
bool add_layer(const Job& job, Layer layer, Direction direction, std::vector<std::uint64_t>& bytes)
{
    if (bytes_in(job.together.in(layer, Scope::direct), direction) == 0) {
        for (std::size_t at = 0; at < job.ranks.size(); ++at)
            bytes[at] += bytes_in(job.ranks[at].in(layer, Scope::direct), direction);
        return true;
    }
    std::uint64_t direct = 0, beneath = 0, timed = 0;
    job.each_share([&](const Member& member) {
        direct += bytes_in(member.in(layer, Scope::direct), direction);
        beneath += bytes_in(member.in(layer, Scope::beneath_mpiio), direction);
    });
    if (beneath > 0) return false;  // slices do not separate the two
    std::vector<std::uint64_t> by_slices(job.ranks.size());
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        if (static_cast<Layer>(slice.layer) != layer) return;
        const std::uint64_t moved = direction == Direction::read ? slice.bytes_read : slice.bytes_written;
        by_slices[rank] += moved;
        timed += moved;
    });
    if (timed != direct) return false;
    for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] += by_slices[at];
    return true;
}

}  // namespace

std::optional<std::array<std::vector<std::uint64_t>, 2>> rank_bytes_of(const Job& job)
{
    std::array<std::vector<std::uint64_t>, 2> bytes;
    for (const Direction direction : directions) {
        auto& of_direction = bytes[static_cast<std::size_t>(direction)];
        of_direction.resize(job.ranks.size());
        for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio})
            if (!add_layer(job, layer, direction, of_direction)) return std::nullopt;
    }
    return bytes;
}

}  // namespace fathom
