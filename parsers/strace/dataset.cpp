// Sums the operations of a trace up to the tables of a log.
#include "parsers/strace/dataset.h"

#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include "logformat/excluded.h"
#include "logformat/log/column_name.h"
#include "logformat/log/lacking.h"
#include "logformat/log/trace.h"
#include "logformat/part/part_rows.h"
#include "logformat/slice_rows.h"
#include "parsers/shared/burst_list.h"
#include "parsers/shared/duration_histograms.h"
#include "parsers/shared/slice_table.h"
#include "parsers/shared/totals_table.h"
#include "parsers/strace/tally.h"

namespace fathom::strace {
namespace {

// What a trace says of nodes: strace follows processes of the one that it runs on.
constexpr std::string_view one_node = "(one node)";

class Sums : public OperationSink {
  public:
    // Whose room the records take.
    void take_room_of(Replay& replay) { replay_ = &replay; }

    bool take(const Operation& operation) override
    {
        tally_of(operation).add(operation);
        const bool streams = operation.file->streams();
        const std::uint64_t took = operation.end - operation.start;
        histograms_.add(Layer::posix, streams, operation.kind, operation.size, took);
        SliceTable::Target target;
        target.process = operation.process;
        target.streams = streams;
        target.sums = sums_of(operation.kind);
        slices_.add_operation(target, operation.start, operation.end, operation.size);
        if (!streams && operation.size > 0) bursts_[operation.process].add(operation.start, operation.end);
        return true;
    }

    void make_rows(Log& log);

  private:
    Tally& tally_of(const Operation& operation)
    {
        if (last_ != nullptr && operation.file == last_file_ && operation.process == last_process_)
            return *last_;
        constexpr std::size_t of_each = sizeof(Tally) + sizeof(PosixRecord) + 512;
        auto found = tallies_.find({operation.process, operation.file->id});
        if (found == tallies_.end()) {
            const bool room = operation.file->streams() || replay_->room().take(of_each);
            File& file = room ? const_cast<File&>(*operation.file) : replay_->files().further();
            file.used = true;
            found = tallies_.try_emplace({operation.process, file.id}, OfFile{&file, {}}).first;
        }
        last_ = &found->second.tally;
        last_file_ = operation.file;
        last_process_ = operation.process;
        return *last_;
    }

    struct OfFile {
        const File* file = nullptr;
        Tally tally;
    };
    std::map<std::pair<std::int64_t, std::uint64_t>, OfFile> tallies_;  // by process and id of the file
    Tally* last_ = nullptr;
    const File* last_file_ = nullptr;
    std::int64_t last_process_ = -1;
    Replay* replay_ = nullptr;
    DurationHistograms histograms_;
    SliceTable slices_{most_slice_rows / 4};
    std::map<std::int64_t, BurstList> bursts_;
};

void Sums::make_rows(Log& log)
{
    TotalsTable totals(log.rows<Totals>());
    for (const auto& [key, of] : tallies_) {
        const File* const file = of.file;
        const std::int64_t process = key.first;
        PosixRecord& record = log.rows<PosixRecord>().emplace_back(of.tally.record());
        record.file = file->id;
        share_alone(record, process);
        totals.add(process, Layer::posix, file->streams() ? Scope::streams : Scope::direct, record);
    }
    totals.sort();
    for (const File& file : replay_->files().all())
        if (file.used)
            log.rows<FileName>().push_back(
                {file.id, static_cast<std::uint64_t>(file.kind), log.keep(file.path), 0});
    histograms_.make_rows(log);
    log.rows<Slice>() = slices_.take_rows();
    for (const Run& run : replay_->runs()) {
        Process& row = log.rows<Process>().emplace_back(run.row);
        row.program = log.keep(run.program);
        row.command = log.keep(run.command);
        row.host = one_node;
        const auto bursts = bursts_.find(row.process);
        if (bursts == bursts_.end()) continue;
        row.burst_gap = bursts->second.gap();
        for (const BurstList::Stretch& stretch : bursts->second.stretches())
            log.rows<Burst>().push_back({row.process, stretch.start, stretch.end});
    }
}

// What system calls do not show.
void tell_lacking(Log& log)
{
    for (const auto counter :
         {&PosixCounters::file_unaligned, &PosixCounters::memory_unaligned, &PosixCounters::file_alignment,
          &PosixCounters::async_reads, &PosixCounters::async_writes, &PosixCounters::async_time,
          &PosixCounters::async_unseen, &PosixCounters::mapped_bytes, &PosixCounters::map_bytes_read,
          &PosixCounters::map_bytes_written, &PosixCounters::random_advices})
        log.mark_lacking(table_name<PosixRecord>(), counter_name(counter));
    for (const auto counter :
         {&Content::looks, &Content::text_looks, &Content::number_looks, &Content::best_gzip})
        log.mark_lacking(table_name<PosixRecord>(), counter_name(counter));
    log.mark_lacking(&Process::ranks);
    log.mark_lacking(&Process::task);
    log.mark_lacking(&Process::tasks);
    log.mark_lacking(&Process::finalized);
    log.mark_lacking(&Process::polls);
    log.mark_lacking(&Process::poll_time);
    log.mark_lacking(&Process::poll_failed_time);
    mark_lacking<StdioRecord>(log);
    mark_lacking<MpiioRecord>(log);
    mark_lacking<LibraryCounter>(log);
    mark_lacking<DataFileRecord>(log);
    mark_lacking<DatasetRecord>(log);
    mark_lacking<Mount>(log);
    mark_lacking<Layout>(log);
    mark_lacking<Hints>(log);
    mark_lacking<FailedPath>(log);
    mark_lacking<CollectiveCall>(log);
}

void tell_facts(Log& log)
{
    log.add_fact("source", "strace");
    std::string excluded;
    each_excluded([&](std::string_view one) { (excluded += excluded.empty() ? "" : " ") += one; });
    log.add_fact("excluded", excluded);
    log.add_fact("included", fmt::format("{}", fmt::join(included_folders, " ")));
}

// Reads the operations from the file anew.
class Visitor : public OperationSink {
  public:
    explicit Visitor(const TraceVisit& visit) : visit_(visit) {}

    bool take(const Operation& operation) override
    {
        TraceEvent event;
        event.process = operation.process;
        event.thread = event.tid = operation.tid;
        event.kind = operation.kind;
        event.file = operation.file->id;
        event.size = operation.size;
        if (operation.place_known) event.offset = operation.offset;
        event.start = operation.start;
        event.duration = operation.end - operation.start;
        return visit_(event);
    }

  private:
    const TraceVisit& visit_;
};

}  // namespace

Log read_strace_output(const std::string& path, const Tick& tick)
{
    Log log;
    Sums sums;
    Replay replay(path, sums);
    sums.take_room_of(replay);
    replay.run(tick);
    tell_facts(log);
    sums.make_rows(log);
    tell_lacking(log);
    log.problems = replay.problems();
    log.trace_elsewhere = [path](const TraceVisit& visit) {
        Visitor visitor(visit);
        Replay again(path, visitor);
        again.run();
        return again.problems();
    };
    return log;
}

}  // namespace fathom::strace
