// Goes over the tables: rows of other files go, and tables that cannot be split.
#include "analyzer/convert/only_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <unordered_set>

#include "logformat/log/lacking.h"
#include "logformat/log/trace.h"
#include "logformat/log/trace_store.h"

namespace fathom {
namespace {

bool is_number(std::string_view text, int base, std::uint64_t& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}

template <class Row>
void clear(Log& log, std::string_view what, std::vector<std::string>& told)
{
    auto& rows = log.rows<Row>();
    if (rows.empty()) return;
    told.push_back(fmt::format("{}: {} {}", what, rows.size(), rows.size() == 1 ? "row" : "rows"));
    rows.clear();
    mark_lacking<Row>(log);
}

template <class Row>
void keep_rows(Log& log, const FileChoice& choice)
{
    std::erase_if(log.rows<Row>(), [&](const Row& row) { return !choice.has(row.file); });
}

// A trace is decoded and encoded anew: what operations were is coded relative to those before.
void keep_traced(Log& log, const FileChoice& choice, std::vector<std::string>& told)
{
    if (!has_trace(log)) return;
    if (log.trace_elsewhere) {
        log.trace_elsewhere = [choice, from = std::move(log.trace_elsewhere)](const TraceVisit& visit) {
            return from([&](const TraceEvent& event) { return !choice.has(event.file) || visit(event); });
        };
        return;
    }
    // The rows that are read are no longer the log's, but their texts are.
    Log whole;
    const auto move_rows = [&](auto row) {
        using Row = decltype(row);
        whole.rows<Row>() = std::move(log.rows<Row>());
        log.rows<Row>().clear();
    };
    move_rows(TraceShape{});
    move_rows(TracePiece{});
    move_rows(TracePlace{});
    move_rows(TraceTimes{});
    for (Process& process : log.rows<Process>()) process.traced = 0;
    for (std::string& problem : store_trace(log, [&](const TraceVisit& visit) {
             return for_each_traced(
                 whole, [&](const TraceEvent& event) { return !choice.has(event.file) || visit(event); });
         }))
        told.push_back(std::move(problem));
}

}  // namespace

FileChoice::FileChoice(std::string_view text, const std::vector<FileName>& names)
{
    const auto add_where = [&](auto is) {
        for (const FileName& name : names)
            if (is(name)) files_.push_back(name.file);
    };
    add_where([&](const FileName& name) { return name.path == text; });
    constexpr std::size_t digits_of_id = 16;
    std::uint64_t id = 0;
    if (none() && ((text.size() == digits_of_id && is_number(text, 16, id)) || is_number(text, 10, id)))
        add_where([&](const FileName& name) { return name.file == id; });
    if (none())
        add_where([&](const FileName& name) { return name.path.find(text) != std::string_view::npos; });
    std::sort(files_.begin(), files_.end());
}

bool FileChoice::has(std::uint64_t file) const
{
    return std::binary_search(files_.begin(), files_.end(), file);
}

std::vector<std::string> keep_only(Log& log, const FileChoice& choice)
{
    std::vector<std::string> told;
    keep_traced(log, choice, told);
    std::erase_if(log.rows<LibraryCounter>(), [&](const LibraryCounter& row) {
        return !choice.has(row.file) && !choice.has(row.container);
    });
    std::erase_if(log.rows<DatasetRecord>(), [&](const DatasetRecord& row) {
        return !choice.has(row.file) && !choice.has(row.container);
    });
    // Objects stay with their file.
    std::unordered_set<std::uint64_t> objects;
    for (const LibraryCounter& row : log.rows<LibraryCounter>()) objects.insert(row.file);
    for (const DatasetRecord& row : log.rows<DatasetRecord>()) objects.insert(row.file);
    std::erase_if(log.rows<FileName>(), [&](const FileName& name) {
        return !choice.has(name.file) && !objects.contains(name.file);
    });
    keep_rows<PosixRecord>(log, choice);
    keep_rows<StdioRecord>(log, choice);
    keep_rows<MpiioRecord>(log, choice);
    keep_rows<DataFileRecord>(log, choice);
    keep_rows<Layout>(log, choice);
    keep_rows<Hints>(log, choice);
    keep_rows<CollectiveCall>(log, choice);
    clear<Totals>(log, "sums by process, layer and scope", told);
    clear<Burst>(log, "when processes had I/O under way", told);
    clear<OperationTimes>(log, "how long operations took", told);
    clear<DurationBin>(log, "histograms of that", told);
    clear<Slice>(log, "time bins", told);
    clear<FailedPath>(log, "paths that calls failed on", told);
    return told;
}

}  // namespace fathom
