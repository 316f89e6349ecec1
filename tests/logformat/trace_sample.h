// Traces as a recorder would leave them in a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "logformat/log/log.h"
#include "logformat/trace/trace_code.h"

namespace fathom::sample {

// Encodes operations of one thread and puts its rows into a log.
class TracedThread {
  public:
    TracedThread(Log& log, std::int64_t process, std::uint64_t thread, std::uint64_t tid,
                 std::size_t piece_bytes = 4096)
        : log_(log), process_(process), thread_(thread), tid_(tid), piece_bytes_(piece_bytes)
    {}

    // Start and end: nanoseconds of UNIX time.
    void add(const TracedOperation& operation)
    {
        std::uint8_t what[most_what_bytes], times[most_times_bytes];
        const Coded coded = encode(model_, operation, run_, what, times);
        what_.append(reinterpret_cast<const char*>(what), coded.what_bytes);
        times_.append(reinterpret_cast<const char*>(times), coded.times_bytes);
        if (coded.place)
            log_.rows<TracePlace>().push_back({process_, thread_, operation.file, operation.offset});
        ++operations_;
        if (what_.size() + most_what_bytes > piece_bytes_) end_piece();
    }

    void end()
    {
        end_piece();
        log_.rows<TraceTimes>().push_back({process_, thread_, tid_, model_.origin, 1, log_.keep(times_)});
    }

  private:
    void end_piece()
    {
        std::uint8_t what[most_what_bytes];
        what_.append(reinterpret_cast<const char*>(what), end_run(run_, what));
        run_ = 0;
        const std::uint64_t shape =
            trace_shape_id({reinterpret_cast<const std::uint8_t*>(what_.data()), what_.size()});
        bool known = false;
        for (const TraceShape& each : log_.rows<TraceShape>()) known = known || each.shape == shape;
        if (!known) log_.rows<TraceShape>().push_back({shape, log_.keep(what_)});
        log_.rows<TracePiece>().push_back({process_, thread_, pieces_++, shape, operations_});
        what_.clear();
        operations_ = 0;
    }

    Log& log_;
    std::int64_t process_;
    std::uint64_t thread_, tid_, pieces_ = 0, operations_ = 0;
    std::size_t piece_bytes_;
    TraceModel model_;
    std::uint32_t run_ = 0;
    std::string what_, times_;
};

}  // namespace fathom::sample
