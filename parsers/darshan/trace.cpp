// Reads them from the file anew each time that they are asked for.
#include "parsers/darshan/trace.h"

#include <algorithm>

#include "logformat/log/trace.h"

namespace fathom::darshan {
namespace {

class TraceElsewhere {
  public:
    TraceElsewhere(std::shared_ptr<const File> file, const Import& import)
        : file_(std::move(file)),
          files_(import.traced_files),
          clock_(import.clock),
          processes_(import.processes)
    {}

    std::vector<std::string> operator()(const TraceVisit& visit) const
    {
        std::vector<std::string> problems;
        bool going = true;
        for (const TracedLayer& traced : traced_layers) {
            if (!going) break;
            TraceEvent event;
            event.layer = traced.layer;
            bool threads = false;
            const Problem problem = file_->each_dxt(
                traced.module,
                [&](const DxtRecord& record) {
                    const auto process = process_of(record.rank, processes_);
                    const auto file = files_->find(record.id);
                    if (!process || *process == reduced || file == files_->end()) return false;
                    event.process = *process;
                    event.file = file->second;
                    threads = record.has_threads;
                    return true;
                },
                [&](const DxtSegment& segment) {
                    const TracedOperation operation = operation_of(segment, clock_);
                    event.kind = segment.write ? Kind::write : Kind::read;
                    event.offset = count_of(segment.offset).value_or(no_offset);
                    event.size = operation.bytes;
                    event.start = operation.start;
                    event.duration = operation.end - operation.start;
                    event.thread = event.tid = threads ? segment.thread : 0;
                    going = visit(event);
                    return going;
                });
            if (!problem.empty()) problems.push_back(problem);
        }
        return problems;
    }

  private:
    std::shared_ptr<const File> file_;
    std::shared_ptr<const std::unordered_map<std::uint64_t, std::uint64_t>> files_;
    JobClock clock_;
    std::int64_t processes_;
};

}  // namespace

TracedOperation operation_of(const DxtSegment& segment, const JobClock& clock)
{
    TracedOperation operation;
    operation.start = clock.start + ns_of(segment.start).value_or(0);
    operation.end = std::max(operation.start, clock.start + ns_of(segment.end).value_or(0));
    operation.bytes = count_of(segment.length).value_or(0);
    return operation;
}

void offer_trace(const std::shared_ptr<const File>& file, const Import& import)
{
    if (!import.traced_files->empty()) import.log.trace_elsewhere = TraceElsewhere(file, import);
}

}  // namespace fathom::darshan
