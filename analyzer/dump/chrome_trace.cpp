// The operations of the log's traces as a Chrome trace: JSON, written event by event.
#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "analyzer/document/printable.h"
#include "analyzer/dump/lines.h"
#include "logformat/log/trace.h"

namespace fathom {
namespace {

std::string json_text(const std::string& text)
{
    return report::printable_json(nlohmann::json(report::valid_utf8(text)).dump());
}

// Viewers stack events of a thread that overlap, as if one had called the other. The times of a trace are
// rounded, so that an operation may seem to end after the next one began: it is cut there. One that began
// later than an operation that ended after it is really inside of that.
class Untangled {
  public:
    // How many operations inside of one are looked at; more of them may be drawn one in the other.
    static constexpr std::size_t most = 64;

    // Takes the thread's next operation, cuts what came before; the oldest one is ready where there are
    // `most`.
    void add(const TraceEvent& event)
    {
        const std::uint64_t end = event.start + event.duration;
        for (auto before = events_.rbegin(); before != events_.rend(); ++before) {
            const std::uint64_t limit =
                before->start < event.start ? event.start : std::max(end, before->start);
            if (before->start + before->duration > limit) before->duration = limit - before->start;
        }
        events_.push_back(event);
    }
    bool is_full() const { return events_.size() > most; }
    bool empty() const { return events_.empty(); }
    const TraceEvent& oldest() const { return events_.front(); }
    TraceEvent take()
    {
        const TraceEvent event = events_.front();
        events_.pop_front();
        return event;
    }

  private:
    std::deque<TraceEvent> events_;
};

class ChromeTrace {
  public:
    ChromeTrace(const Log& log, std::string_view file, const Sink& sink)
        : out_(sink), paths_(log, file, json_text), processes_(log), start_(start_of(log))
    {}

    std::vector<std::string> run(const Log& log)
    {
        out_.add_text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        std::vector<std::string> problems = for_each_traced(log, [&](const TraceEvent& event) {
            if (paths_.of(event.file) == nullptr) return true;
            if (!waiting_.empty() && !same_thread(waiting_.oldest(), event)) give_all();
            waiting_.add(event);
            if (waiting_.is_full()) give(waiting_.take());
            return out_.give();
        });
        give_all();
        out_.add_text("\n]}\n");
        out_.flush();
        return problems;
    }

  private:
    static bool same_thread(const TraceEvent& a, const TraceEvent& b)
    {
        return a.process == b.process && a.thread == b.thread && a.tid == b.tid;
    }

    void give_all()
    {
        while (!waiting_.empty()) give(waiting_.take());
    }

    void next_line()
    {
        out_.add_text(is_first_ ? "\n" : ",\n");
        is_first_ = false;
    }

    // Viewers take 0 for the kernel's idle process.
    static std::int64_t pid_of(const TraceEvent& event) { return event.process + 1; }

    void add_microseconds(std::uint64_t nanoseconds)
    {
        out_.add(FMT_COMPILE("{}.{:03}"), nanoseconds / 1000, nanoseconds % 1000);
    }

    void describe(const TraceEvent& event, std::string_view what, const std::string& name)
    {
        next_line();
        out_.add(
            FMT_COMPILE("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}"),
            pid_of(event), event.tid, what, json_text(name));
    }

    std::string process_name(std::int64_t number) const
    {
        const Process* const process = processes_.find(number);
        if (process == nullptr) return fmt::format("process {}", number);
        const std::string who =
            process->rank >= 0 ? fmt::format("rank {}", process->rank) : fmt::format("process {}", number);
        return fmt::format("{} on {}: {}", who, process->host, process->program);
    }

    void give(const TraceEvent& event)
    {
        if (is_first_ || last_.process != event.process)
            describe(event, "process_name", process_name(event.process));
        if (is_first_ || !same_thread(last_, event))
            describe(event, "thread_name", fmt::format("thread {}", event.tid));
        last_ = event;
        next_line();
        out_.add(FMT_COMPILE("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":"), pid_of(event), event.tid);
        add_microseconds(event.start - std::min(event.start, start_));
        out_.add_text(",\"dur\":");
        add_microseconds(event.duration);
        out_.add(FMT_COMPILE(",\"name\":\"{}\",\"cat\":\"{}\",\"args\":{{\"path\":{}"), kind_name(event.kind),
                 layer_names[static_cast<std::size_t>(event.layer)], *paths_.of(event.file));
        if (event.offset != no_offset) out_.add(FMT_COMPILE(",\"offset\":{}"), event.offset);
        out_.add(FMT_COMPILE(",\"size\":{}}}}}"), event.size);
    }

    Output out_;
    PrintedPaths paths_;
    Processes processes_;
    std::uint64_t start_;
    Untangled waiting_;
    TraceEvent last_;
    bool is_first_ = true;
};

}  // namespace

std::vector<std::string> dump_chrome_trace(const Log& log, std::string_view file, const Sink& sink)
{
    return ChromeTrace(log, file, sink).run(log);
}

}  // namespace fathom
