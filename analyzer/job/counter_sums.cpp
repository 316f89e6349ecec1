// Merges a record into the counters of its layer.
#include "analyzer/job/counter_sums.h"

namespace fathom {

void CounterSums::add(const RecordView& record)
{
    with_counters(record, [&]<class Counters>(const Counters& counters) {
        if constexpr (std::is_same_v<Counters, PosixCounters>)
            merge(posix, counters);
        else if constexpr (std::is_same_v<Counters, StdioCounters>)
            merge(stdio, counters);
        else
            merge(mpiio, counters);
    });
    sizes[static_cast<std::size_t>(record.layer)].add(record[&Transfers::common_size]);
}

const Transfers& CounterSums::transfers(Layer layer) const
{
    const Transfers* const all[layers] = {&posix, &stdio, &mpiio};
    return *all[static_cast<std::size_t>(layer)];
}

const Pattern* CounterSums::pattern(Layer layer) const
{
    const Pattern* const all[layers] = {&posix, &stdio, nullptr};
    return all[static_cast<std::size_t>(layer)];
}

}  // namespace fathom
