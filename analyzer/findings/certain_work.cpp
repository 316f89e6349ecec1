// A rank did at least its own records, what the fastest did in shared ones, and more where it was the
// slowest.
#include "analyzer/findings/certain_work.h"

#include <algorithm>
#include <map>

#include "analyzer/studies/rank_bytes.h"

namespace fathom {
namespace {

struct OfRank {
    double time = 0, bytes = 0;
};

struct Sums {
    std::map<std::int64_t, OfRank> ranks;  // by process
    double fastest = 0;                    // ns: that every rank took
    OfRank all;
};

void add(Sums& sums, const RecordView& record)
{
    const Transfers& done = *record.transfers;
    const Sharing& by = *record.sharing;
    const auto time = static_cast<double>(done.read_time + done.write_time + done.metadata_time),
               bytes = static_cast<double>(done.bytes_read + done.bytes_written);
    sums.all.time += time;
    sums.all.bytes += bytes;
    if (record.process != reduced) {
        OfRank& own = sums.ranks[record.process];
        own.time += time;
        own.bytes += bytes;
        return;
    }
    if (by.slowest.process < 0) return;
    const std::uint64_t fastest = by.fastest.process < 0 ? 0 : std::min(by.fastest.time, by.slowest.time);
    sums.fastest += static_cast<double>(fastest);
    OfRank& slowest = sums.ranks[by.slowest.process];
    slowest.time += static_cast<double>(by.slowest.time - fastest);
    slowest.bytes += static_cast<double>(by.slowest.bytes);
    if (by.fastest.process >= 0 && by.fastest.process != by.slowest.process)
        sums.ranks[by.fastest.process].bytes += static_cast<double>(by.fastest.bytes);
}

}  // namespace

std::vector<CertainWork> certain_work_of(const Job& job)
{
    if (!job.mpi || job.told_apart() || job.ranks.size() < 2) return {};
    Sums sums;
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const FileUse& use = job.files[file];
        const bool stream = use.kind == NameKind::stream || use.kind == NameKind::device;
        if (!stream && (record.layer == Layer::mpiio || !use.by_mpiio)) add(sums, record);
    }
    const auto exact_bytes = rank_bytes_of(job);
    const auto others = static_cast<double>(job.ranks.size() - 1);
    std::vector<CertainWork> all;
    for (const auto& [process, sum] : sums.ranks) {
        const std::int64_t index = job.rank_index(process);
        if (index < 0) continue;
        const auto rank = static_cast<std::size_t>(index);
        CertainWork work{.rank = rank, .time = sum.time + sums.fastest, .bytes = sum.bytes};
        if (exact_bytes) work.bytes = static_cast<double>((*exact_bytes)[0][rank] + (*exact_bytes)[1][rank]);
        work.time_of_others = std::max(sums.all.time - work.time, 0.0) / others;
        work.bytes_of_others = std::max(sums.all.bytes - work.bytes, 0.0) / others;
        all.push_back(work);
    }
    return all;
}

}  // namespace fathom
