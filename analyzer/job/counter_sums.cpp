// Merges a record into the counters of its layer.
#include "analyzer/job/counter_sums.h"

namespace fathom {

namespace {

template <class Counters>
void merge_record(Counters& sums, const RecordView& record)
{
    if (const Counters* const counters = record.in_memory<Counters>()) return merge(sums, *counters);
    each_field<Counters>(
        [&](const auto& field) { merge_value(sums.*field.member, record[field.member], field.rule); });
}

}  // namespace

void CounterSums::add(const RecordView& record)
{
    switch (record.layer) {
        case Layer::posix:
            merge_record(posix, record);
            break;
        case Layer::stdio:
            merge_record(stdio, record);
            break;
        case Layer::mpiio:
            merge_record(mpiio, record);
            break;
    }
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
