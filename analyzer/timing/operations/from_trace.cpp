// Walks over a log's trace once: each operation goes to its class.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "analyzer/job/job.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/timing/operations/from_log.h"
#include "analyzer/timing/operations/gather.h"
#include "logformat/log/trace.h"

namespace fathom {
namespace {

constexpr std::uint64_t tick_every = 1 << 16;

std::uint64_t first_start_of(const Log& log)
{
    std::uint64_t first = ~std::uint64_t{0};
    for (const Process& process : log.rows<Process>())
        if (process.start > 0) first = std::min(first, process.start);
    return first == ~std::uint64_t{0} ? 0 : first;
}

std::unordered_set<std::uint64_t> streams_of(const Log& log)
{
    std::unordered_set<std::uint64_t> streams;
    for (const FileName& name : log.rows<FileName>())
        if (name.kind == static_cast<std::uint64_t>(NameKind::stream) ||
            name.kind == static_cast<std::uint64_t>(NameKind::device))
            streams.insert(name.file);
    return streams;
}

// Looked up once for each layer and kind, rather than for each operation.
class Streams {
  public:
    Streams(OperationGatherer& gatherer, const OperationChoice& choice) : gatherer_(gatherer), choice_(choice)
    {}

    OperationStream* of(Layer layer, Kind kind)
    {
        Place& place = places_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(kind)];
        if (!place.looked) place = {true, look(layer, kind)};
        return place.stream;
    }

  private:
    struct Place {
        bool looked = false;
        OperationStream* stream = nullptr;
    };

    OperationStream* look(Layer layer, Kind kind)
    {
        const std::string_view title = layer_titles[static_cast<std::size_t>(layer)];
        const std::string name = words_for(kind);
        if (is_mixture(static_cast<std::uint64_t>(kind)) || !is_chosen(choice_, title, name)) return nullptr;
        return &gatherer_.stream(std::string(title), name, {}, moves_data(kind), true);
    }

    OperationGatherer& gatherer_;
    const OperationChoice& choice_;
    std::array<std::array<Place, kind_count>, layers> places_{};
};

}  // namespace

TimedOperations from_trace(const Log& log, const OperationChoice& choice, const Tick& tick)
{
    TimedOperations all;
    // Traces of ours keep durations as bins; those of other tools as they were.
    all.resolution = log.trace_elsewhere ? 0 : 1.0 / 32;
    const std::uint64_t begin = first_start_of(log);
    const auto streams = streams_of(log);
    std::uint64_t expected = 0, seen = 0;
    for (const Process& process : log.rows<Process>()) expected += process.traced;
    OperationGatherer gatherer(choice.most_kept);
    Streams places(gatherer, choice);
    all.problems = for_each_traced(log, [&](const TraceEvent& event) {
        if (++seen % tick_every == 0) tell_progress(tick, seen, std::max(seen, expected));
        if (static_cast<std::size_t>(event.layer) >= layers ||
            static_cast<std::size_t>(event.kind) >= kind_count || streams.contains(event.file))
            return;
        OperationStream* const stream = places.of(event.layer, event.kind);
        if (stream == nullptr) return;
        const auto since = static_cast<std::int64_t>(event.start - begin);
        gatherer.add(*stream, {static_cast<double>(since) / 1e9, static_cast<double>(event.duration) / 1e9,
                               event.size});
    });
    all.begin = static_cast<double>(begin) / 1e9;
    all.classes = gatherer.classes(0);
    return all;
}

}  // namespace fathom
