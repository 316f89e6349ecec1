// A rank did at least its own records, what the fastest did in shared ones, and more where it was the
// slowest.
#include "analyzer/findings/certain_work.h"

#include <algorithm>
#include <map>

#include "analyzer/job/rank_bytes.h"

namespace fathom {
namespace {

struct OfRank {
    double time = 0, bytes = 0, time_of_more_bytes = 0;
    bool named = false;
};

// Requests of next to nothing show no imbalance, however long they took.
constexpr double next_to_nothing = 0.01;

struct Sums {
    explicit Sums(const Job& of) : job(of), ranks(of.ranks.size()) {}

    OfRank& of(std::int64_t process)
    {
        const auto likely = static_cast<std::size_t>(process);
        const bool there = likely < ranks.size() && job.ranks[likely].process.process == process;
        OfRank& one = there ? ranks[likely] : others[process];
        one.named = true;
        return one;
    }

    const Job& job;
    std::vector<OfRank> ranks;              // that have the places of their numbers
    std::map<std::int64_t, OfRank> others;  // by process
    double fastest = 0;                     // ns: that every rank took
    OfRank all;
};

void add(Sums& sums, const RecordView& record)
{
    const auto time = static_cast<double>(record.time()), bytes = static_cast<double>(record.bytes());
    sums.all.time += time;
    sums.all.bytes += bytes;
    if (record.process != reduced) {
        OfRank& own = sums.of(record.process);
        own.time += time;
        own.bytes += bytes;
        return;
    }
    if (record[&Sharing::slowest].process < 0) return;
    const std::uint64_t fastest =
        record[&Sharing::fastest].process < 0
            ? 0
            : std::min(record[&Sharing::fastest].time, record[&Sharing::slowest].time);
    sums.fastest += static_cast<double>(fastest);
    OfRank& slowest = sums.of(record[&Sharing::slowest].process);
    slowest.time += static_cast<double>(record[&Sharing::slowest].time - fastest);
    slowest.bytes += static_cast<double>(record[&Sharing::slowest].bytes);
    if (record[&Sharing::fastest].process >= 0 &&
        record[&Sharing::fastest].process != record[&Sharing::slowest].process)
        sums.of(record[&Sharing::fastest].process).bytes +=
            static_cast<double>(record[&Sharing::fastest].bytes);
}

// Once the bytes of all are known.
void add_time_of_bytes(Sums& sums, const RecordView& record)
{
    const auto bytes = static_cast<double>(record.bytes());
    if (record.process != reduced) {
        OfRank& own = sums.of(record.process);
        if (bytes >= next_to_nothing * own.bytes)
            own.time_of_more_bytes +=
                static_cast<double>(record[&Transfers::read_time] + record[&Transfers::write_time]);
        return;
    }
    if (record[&Sharing::slowest].process < 0 || record[&Sharing::processes] < 2) return;
    const auto all = static_cast<double>(record[&Sharing::processes]),
               slowest = static_cast<double>(record[&Sharing::slowest].time),
               moved = static_cast<double>(record[&Sharing::slowest].bytes);
    const auto time = static_cast<double>(record.time());
    if (moved * all > bytes)
        sums.of(record[&Sharing::slowest].process).time_of_more_bytes +=
            std::max(slowest - std::max(time - slowest, 0.0) / (all - 1), 0.0);
}

template <class Visit>
void each_record_of_job(const Job& job, Visit visit)
{
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        const FileUse& use = job.files[file];
        const bool stream = use.kind == NameKind::stream || use.kind == NameKind::device;
        if (!stream && (record.layer == Layer::mpiio || !use.by_mpiio)) visit(record);
    }
}

}  // namespace

std::vector<CertainWork> certain_work_of(const Job& job)
{
    if (!job.mpi || job.told_apart() || job.ranks.size() < 2) return {};
    Sums sums(job);
    each_record_of_job(job, [&](const RecordView& record) { add(sums, record); });
    each_record_of_job(job, [&](const RecordView& record) { add_time_of_bytes(sums, record); });
    const auto exact_bytes = rank_bytes_of(job);
    const auto others = static_cast<double>(job.ranks.size() - 1);
    std::vector<CertainWork> all;
    for (const auto& [process, sum] : sums.others)
        if (const std::int64_t index = job.rank_index(process); index >= 0)
            sums.ranks[static_cast<std::size_t>(index)] = sum;
    for (std::size_t rank = 0; rank < sums.ranks.size(); ++rank) {
        const OfRank& sum = sums.ranks[rank];
        if (!sum.named) continue;
        CertainWork work{.rank = rank,
                         .time = sum.time + sums.fastest,
                         .bytes = sum.bytes,
                         .time_of_more_bytes = sum.time_of_more_bytes};
        if (exact_bytes) work.bytes = static_cast<double>((*exact_bytes)[0][rank] + (*exact_bytes)[1][rank]);
        work.time_of_others = std::max(sums.all.time - work.time, 0.0) / others;
        work.bytes_of_others = std::max(sums.all.bytes - work.bytes, 0.0) / others;
        all.push_back(work);
    }
    return all;
}

}  // namespace fathom
