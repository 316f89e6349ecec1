// Times with microseconds, latencies with nanoseconds.
#include "analyzer/timing/probe/probe_row.h"

#include <fmt/format.h>

#include "analyzer/document/csv_text.h"

namespace fathom {

std::string csv_line(const ProbeRow& row)
{
    const std::uint64_t us = row.time / 1000;
    return fmt::format("{}.{:06},{},{},{},{},{},{}\n", us / 1'000'000, us % 1'000'000,
                       report::csv_text(row.target), row.operation, row.size,
                       row.latency ? fmt::format("{:.9f}", *row.latency) : "", row.mode,
                       report::csv_text(row.error));
}

}  // namespace fathom
