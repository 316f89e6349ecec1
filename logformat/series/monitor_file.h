// The files that `fathom monitor` writes: what one node counted, interval after interval (docs/FORMAT.md).
// Frames that are whole are good, whatever became of the one behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/series/table.h"

namespace fathom::series {

inline constexpr std::string_view monitor_magic = "Fathom monitor 1\n";

// From the start of a monitor to its end.
struct Session {
    std::string host, boot;  // the boot's id: totals begin anew with another one
    std::string version;     // of the Fathom that writes
    Nanoseconds interval = 0;
};

// A number that comes with each interval, as long as its component is there.
struct Counter {
    ComponentType type = ComponentType::other;
    std::string component, system, quantity;
    bool total = true;   // since some start; else as it stands
    unsigned bits = 64;  // of a total: it returns to 0 behind so many
    double scale = 1;    // to the unit of its quantity
    bool operator==(const Counter&) const = default;
};

// The value of a counter at one time.
struct Count {
    std::uint32_t counter;  // its place among all that were ever given
    std::uint64_t value;
};

// Makes frames; `out` is appended to. Memory: some 50 KiB, and the counters with their last values.
class MonitorEncoder {
  public:
    MonitorEncoder();
    ~MonitorEncoder();

    // Counters have to be given again behind it.
    void begin(const Session& session, std::string& out);

    // `counters`: all that there are; those behind what earlier calls had are new. `counts`: in their
    // order, without those that are not there now. `uptime`: of a clock that never jumps.
    void interval(Nanoseconds time, Nanoseconds uptime, std::span<const Counter> counters,
                  std::span<const Count> counts, std::string& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Takes what is in a file, in its order.
class MonitorSink {
  public:
    virtual ~MonitorSink() = default;
    virtual void session(const Session& session) = 0;
    // Its number is that of counters since the session began.
    virtual void counter(const Counter& counter) = 0;
    // All readings of an interval, in the order of counters.
    virtual void interval(Nanoseconds time, Nanoseconds uptime, std::span<const Count> counts) = 0;
};

// Reads a whole file. What is damaged is left out up to the next session that is whole; a text for each such
// place: where, and how much. Throws nothing for any bytes.
std::vector<std::string> read_monitor(std::string_view file, MonitorSink& sink);

// How many bytes of a file are whole frames from its start; 0: it is no file of a monitor. `read(to, size,
// offset)` is pread of it.
class FrameWalk {
  public:
    using Read = std::size_t (*)(void* context, void* to, std::size_t size, std::uint64_t offset);
    static std::uint64_t whole_bytes(Read read, void* context);
};

}  // namespace fathom::series
