// The operations that a log's traces hold, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "logformat/log/log.h"
#include "logformat/log/trace_decoder.h"

namespace fathom {

struct TraceEvent {
    std::int64_t process = 0;
    std::uint64_t thread = 0, tid = 0;  // its number in the process, and in the kernel
    Layer layer{};
    Kind kind{};  // of a log of a later version perhaps none that we know
    std::uint64_t file = 0;
    std::uint64_t offset = no_offset;
    std::uint64_t size = 0;
    std::uint64_t start = 0, duration = 0;  // ns of UNIX time, ns; see trace_code.h for how exact they are
};

// True where the log has a trace, be it an empty one.
bool has_trace(const Log& log);

// Reads the traces of a log, thread by thread, in the order of processes and threads, and in the order in
// which their operations ended. It decodes as it goes: memory is needed for the rows, not for the operations.
// The log must outlive it.
class TraceReader {
  public:
    explicit TraceReader(const Log& log);
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    // Fills in the next operation; false at the end.
    bool next(TraceEvent& event);

    // Which threads' traces end early, and why, a sentence each; complete once next() was false.
    const std::vector<std::string>& problems() const { return problems_; }

  private:
    // Rows by thread, each thread's in the order of the log.
    template <class Row>
    struct ByThread {
        const std::vector<Row>& rows;
        std::vector<std::uint32_t> order;
        std::size_t at = 0;

        explicit ByThread(const Log& log);
        template <class Visit>
        void each_of(std::int64_t process, std::uint64_t thread, Visit visit);
    };

    bool next_thread();
    void collect();
    void end_thread();
    void problem(std::string_view what);

    ByThread<TracePiece> pieces_;
    ByThread<TracePlace> places_;
    ByThread<TraceTimes> times_;
    std::unordered_map<std::uint64_t, std::string_view> shapes_;

    std::int64_t process_ = 0;
    std::uint64_t thread_ = 0, expected_ = 0;
    std::vector<std::string_view> codes_, time_codes_;
    std::vector<TracePlace> thread_places_;
    std::vector<const TraceTimes*> thread_times_;
    std::optional<TraceDecoder> decoder_;
    std::vector<std::string> problems_;
};

// Calls visit(const TraceEvent&) for each operation, thread by thread (operations that are elsewhere: in the
// order in which they lie there); where it returns a bool, false stops. Returns the
// problems.
template <class Visit>
std::vector<std::string> for_each_traced(const Log& log, Visit visit)
{
    const auto visit_one = [&](const TraceEvent& one) {
        if constexpr (std::is_void_v<decltype(visit(one))>)
            return visit(one), true;
        else
            return bool{visit(one)};
    };
    if (log.trace_elsewhere) return log.trace_elsewhere(visit_one);
    TraceReader reader(log);
    TraceEvent event;
    while (reader.next(event) && visit_one(event)) {
    }
    return reader.problems();
}

}  // namespace fathom
