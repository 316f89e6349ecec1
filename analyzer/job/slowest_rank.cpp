// Picks the records that belong to a sum.
#include "analyzer/job/slowest_rank.h"

namespace fathom {
namespace {

RecordTime time_of(const RecordView& record)
{
    const std::uint64_t time = record.time();
    return {record.process,
            record.bytes(),
            time,
            record[&Sharing::slowest].process,
            record[&Sharing::slowest].process >= 0 ? record[&Sharing::slowest].time : 0,
            record[&Sharing::fastest].process >= 0 ? record[&Sharing::fastest].time : 0};
}

template <class Belongs>
SlowestTime slowest_where(const Job& job, Belongs belongs)
{
    std::vector<RecordTime> times;
    std::size_t file = 0;
    for (const RecordView& record : job.records) {
        while (job.files[file].file != record.file) ++file;
        if (belongs(record, job.files[file])) times.push_back(time_of(record));
    }
    return slowest_time(times, job.ranks.size());
}

}  // namespace

SlowestTime slowest_in(const Job& job, Layer layer)
{
    return slowest_where(job,
                         [&](const RecordView& record, const FileUse&) { return record.layer == layer; });
}

SlowestTime slowest_of(const Job& job)
{
    return slowest_where(job, [](const RecordView& record, const FileUse& use) {
        return use.kind != NameKind::stream && use.kind != NameKind::device &&
               (record.layer == Layer::mpiio || !use.by_mpiio);
    });
}

}  // namespace fathom
