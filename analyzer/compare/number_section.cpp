// The metrics as tables, one for each measure.
#include <algorithm>

#include "analyzer/compare/comparison.h"
#include "analyzer/document/units.h"

namespace fathom {
namespace {

using namespace report;

struct Group {
    Measure measure;
    std::string_view id, title;
};
constexpr Group groups[] = {{Measure::seconds, "times", "Times"},
                            {Measure::rate, "rates", "Rates"},
                            {Measure::bytes, "bytes", "Bytes"},
                            {Measure::count, "counts", "How many"}};

std::string_view word_for(const Compared& one)
{
    const Change change = one.change();
    if (!one.mean_before || !one.after) return "-";
    if (change == Change::same) return "no";
    if (change == Change::inconclusive) return "unclear";
    if (one.metric->measure == Measure::seconds) return change == Change::more ? "longer" : "shorter";
    if (one.metric->measure == Measure::rate) return change == Change::more ? "higher" : "lower";
    if (change == Change::more) return "more";
    return one.metric->measure == Measure::bytes ? "less" : "fewer";
}

Cell cell_or_unknown(Measure measure, std::optional<double> value)
{
    return value ? cell_of(measure, *value) : unknown(measure);
}

}  // namespace

std::vector<Block> number_blocks(std::span<const Compared> numbers)
{
    std::vector<Block> blocks;
    for (const Group& group : groups) {
        DataTable table{.id = std::string(group.id), .title = std::string(group.title)};
        table.columns = {{"what", "what", Measure::text},   {"before", "before", group.measure},
                         {"after", "after", group.measure}, {"change", "change", Measure::share},
                         {"noise", "noise", group.measure}, {"beyond", "beyond noise", Measure::text}};
        for (const Compared& one : numbers) {
            if (one.metric->measure != group.measure) continue;
            const bool nothing = one.mean_before.value_or(0) == 0 && one.after.value_or(0) == 0;
            if (nothing) continue;
            const auto relative = one.relative();
            table.rows.push_back(
                {text(one.metric->label), cell_or_unknown(group.measure, one.mean_before),
                 cell_or_unknown(group.measure, one.after),
                 relative ? share(*relative) : unknown(Measure::share),
                 one.mean_before ? cell_of(group.measure, one.before.noise) : unknown(group.measure),
                 text(word_for(one))});
        }
        if (group.measure == Measure::rate)
            table.remark =
                "In transfer: by the time in which any of them was inside a read, a write or a sync. By the "
                "clock: pauses in bursts of I/O included. Per node: by the time of the "
                "slowest one in I/O calls (MiB/s/CN).";
        const auto by_slowest = [](const Compared& one) {
            return one.metric->id == "rate_by_slowest" && one.mean_before && one.after;
        };
        if (group.measure == Measure::rate && std::any_of(numbers.begin(), numbers.end(), by_slowest))
            table.remark += " By slowest: by the most that the slowest one can have spent in I/O calls.";
        if (group.measure == Measure::seconds)
            table.remark =
                "All but the run time and the longest time in I/O: those of all processes over how many ran "
                "at once.";
        if (!table.rows.empty()) blocks.push_back(std::move(table));
    }
    return blocks;
}

}  // namespace fathom
