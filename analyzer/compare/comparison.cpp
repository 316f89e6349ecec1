// Puts the sections together, what matters most first.
#include "analyzer/compare/comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "analyzer/compare/circumstances.h"
#include "analyzer/document/units.h"

namespace fathom {
namespace {

using namespace report;

std::string title_of(const Run& later)
{
    if (const auto command = later.job->log.fact("command")) return std::string(*command);
    for (const Member& member : later.job->ranks)
        if (!member.process.program.empty()) return std::string(member.process.program);
    return later.path;
}

}  // namespace

const Run& middle_run(std::span<const Run> earlier)
{
    std::vector<const Run*> order;
    for (const Run& run : earlier) order.push_back(&run);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>((order.size() - 1) / 2);
    std::nth_element(order.begin(), middle, order.end(),
                     [](const Run* a, const Run* b) { return a->run_time < b->run_time; });
    return **middle;
}

std::vector<Block> circumstance_blocks(const Run& earlier, const Run& later)
{
    Entries entries;
    for (const Circumstance& one : differing_circumstances(earlier, later))
        entries.entries.push_back({one.id, one.what, one.after.empty() ? unknown() : text(one.after),
                                   "before: " + (one.before.empty() ? "not known" : one.before)});
    if (entries.entries.empty())
        return {Paragraph{"Command, processes, nodes, file systems and I/O modes are the same in both."}};
    return {std::move(entries)};
}

std::vector<Block> run_blocks(std::span<const Run> earlier, const Run& later)
{
    DataTable table{.id = "runs", .title = "The runs that were compared"};
    table.columns = {{"which", "which", Measure::text},
                     {"log", "log", Measure::path},
                     {"start", "start", Measure::instant},
                     {"run_time", "run time", Measure::seconds}};
    const auto add = [&](std::string_view which, const Run& run) {
        table.rows.push_back({text(which), path(run.path),
                              run.job->start > 0 ? instant(run.job->start) : unknown(Measure::instant),
                              seconds(run.run_time)});
    };
    for (const Run& run : earlier) add("before", run);
    add("after", later);
    if (earlier.size() > 1)
        table.remark = fmt::format(
            "Numbers before are means of the {} earlier runs; causes and files are those of the one with the "
            "run time in the middle, {}.",
            earlier.size(), middle_run(earlier).path);
    return {std::move(table)};
}

Document make_comparison(std::span<const Run> earlier, const Run& later, std::span<const Compared> numbers,
                         const ComparisonChoice& choice)
{
    const Run& middle = middle_run(earlier);
    Document document;
    document.title = "What changed in the I/O of " + title_of(later);
    if (middle.job->start > 0 && later.job->start > 0)
        document.subtitle =
            fmt::format("{}, before {}", format_instant(later.job->start), format_instant(middle.job->start));
    const auto add = [&](std::string id, std::string title, std::vector<Block> blocks) {
        if (!blocks.empty())
            document.sections.push_back({std::move(id), std::move(title), std::move(blocks)});
    };
    add("verdict", "In brief", verdict_blocks(earlier, later, numbers, choice));
    add("causes", "Where the difference comes from", cause_blocks(earlier, later, numbers));
    add("findings", "Findings that came and went", finding_blocks(middle, later));
    add("numbers", "The numbers side by side", number_blocks(numbers));
    add("circumstances", "What was different about the runs", circumstance_blocks(middle, later));
    add("files", "Files by role", file_blocks(middle, later, choice.files));
    add("datasets", "Datasets of HDF5 and PnetCDF", dataset_blocks(middle, later, choice.files));
    add("runs", "The runs", run_blocks(earlier, later));
    return document;
}

}  // namespace fathom
