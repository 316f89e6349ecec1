// Slices of each process within the stretch, added up.
#include "analyzer/neighbours/spread.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "analyzer/job/figures.h"
#include "analyzer/job/slices.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/store/paths.h"
#include "parsers/open.h"

namespace fathom::neighbours {
namespace {

constexpr std::uintmax_t largest_log = 64 << 20;

// The first log of the job that can be read; nothing where there is none.
std::optional<Log> log_of(jobs::Database& database, Number id)
{
    for (const std::string& stored : jobs::logs_of(database, id)) {
        const std::string path = jobs::path_of_stored(stored);
        std::error_code unknown;
        const std::uintmax_t size = std::filesystem::file_size(path, unknown);
        if (unknown || size > largest_log) continue;
        try {
            return open_dataset(path);
        } catch (const std::exception&) {  // it has changed since it was added
        }
    }
    return {};
}

}  // namespace

std::optional<double> spread_of(const fathom::Job& job, std::uint64_t from, std::uint64_t to)
{
    std::map<std::size_t, double> bytes;
    const bool reads = mpiio_unseen_beneath(job, Direction::read),
               writes = mpiio_unseen_beneath(job, Direction::write);
    each_rank_slice(job, [&](const Slice& slice, std::size_t rank) {
        const std::uint64_t begin = std::max(from, slice.start),
                            end = std::min(to, slice.start + slice.length);
        if (begin >= end || slice.length == 0) return;
        const bool mpiio = static_cast<Layer>(slice.layer) == Layer::mpiio;
        const std::uint64_t moved =
            (!mpiio || reads ? slice.bytes_read : 0) + (!mpiio || writes ? slice.bytes_written : 0);
        if (moved > 0)
            bytes[rank] += static_cast<double>(moved) * static_cast<double>(end - begin) /
                           static_cast<double>(slice.length);
    });
    if (bytes.size() < 2) return {};
    double sum = 0, squares = 0;
    for (const auto& [rank, moved] : bytes) sum += moved;
    const double count = static_cast<double>(bytes.size()), mean = sum / count;
    for (const auto& [rank, moved] : bytes) squares += (moved - mean) * (moved - mean);
    return std::sqrt(squares / count) / mean;
}

void add_spreads(jobs::Database& database, Beside& beside)
{
    const auto wanted = [](const Neighbour& one) { return one.model && one.pair.active_overlap; };
    if (std::ranges::none_of(beside.neighbours, wanted)) return;
    const std::optional<Log> own_log = log_of(database, beside.job.id);
    std::optional<fathom::Job> own;
    if (own_log) own.emplace(*own_log);
    for (Neighbour& one : beside.neighbours) {
        if (!wanted(one)) continue;
        const std::uint64_t from = one.pair.active_overlap->from * one.pair.length,
                            to = one.pair.active_overlap->to * one.pair.length;
        if (own) one.spread[0] = spread_of(*own, from, to);
        if (const std::optional<Log> log = log_of(database, one.job.id))
            one.spread[1] = spread_of(fathom::Job(*log), from, to);
    }
}

}  // namespace fathom::neighbours
