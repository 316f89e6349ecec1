// What runs of a kind have in common, and table IV.
#include <fmt/format.h>
#include <set>

#include "analyzer/document/units.h"
#include "analyzer/history/report/sections.h"

namespace fathom::history {
namespace {

using namespace report;

constexpr double gibibyte = 0x1p30;

std::vector<double> known_times(const Kind& kind)
{
    std::vector<double> seconds;
    for (const KindRun& run : kind.runs)
        if (run.io_time) seconds.push_back(static_cast<double>(*run.io_time) / 1e9);
    return seconds;
}

// The mean over the kind: its runs differ by 1 % at most.
double mean_bytes(const Kind& kind, Number KindRun::*bytes)
{
    double sum = 0;
    for (const KindRun& run : kind.runs) sum += static_cast<double>(run.*bytes);
    return sum / static_cast<double>(kind.runs.size());
}

// The value that all runs have; else not known.
template <class Value>
std::optional<Value> common(const Kind& kind, Value KindRun::*member)
{
    for (const KindRun& run : kind.runs)
        if (run.*member != kind.runs.front().*member) return {};
    return kind.runs.front().*member;
}

// With one decimal, as the paper has them, and more where that would be one digit or two.
Cell seconds_number(std::optional<double> value)
{
    if (!value) return unknown(Measure::number);
    return with_decimals(number(*value), *value >= 10 ? 1 : *value >= 1 ? 2 : 3);
}

}  // namespace

DataTable variance_table(const std::vector<const Kind*>& kinds, bool with_users)
{
    DataTable table{.id = "variance", .title = "Time in I/O of the slowest rank, in seconds"};
    table.columns = {{"program", "program", Measure::text},
                     {"samples", "runs", Measure::count},
                     {"processes", "procs", Measure::count},
                     {"files", "files", Measure::count},
                     {"gib_read", "GiB rd", Measure::number},
                     {"gib_written", "GiB wr", Measure::number},
                     {"mean", "mean", Measure::number},
                     {"min", "min", Measure::number},
                     {"max", "max", Measure::number},
                     {"stddev", "stddev", Measure::number},
                     {"cv", "CV", Measure::share},
                     {"job", "newest job", Measure::text}};
    if (with_users) table.columns.insert(table.columns.begin() + 1, {"user", "user", Measure::text});
    for (const Kind* const kind : kinds) {
        const auto times = variance_of(known_times(*kind));
        const auto of = [&](double Variance::*member) {
            return seconds_number(times ? std::optional((*times).*member) : std::nullopt);
        };
        auto& row = table.rows.emplace_back();
        const auto program = common(*kind, &KindRun::program), user = common(*kind, &KindRun::user);
        row.push_back(text(program ? *program : "several"));
        if (with_users) row.push_back(text(user ? *user : "several"));
        row.push_back(count(kind->runs.size()));
        const auto processes = common(*kind, &KindRun::processes), files = common(*kind, &KindRun::files);
        row.push_back(known_count(processes ? *processes : Known()));
        row.push_back(known_count(files ? *files : Known()));
        row.push_back(with_decimals(number(mean_bytes(*kind, &KindRun::bytes_read) / gibibyte), 1));
        row.push_back(with_decimals(number(mean_bytes(*kind, &KindRun::bytes_written) / gibibyte), 1));
        row.push_back(of(&Variance::mean));
        row.push_back(of(&Variance::least));
        row.push_back(of(&Variance::most));
        row.push_back(seconds_number(times ? times->deviation : std::nullopt));
        const auto cv = times ? times->coefficient() : std::nullopt;
        row.push_back(cv ? with_decimals(share(*cv), 1) : unknown(Measure::share));
        row.push_back(text(fmt::format("{}", kind->newest().id)));
    }
    return table;
}

Blocks kind_section(const Kind& kind, const KindRun& today, const Match& match)
{
    Entries entries;
    const auto add = [&](const char* id, const char* label, Cell value, std::string remark = "") {
        entries.entries.push_back({id, label, std::move(value), std::move(remark)});
    };
    const auto differs = [&](bool matched) { return matched ? "" : "of this run; others may differ"; };
    add("program", "program", text(today.program), differs(match.program));
    add("user", "user", today.user.empty() ? unknown() : text(today.user), differs(match.user));
    add("processes", "processes", known_count(today.processes), differs(match.processes));
    add("files", "files", known_count(today.files), differs(match.files));
    add("bytes_read", "read", bytes(static_cast<std::uint64_t>(std::max<Number>(today.bytes_read, 0))),
        match.bytes ? fmt::format("within {:g} %", match.within * 100) : differs(false));
    add("bytes_written", "written",
        bytes(static_cast<std::uint64_t>(std::max<Number>(today.bytes_written, 0))),
        match.bytes ? fmt::format("within {:g} %", match.within * 100) : differs(false));
    add("runs", "runs of this kind", count(kind.runs.size()),
        fmt::format("{} to {}", day_words(kind.runs.front().start), day_words(kind.newest().start)));
    Blocks blocks{std::move(entries)};
    blocks.push_back(Paragraph{fmt::format(
        "Runs are of one kind where they agree in {}; --match and --within set that.", words_of(match))});
    return blocks;
}

}  // namespace fathom::history
