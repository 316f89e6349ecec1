// How large files are: Carns et al. 2011, section 4.2, figure 8.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/scan/document/parts.h"

namespace fathom::scan {
namespace {

using namespace report;

// Of the classes up to the last that has any, what lies below the end of each.
std::uint32_t last_size_class(const Histogram& sizes)
{
    return sizes.cells().empty() ? 0 : sizes.cells().back().place;
}

double end_of_size_class(std::uint32_t place)
{
    return std::ldexp(1.0, static_cast<int>(place));
}

const Histogram::Cell* most_popular(const Histogram& sizes)
{
    const Histogram::Cell* most = nullptr;
    for (const Histogram::Cell& cell : sizes.cells())
        if (most == nullptr || cell.files > most->files) most = &cell;
    return most;
}

// What is left of a histogram without that of a part.
Histogram without(const Histogram& all, const Histogram& part)
{
    Histogram rest;
    for (const Histogram::Cell& cell : all.cells()) {
        const auto taken =
            std::find_if(part.cells().begin(), part.cells().end(),
                         [&](const Histogram::Cell& other) { return other.place == cell.place; });
        const bool none = taken == part.cells().end();
        if (none || taken->files < cell.files)
            rest.add(cell.place, cell.files - (none ? 0 : taken->files),
                     cell.bytes - (none ? 0 : std::min(taken->bytes, cell.bytes)));
    }
    return rest;
}

std::uint64_t files_of(const Histogram& histogram)
{
    return histogram.before(~0u).files;
}

PlotSeries cumulative(std::string name, const Histogram& sizes, std::uint32_t last, std::uint64_t all,
                      std::uint64_t Histogram::Cell::*of, std::size_t colour)
{
    PlotSeries series{.name = std::move(name), .mark = Mark::line, .colour = colour};
    for (std::uint32_t place = 0; place <= last; ++place) {
        series.x.push_back(end_of_size_class(place));
        series.y.push_back(static_cast<double>(sizes.before(place + 1).*of) / static_cast<double>(all));
    }
    return series;
}

}  // namespace

Blocks sizes_section(const Material& material)
{
    const Tally& all = material.all();
    const Histogram& sizes = all.by(Axis::size);
    Blocks blocks;
    if (all.sums.files == 0) {
        blocks.push_back(Paragraph{"There are no files."});
        return blocks;
    }
    const auto under = [&](std::uint32_t bits) {
        return format(share_cell(sizes.before(bits + 1).files, all.sums.files));
    };
    const Histogram::Cell* const popular = most_popular(sizes);
    blocks.push_back(Paragraph{fmt::format(
        "{} of files are under 1 MiB, {} under 2 MiB, {} under 128 MiB; the largest "
        "has {}. Most files, {}, are {}{}.",
        under(20), under(21), under(27), format_bytes(all.sums.largest), format_count(popular->files),
        popular->place == 0 ? "" : "of ", words_of_size_class(popular->place))});

    const std::uint32_t last = last_size_class(sizes);
    Plot plot{.id = "size_distribution",
              .title = "Cumulative distribution of file sizes",
              .x = {"file size", Measure::bytes, Scale::logarithmic},
              .y = {"share below this size", Measure::share, Scale::linear}};
    plot.series.push_back(cumulative("files", sizes, last, all.sums.files, &Histogram::Cell::files, 0));
    // Who has most files may hide what all others do.
    const Holder* most = nullptr;
    const std::vector<Holder> holders = material.holders(material.by);
    for (const Holder& holder : holders)
        if (most == nullptr || holder.tally->sums.files > most->tally->sums.files) most = &holder;
    if (holders.size() > 1 && most->tally->sums.files < all.sums.files) {
        const Histogram rest = without(sizes, most->tally->by(Axis::size));
        const std::uint64_t files = files_of(rest);
        const Histogram::Cell* const usual = most_popular(rest);
        plot.series.push_back(cumulative(fmt::format("files without {}", most->name), rest, last, files,
                                         &Histogram::Cell::files, 1));
        blocks.push_back(Paragraph{fmt::format(
            "Without {}, the {} with most files, {} of files are under 1 MiB, and most are of {}.",
            most->name, breakdown(material.by).one, format(share_cell(rest.before(21).files, files)),
            words_of_size_class(usual->place))});
    }
    if (all.sums.bytes > 0)
        plot.series.push_back(cumulative("bytes", sizes, last, all.sums.bytes, &Histogram::Cell::bytes, 2));
    blocks.push_back(std::move(plot));

    DataTable table{.id = "sizes", .title = "Files by size"};
    table.columns = {{"size", "size", Measure::text},
                     {"below", "below", Measure::number},
                     {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes},
                     {"files_below", "files up to here", Measure::share},
                     {"bytes_below", "bytes up to here", Measure::share}};
    for (const Histogram::Cell& cell : sizes.cells()) {
        const Histogram::Cell below = sizes.before(cell.place + 1);
        table.rows.push_back({text(words_of_size_class(cell.place)),
                              with_decimals(number(end_of_size_class(cell.place)), 0), count(cell.files),
                              bytes(cell.bytes), share_cell(below.files, all.sums.files),
                              share_cell(below.bytes, all.sums.bytes)});
    }
    blocks.push_back(std::move(table));
    return blocks;
}

}  // namespace fathom::scan
