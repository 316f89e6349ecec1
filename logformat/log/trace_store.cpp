// Encodes operations thread by thread.
#include "logformat/log/trace_store.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "logformat/log/trace.h"
#include "logformat/trace/trace_code.h"

namespace fathom {
namespace {

using Thread = std::pair<std::int64_t, std::uint64_t>;  // process, number

struct ThreadOperations {
    std::uint64_t tid = 0;
    std::size_t count = 0;
    std::vector<TracedOperation> operations;
};
using Threads = std::map<Thread, ThreadOperations>;

// Rows of traces, the codes of which are kept once.
class Rows {
  public:
    explicit Rows(Log& log) : log_(log)
    {
        for (const TraceShape& shape : log.rows<TraceShape>()) shapes_.insert(shape.shape);
        for (const TraceTimes& times : log.rows<TraceTimes>())
            threads_[times.process] = std::max(threads_[times.process], times.thread + 1);
    }

    void add(const Thread& from, ThreadOperations& of)
    {
        std::stable_sort(of.operations.begin(), of.operations.end(),
                         [](const TracedOperation& a, const TracedOperation& b) { return a.end < b.end; });
        const Thread thread(from.first, number_of(from.first));
        TraceModel model;
        std::uint32_t run = 0;
        std::uint8_t what[most_what_bytes], times[most_times_bytes];
        std::string codes, all_times;
        std::uint64_t in_piece = 0, pieces = 0;
        const auto end_piece = [&] {
            codes.append(reinterpret_cast<const char*>(what), end_run(run, what));
            run = 0;
            if (!codes.empty()) add_piece(thread, pieces++, codes, in_piece);
            codes.clear();
            in_piece = 0;
        };
        for (const TracedOperation& operation : of.operations) {
            const Coded coded = encode(model, operation, run, what, times);
            codes.append(reinterpret_cast<const char*>(what), coded.what_bytes);
            all_times.append(reinterpret_cast<const char*>(times), coded.times_bytes);
            if (coded.place)
                log_.rows<TracePlace>().push_back(
                    {thread.first, thread.second, operation.file, operation.offset});
            ++in_piece;
            if (codes.size() + most_what_bytes > piece_bytes) end_piece();
        }
        end_piece();
        log_.rows<TraceTimes>().push_back(
            {thread.first, thread.second, of.tid, model.origin, 1, log_.keep(all_times)});
        of.operations = {};
    }

  private:
    // The numbers of a process's threads are those of the log, from 0.
    std::uint64_t number_of(std::int64_t process) { return threads_[process]++; }

    // Pieces of threads that do the same are the more often equal, the shorter they are.
    static constexpr std::size_t piece_bytes = 4096;

    void add_piece(const Thread& thread, std::uint64_t number, const std::string& code,
                   std::uint64_t operations)
    {
        const std::uint64_t shape =
            trace_shape_id({reinterpret_cast<const std::uint8_t*>(code.data()), code.size()});
        if (shapes_.insert(shape).second) log_.rows<TraceShape>().push_back({shape, log_.keep(code)});
        log_.rows<TracePiece>().push_back({thread.first, thread.second, number, shape, operations});
    }

    Log& log_;
    std::unordered_set<std::uint64_t> shapes_;
    std::map<std::int64_t, std::uint64_t> threads_;
};

}  // namespace

std::vector<std::string> store_trace(Log& log, const TraceSource& source, std::size_t most_at_once)
{
    Threads threads;
    std::vector<std::string> problems = source([&](const TraceEvent& event) {
        ThreadOperations& thread = threads[{event.process, event.thread}];
        thread.tid = event.tid;
        ++thread.count;
        return true;
    });
    Rows rows(log);
    for (auto first = threads.begin(); first != threads.end();) {
        auto last = first;
        std::size_t operations = 0;
        for (; last != threads.end() && (last == first || operations + last->second.count <= most_at_once);
             ++last)
            operations += last->second.count;
        const Thread from = first->first, to = std::prev(last)->first;
        source([&](const TraceEvent& event) {
            const Thread thread(event.process, event.thread);
            if (thread < from || to < thread) return true;
            threads[thread].operations.push_back({event.file, event.layer, event.kind, event.offset,
                                                  event.size, event.start, event.start + event.duration});
            return true;
        });
        for (; first != last; ++first) rows.add(first->first, first->second);
    }
    std::map<std::int64_t, std::uint64_t> traced;
    for (const auto& [thread, operations] : threads) traced[thread.first] += operations.count;
    for (Process& process : log.rows<Process>())
        if (const auto found = traced.find(process.process); found != traced.end())
            process.traced = found->second;
    return problems;
}

}  // namespace fathom
