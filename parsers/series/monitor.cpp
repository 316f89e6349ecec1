// Files of `fathom monitor`: totals of one node, from one boot or several.
#include <fmt/format.h>

#include "logformat/series/monitor_file.h"
#include "parsers/series/readers.h"

namespace fathom::series {
namespace {

// A clock that was set by more than that between two rounds, beside the one that never jumps.
constexpr Nanoseconds clock_tolerance = one_second / 2;

class MonitorReader : public MonitorSink {
  public:
    explicit MonitorReader(Builder& builder) : builder_(builder) {}

    void session(const Session& session) override
    {
        session_ = session;
        ids_.clear();
        counters_.clear();
        last_time_ = last_uptime_ = 0;
        jumps_ = 0;
        count_from();
    }

    void counter(const Counter& counter) override
    {
        counters_.push_back(counter);
        ids_.push_back(
            builder_.series({counter.system,
                             session_.host,
                             counter.type,
                             counter.type == ComponentType::host ? session_.host : counter.component,
                             {}},
                            counter.quantity, counter.total ? Kind::amount : Kind::level));
    }

    void interval(Nanoseconds time, Nanoseconds uptime, std::span<const Count> counts) override
    {
        if (last_time_ != 0) {
            const Nanoseconds jump = (time - last_time_) - (uptime - last_uptime_);
            if (jump > clock_tolerance || jump < -clock_tolerance) {
                builder_.problem(
                    fmt::format("the clock was set {} by {:.1f} s at {}: the interval is left out",
                                jump > 0 ? "forward" : "back",
                                static_cast<double>(jump > 0 ? jump : -jump) / 1e9, utc_text(time)));
                ++jumps_;
                count_from();
            }
        }
        last_time_ = time;
        last_uptime_ = uptime;
        for (const Count& count : counts) {
            const Counter& counter = counters_[count.counter];
            if (counter.total)
                builder_.total(ids_[count.counter], time, static_cast<long double>(count.value),
                               counter.scale, static_cast<int>(counter.bits));
            else
                builder_.level(ids_[count.counter], time, static_cast<double>(count.value) * counter.scale);
        }
    }

  private:
    // Totals of another boot are others; across a jump of the clock it is not known how long an interval was.
    void count_from()
    {
        builder_.totals_count_from(fmt::format("{} {} {}", session_.host, session_.boot, jumps_));
    }

    Builder& builder_;
    Session session_;
    std::vector<Counter> counters_;
    std::vector<Builder::Id> ids_;
    Nanoseconds last_time_ = 0, last_uptime_ = 0;
    std::uint64_t jumps_ = 0;
};

}  // namespace

bool is_monitor(const std::string&, std::string_view first_bytes)
{
    return first_bytes.starts_with(monitor_magic);
}

void read_monitor_file(const Reading& reading, Builder& builder)
{
    MonitorReader reader(builder);
    for (const std::string& problem : read_monitor(reading.text, reader)) builder.problem(problem);
}

}  // namespace fathom::series
