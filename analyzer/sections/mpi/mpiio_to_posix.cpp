// What became of MPI-IO's accesses: how many POSIX calls of which size, by how many ranks, and how many bytes
// more than were asked for.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/sections/movers_note.h"
#include "analyzer/sections/mpi/collective_times.h"
#include "analyzer/sections/mpi/mpiio_levels.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_mounts = 6;
// More bytes beneath than were asked for is reported from here on.
constexpr double telling_excess = 1.01;

std::string place(const MpiioLevels& of)
{
    if (of.mount.empty()) return "not known";
    return of.type.empty() ? std::string(of.mount) : fmt::format("{} ({})", of.mount, of.type);
}

Cell size(double mean)
{
    return mean > 0 ? cell_of(Measure::bytes, mean) : unknown(Measure::bytes);
}

void add_row(DataTable& table, const MpiioLevels& of, std::size_t direction, bool mpiio)
{
    const LevelSums& sums = (mpiio ? of.mpiio : of.posix)[direction];
    const LevelSums& asked = of.mpiio[direction];
    table.rows.push_back(
        {text(fmt::format("{} {}", mpiio ? "MPI-IO" : "POSIX", direction_names[direction])), text(place(of)),
         count(sums.operations), bytes(sums.bytes), size(sums.mean_size()),
         sums.commonest ? bytes(*sums.commonest) : unknown(Measure::bytes), count(sums.ranks),
         mpiio ? share_of(static_cast<double>(sums.collective), static_cast<double>(sums.operations))
               : unknown(Measure::share),
         !mpiio && asked.bytes > 0
             ? Cell{Measure::count, static_cast<double>(sums.bytes) / static_cast<double>(asked.bytes)}
             : unknown(Measure::count)});
}

DataTable table_of(const Job& job, const std::vector<MpiioLevels>& all)
{
    DataTable table{.id = "mpiio_to_posix"};
    table.columns = {{"what", "layer", Measure::text},
                     {"mount", "files on", Measure::text},
                     {"operations", "count", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"mean_size", "mean size", Measure::bytes},
                     {"commonest_size", "commonest", Measure::bytes},
                     {"ranks", "ranks", Measure::count},
                     {"collective", "collective", Measure::share},
                     {"amplification", "of asked", Measure::count}};
    for (std::size_t at = 0; at < std::min(all.size(), most_mounts); ++at)
        for (std::size_t direction = 0; direction < 2; ++direction) {
            if (all[at].mpiio[direction].operations + all[at].posix[direction].operations == 0) continue;
            add_row(table, all[at], direction, true);
            add_row(table, all[at], direction, false);
        }
    table.remark =
        "Files that both layers have records of. Ranks: that moved data, most in one file; beneath "
        "collective "
        "operations these are the aggregators. Of asked: POSIX's bytes for each byte of MPI-IO.";
    table.remark += note_on_movers(job);
    if (all.size() > most_mounts)
        table.remark +=
            fmt::format(" {} more file systems are not shown.", format_count(all.size() - most_mounts));
    return table;
}

Chart sizes_of(const std::vector<MpiioLevels>& all, std::size_t direction)
{
    SizeHistogram above, beneath;
    for (const MpiioLevels& one : all) {
        above.merge(one.mpiio[direction].sizes);
        beneath.merge(one.posix[direction].sizes);
    }
    Chart chart{
        .id = fmt::format("mpiio_to_posix_{}", direction_names[direction]),
        .title = fmt::format("Sizes of {}: asked of MPI-IO, and done by POSIX", direction_names[direction]),
        .category_heading = "size",
        .series = {{"MPI-IO", {}}, {"POSIX", {}}}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        const auto& bounds = SizeHistogram::upper_bounds;
        chart.categories.push_back(at == bounds.size()
                                       ? "over " + format_bytes(bounds.back())
                                       : (at == 0 ? "up to " : "to ") + format_bytes(bounds[at]));
        chart.series[0].values.push_back(static_cast<double>(above.count[at]));
        chart.series[1].values.push_back(static_cast<double>(beneath.count[at]));
    }
    return chart;
}

// What one direction came to, over all mounts.
struct Whole {
    double asked = 0, done = 0, asked_operations = 0, done_operations = 0;
};

Whole whole_of(const std::vector<MpiioLevels>& all, std::size_t direction)
{
    Whole whole;
    for (const MpiioLevels& one : all) {
        whole.asked += static_cast<double>(one.mpiio[direction].bytes);
        whole.done += static_cast<double>(one.posix[direction].bytes);
        whole.asked_operations += static_cast<double>(one.mpiio[direction].operations);
        whole.done_operations += static_cast<double>(one.posix[direction].operations);
    }
    return whole;
}

std::string sentence_on(const Whole& whole, std::size_t direction)
{
    if (whole.asked_operations == 0 || whole.done_operations == 0 || whole.asked == 0) return {};
    const auto amount = [](double n) { return format(cell_of(Measure::bytes, n)); };
    const auto number = [](double n) { return format(cell_of(Measure::count, n)); };
    std::string words =
        fmt::format("{} {} of {} on average became {} of {} in POSIX", number(whole.asked_operations),
                    direction_names[direction], amount(whole.asked / whole.asked_operations),
                    number(whole.done_operations), amount(whole.done / whole.done_operations));
    if (whole.done > telling_excess * whole.asked)
        words += fmt::format(", {:.2f} bytes for each that was asked for", whole.done / whole.asked);
    return words + ". ";
}

// To write with gaps, MPI-IO reads a stretch, changes it and writes it back.
std::string sieving(const Whole& reads, const Whole& writes)
{
    const double extra = reads.done - reads.asked;
    if (writes.asked == 0 || extra <= (telling_excess - 1) * writes.asked) return {};
    return fmt::format(
        "POSIX read {} more than MPI-IO was asked to read: data that was read in order to write "
        "it back with changes (data sieving), or for gaps between the pieces that were wanted.",
        format(cell_of(Measure::bytes, extra)));
}

}  // namespace

Blocks mpiio_to_posix(const Job& job, const SectionChoice&)
{
    const std::vector<MpiioLevels> all = mpiio_levels_of(job);
    if (all.empty())
        return {Paragraph{"No file of MPI-IO was seen in POSIX: the library did its I/O by other means."}};
    const Whole reads = whole_of(all, 0), writes = whole_of(all, 1);
    Blocks blocks;
    const std::string words = sentence_on(reads, 0) + sentence_on(writes, 1) + sieving(reads, writes);
    if (!words.empty()) blocks.push_back(Paragraph{words});
    DataTable table = table_of(job, all);
    if (table.rows.empty()) return {};
    blocks.push_back(std::move(table));
    if (DataTable times = collective_times(job); !times.rows.empty()) blocks.push_back(std::move(times));
    for (std::size_t direction = 0; direction < 2; ++direction) {
        const Whole& whole = direction == 0 ? reads : writes;
        if (whole.asked_operations > 0 && whole.done_operations > 0)
            blocks.push_back(sizes_of(all, direction));
    }
    return blocks;
}

}  // namespace fathom
