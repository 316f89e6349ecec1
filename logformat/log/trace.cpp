// Puts the rows of each thread's trace together and decodes them.
#include "logformat/log/trace.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace fathom {
namespace {

template <class Row>
auto thread_of(const Row& row)
{
    return std::tuple(row.process, row.thread);
}

// Nanoseconds of so many ticks; the tick may be anything above 0.
std::int64_t ns_of(std::int64_t ticks, double tick)
{
    constexpr double most = 9e18;
    return static_cast<std::int64_t>(std::round(std::clamp(static_cast<double>(ticks) * tick, -most, most)));
}

}  // namespace

bool has_trace(const Log& log)
{
    return log.trace_elsewhere || !log.rows<TracePiece>().empty() || !log.rows<TraceTimes>().empty();
}

template <class Row>
TraceReader::ByThread<Row>::ByThread(const Log& log) : rows(log.rows<Row>()), order(rows.size())
{
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return thread_of(rows[a]) < thread_of(rows[b]);
    });
}

// Threads are asked for in order. Rows of threads in between belong to no pieces and are passed over.
template <class Row>
template <class Visit>
void TraceReader::ByThread<Row>::each_of(std::int64_t process, std::uint64_t thread, Visit visit)
{
    const std::tuple wanted(process, thread);
    while (at < order.size() && thread_of(rows[order[at]]) < wanted) ++at;
    for (; at < order.size() && thread_of(rows[order[at]]) == wanted; ++at) visit(rows[order[at]]);
}

TraceReader::TraceReader(const Log& log) : pieces_(log), places_(log), times_(log)
{
    for (const TraceShape& shape : log.rows<TraceShape>()) shapes_.try_emplace(shape.shape, shape.code);
}

void TraceReader::problem(std::string_view what)
{
    problems_.push_back(
        fmt::format("the trace of thread {} of process {} ends early: {}", thread_, process_, what));
}

// The rows of the thread, up to the first that is missing.
void TraceReader::collect()
{
    codes_.clear();
    time_codes_.clear();
    thread_places_.clear();
    thread_times_.clear();
    expected_ = 0;
    bool whole = true;
    std::vector<const TracePiece*> pieces;
    pieces_.each_of(process_, thread_, [&](const TracePiece& piece) { pieces.push_back(&piece); });
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const TracePiece* a, const TracePiece* b) { return a->number < b->number; });
    for (const TracePiece* piece : pieces) {
        const auto shape = shapes_.find(piece->shape);
        if (piece->number != codes_.size() || shape == shapes_.end()) {
            problem(fmt::format("piece {} is not in the log", codes_.size()));
            whole = false;
            break;
        }
        codes_.push_back(shape->second);
        expected_ += piece->operations;
    }
    places_.each_of(process_, thread_, [&](const TracePlace& place) { thread_places_.push_back(place); });
    times_.each_of(process_, thread_, [&](const TraceTimes& times) {
        time_codes_.push_back(times.code);
        thread_times_.push_back(&times);
    });
    if (thread_times_.empty()) {
        if (whole) problem("its times are not in the log");
    } else if (const double tick = thread_times_.front()->tick; !(tick > 0 && std::isfinite(tick))) {
        problem("its clock is damaged");
    } else {
        decoder_.emplace(codes_, time_codes_, thread_places_);
    }
}

bool TraceReader::next_thread()
{
    while (pieces_.at < pieces_.order.size()) {
        std::tie(process_, thread_) = thread_of(pieces_.rows[pieces_.order[pieces_.at]]);
        collect();
        if (decoder_) return true;
    }
    return false;
}

void TraceReader::end_thread()
{
    if (!decoder_->problem().empty())
        problem(decoder_->problem());
    else if (decoder_->operations() < expected_)
        problem(fmt::format("{} of {} operations are in the log", decoder_->operations(), expected_));
    decoder_.reset();
}

bool TraceReader::next(TraceEvent& event)
{
    TracedOperation operation;
    while (decoder_ || next_thread()) {
        if (!decoder_->next(operation)) {
            end_thread();
            continue;
        }
        const TraceTimes& clock = *thread_times_.front();
        event.process = process_;
        event.thread = thread_;
        event.tid = thread_times_[decoder_->times_at()]->tid;
        event.layer = operation.layer;
        event.kind = operation.kind;
        event.file = operation.file;
        event.offset = operation.offset;
        event.size = operation.size;
        event.start = clock.start + static_cast<std::uint64_t>(
                                        ns_of(static_cast<std::int64_t>(operation.start), clock.tick));
        event.duration = static_cast<std::uint64_t>(
            ns_of(static_cast<std::int64_t>(operation.end - operation.start), clock.tick));
        return true;
    }
    return false;
}

}  // namespace fathom
