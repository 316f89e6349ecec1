// How well lines fit what was measured, in numbers and drawings.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/timing/models/sections.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t points_of_line = 64, colours = 4;
constexpr double smallest_drawn = 1, largest_drawn = 16.0 * 1024 * 1024;  // where the sizes are not known

Cell optional_cell(Measure measure, const std::optional<double>& value)
{
    return value ? Cell{measure, *value} : unknown(measure);
}

// Only the file's layout distinguishes this model from another one.
bool tells_file(const ModelFile& file, const IoModel& model)
{
    return std::count_if(file.models.begin(), file.models.end(), [&](const IoModel& other) {
               return other.state == model.state && other.operation == model.operation &&
                      other.memory == model.memory;
           }) > 1;
}

std::string name_of(const IoModel& model, bool with_file)
{
    return fmt::format("{} {} {}{}", model.state, model.operation, model.memory,
                       with_file ? ", file " + model.file : "");
}

DataTable parameters(const ModelFile& file)
{
    DataTable table{.id = "models", .title = "Lines of the limits, d(size) = I + c size"};
    table.columns = {{"model", "model", Measure::text},
                     {"sizes", "sizes", Measure::text},
                     {"intercept", "I", Measure::seconds},
                     {"factor", "c (s/B)", Measure::number},
                     {"absolute_error", "error", Measure::seconds},
                     {"relative_error", "relative", Measure::share},
                     {"outliers", "outliers", Measure::share},
                     {"outliers_of_model", "of model", Measure::share}};
    bool with_file = false;
    for (const IoModel& model : file.models) {
        const bool tells = tells_file(file, model);
        with_file = with_file || tells;
        const auto add = [&](std::string_view sizes, const Line& line, const ModelErrors& errors) {
            table.rows.push_back({text(name_of(model, tells)), text(sizes), seconds(line.intercept),
                                  number(line.slope), optional_cell(Measure::seconds, errors.absolute),
                                  optional_cell(Measure::share, errors.relative),
                                  optional_cell(Measure::share, errors.outliers),
                                  optional_cell(Measure::share, errors.outliers_of_model)});
        };
        if (model.limit.small) add("≤ 4 KiB", *model.limit.small, model.small_errors);
        if (model.limit.large) add("> 4 KiB", *model.limit.large, model.large_errors);
    }
    table.remark = fmt::format(
        "A model is named by what served the operations, their kind, and where the buffer lay in memory{}. "
        "Lines go "
        "through {} times the limits that were measured, so that a relative error of {} % is none. Errors "
        "are means over "
        "the sizes. Outliers: operations beyond the limit of their size, and beyond the line.",
        with_file ? ", and where in the file the data, if there are models of several" : "", limit_margin,
        std::lround((limit_margin - 1) * 100));
    return table;
}

// Ascending sizes, evenly on a logarithmic scale.
std::vector<double> drawn_sizes(const IoModel& model)
{
    double from = smallest_drawn, to = largest_drawn;
    if (!model.sizes.empty()) {
        from = std::max(static_cast<double>(model.sizes.front().size), smallest_drawn);
        to = std::max(static_cast<double>(model.sizes.back().size), from);
    }
    std::vector<double> sizes;
    for (std::size_t at = 0; at < points_of_line; ++at)
        sizes.push_back(from * std::pow(to / from, static_cast<double>(at) / (points_of_line - 1)));
    return sizes;
}

PlotSeries line_of(const IoModel& model, std::string name, std::size_t colour)
{
    PlotSeries series{.name = std::move(name), .mark = Mark::line, .colour = colour};
    for (const double size : drawn_sizes(model))
        if (const auto time = model.limit.at(size); time && *time > 0) {
            series.x.push_back(size);
            series.y.push_back(*time);
        }
    return series;
}

