// The columns are those of `fathom watch`.
#include "analyzer/serve/running.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/methods/rate.h"
#include "analyzer/serve/clock.h"
#include "analyzer/watch/find.h"

namespace fathom::serve {
namespace {

using namespace report;

constexpr std::uint64_t between_looks = 2'000'000'000, longest_between = 60'000'000'000;  // ns

}  // namespace

Section Running::section()
{
    const std::lock_guard lock(mutex_);
    if (static_cast<std::uint64_t>(unix_now()) - now_.time > between_looks) {
        before_ = std::move(now_);
        now_ = watch::look(watch::spools_in_use());
        if (now_.time - before_.time > longest_between) before_ = now_;
    }
    Section section{"running", "Running now", {}};
    if (now_.recordings.empty()) return section;
    DataTable table{.id = "running"};
    table.columns = {{"name", "program"},
                     {"start", "start", Measure::instant},
                     {"processes", "procs", Measure::count},
                     {"write_rate", "writes", Measure::rate},
                     {"read_rate", "reads", Measure::rate},
                     {"operations", "ops/s", Measure::number},
                     {"metadata", "meta/s", Measure::number},
                     {"io_share", "in I/O", Measure::share},
                     {"written", "written", Measure::bytes},
                     {"read", "read", Measure::bytes},
                     {"io_seconds", "time in I/O", Measure::seconds}};
    const double length = static_cast<double>(now_.time - before_.time) / 1e9;
    const auto a_second = [&](std::uint64_t amount) {
        return length > 0 ? static_cast<double>(amount) / length : 0;
    };
    for (const watch::Recording& recording : now_.recordings) {
        const watch::Snapshot own{now_.time, {recording}};
        const watch::Row row = watch::rows_of(before_, own, watch::View::recordings).front();
        const bool known = length > 0;
        const auto processes = static_cast<double>(std::max<std::size_t>(row.processes, 1));
        const auto rate_cell = [&](std::uint64_t amount) {
            return known ? rate(a_second(amount) / mebibyte) : unknown(Measure::rate);
        };
        const auto often = [&](std::uint64_t amount) {
            return known ? with_decimals(number(a_second(amount)), 0) : unknown(Measure::number);
        };
        table.rows.push_back({text(row.name), instant(recording.start), count(recording.processes_running()),
                              rate_cell(row.lately.written), rate_cell(row.lately.read),
                              often(row.lately.reads + row.lately.writes), often(row.lately.metadata_calls),
                              known ? share(std::min(a_second(row.lately.io_time()) / 1e9 / processes, 1.0))
                                    : unknown(Measure::share),
                              bytes(row.all.written), bytes(row.all.read), nanoseconds(row.all.io_time())});
    }
    table.remark = fmt::format(
        "Your programs under `fathom record` on this node, {}{}. `fathom watch` shows more.",
        format_instant(now_.time), length > 0 ? fmt::format(", the last {}", format_seconds(length)) : "");
    section.blocks.push_back(std::move(table));
    return section;
}

}  // namespace fathom::serve