PlotSeries limits_of(const IoModel& model, std::string name, std::size_t colour)
{
    PlotSeries series{.name = std::move(name), .mark = Mark::points, .colour = colour};
    for (const TrainedSize& one : model.sizes) {
        series.x.push_back(static_cast<double>(one.size));
        series.y.push_back(one.limit);
    }
    return series;
}

Plot empty_plot(std::string id, std::string title)
{
    return {.id = std::move(id),
            .title = std::move(title),
            .x = {"size", Measure::bytes, Scale::logarithmic},
            .y = {"limit", Measure::seconds, Scale::logarithmic}};
}

// All models of one kind of operation, a colour each state.
Plot all_lines(const ModelFile& file, const std::string& operation)
{
    Plot plot = empty_plot("lines_" + operation, fmt::format("Limits of {}s by model", operation));
    std::vector<std::string> states;
    for (const IoModel& model : file.models) {
        if (model.operation != operation) continue;
        const auto found = std::find(states.begin(), states.end(), model.state);
        const auto colour = static_cast<std::size_t>(found - states.begin());
        const bool first = found == states.end();
        if (first) states.push_back(model.state);
        plot.series.push_back(line_of(model, first ? model.state : "", colour % colours));
    }
    plot.remark =
        "A line for each layout of the buffer in memory: an operation below a line is explained by it.";
    return plot;
}

// One state's models, and the limits that were measured.
Plot lines_and_limits(const ModelFile& file, const std::string& operation, const std::string& state)
{
    Plot plot = empty_plot(fmt::format("limits_{}_{}", state, operation),
                           fmt::format("{} {}s: limits as measured, and their lines", state, operation));
    std::size_t colour = 0;
    for (const IoModel& model : file.models) {
        if (model.operation != operation || model.state != state || model.sizes.empty()) continue;
        plot.series.push_back(limits_of(
            model,
            tells_file(file, model) ? fmt::format("{}, file {}", model.memory, model.file) : model.memory,
            colour));
        plot.series.push_back(line_of(model, "", colour));
        colour = (colour + 1) % colours;
    }
    return plot;
}

Entries origin_entries(const ModelFile& file)
{
    Entries entries;
    const auto add = [&](std::string_view id, std::string_view label, const std::string& value) {
        entries.entries.push_back(
            {std::string(id), std::string(label), value.empty() ? unknown(Measure::text) : text(value), ""});
    };
    add("measurement", "measurement", file.made.measurement);
    add("host", "measured on", file.made.host);
    add("kernel", "kernel", file.made.kernel);
    add("file_system", "file system", file.made.file_system);
    add("date", "date", file.made.date);
    entries.entries.push_back({"models", "models", count(file.models.size()), ""});
    return entries;
}

}  // namespace

std::string origin_of(const ModelFile& file)
{
    std::string words;
    for (const std::string& one : {file.made.host, file.made.file_system, file.made.date})
        if (!one.empty()) add_to_list(words, one);
    return words.empty() ? "an unknown machine" : words;
}

Document training_document(const ModelFile& file, const std::vector<std::string>& notes)
{
    Document document{.title = "Models of operation times", .subtitle = origin_of(file), .sections = {}};
    Section models{"models", "Models", {origin_entries(file), parameters(file)}};
    for (const std::string& note : notes) models.blocks.emplace_back(Note{Weight::information, note});
    Section lines{"lines", "Lines and limits", {}};
    for (const std::string operation : {"read", "write"}) {
        std::vector<std::string> states;
        for (const IoModel& model : file.models)
            if (model.operation == operation &&
                std::find(states.begin(), states.end(), model.state) == states.end())
                states.push_back(model.state);
        if (states.empty()) continue;
        lines.blocks.emplace_back(all_lines(file, operation));
        for (const std::string& state : states)
            if (Plot plot = lines_and_limits(file, operation, state); !plot.series.empty())
                lines.blocks.emplace_back(std::move(plot));
    }
    document.sections = {std::move(models), std::move(lines)};
    return document;
}

}  // namespace fathom
