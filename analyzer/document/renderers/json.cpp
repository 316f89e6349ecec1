// The document as nested JSON, and all entries once more in a flat list that scripts can pick from.
#include "analyzer/document/renderers/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/first_page.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"

namespace fathom::report {
namespace {

using Json = nlohmann::ordered_json;

const char* unit_of(Measure measure)
{
    switch (measure) {
        case Measure::text:
            return "text";
        case Measure::path:
            return "path";
        case Measure::count:
            return "count";
        case Measure::bytes:
            return "bytes";
        case Measure::seconds:
            return "seconds";
        case Measure::rate:
            return "MiB/s";
        case Measure::share:
            return "share of 1";
        case Measure::instant:
            return "UTC";
        case Measure::number:
            return "number";
    }
    return "text";
}

// Instants become text, since a double does not hold nanoseconds of UNIX time.
Json value_of(const Cell& cell)
{
    if (cell.measure == Measure::instant) return cell.known() ? Json(format(cell)) : Json();
    if (const auto* words = std::get_if<std::string>(&cell.value)) return valid_utf8(*words);
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value)) return *whole;
    if (const auto* number = std::get_if<double>(&cell.value))
        return std::isfinite(*number) ? Json(*number) : Json();
    return nullptr;
}

Json json_of(const Paragraph& paragraph)
{
    return {{"type", "paragraph"}, {"text", valid_utf8(paragraph.text)}};
}

Json json_of(const Note& note)
{
    return {{"type", note.weight == Weight::warning ? "warning" : "note"}, {"text", valid_utf8(note.text)}};
}

Json list_of(const std::vector<Entry>& entries)
{
    Json list = Json::array();
    for (const Entry& entry : entries)
        list.push_back({{"id", valid_utf8(entry.id)},
                        {"label", valid_utf8(entry.label)},
                        {"value", value_of(entry.value)},
                        {"unit", unit_of(entry.value.measure)},
                        {"text", valid_utf8(format(entry.value))},
                        {"remark", valid_utf8(entry.remark)}});
    return list;
}

Json json_of(const Entries& entries)
{
    return {{"type", "entries"}, {"entries", list_of(entries.entries)}};
}

Json json_of(const Finding& finding)
{
    Json advice = Json::array();
    for (const Advice& one : finding.advice) {
        Json lines = Json::array();
        for (const std::string& line : one.lines) lines.push_back(valid_utf8(line));
        advice.push_back({{"text", valid_utf8(one.text)}, {"lines", std::move(lines)}});
    }
    return {{"type", "finding"},
            {"id", finding.id},
            {"title", valid_utf8(finding.title)},
            {"cost", value_of(finding.cost)},
            {"cost_least", finding.cost_least ? Json(*finding.cost_least) : Json(nullptr)},
            {"unit", unit_of(finding.cost.measure)},
            {"text", format(finding.cost)},
            {"share", value_of(finding.share)},
            {"cost_basis", valid_utf8(finding.cost_basis)},
            {"confidence", confidence_of(finding)},
            {"evidence", list_of(finding.evidence)},
            {"why", valid_utf8(finding.why)},
            {"doubt", valid_utf8(finding.doubt)},
            {"advice", std::move(advice)}};
}

Json json_of(const DataTable& table)
{
    Json columns = Json::array(), rows = Json::array();
    for (const DataColumn& column : table.columns)
        columns.push_back(
            {{"id", column.id}, {"heading", column.heading}, {"unit", unit_of(column.measure)}});
    for (const auto& row : table.rows) {
        Json line = Json::object();
        for (std::size_t at = 0; at < row.size(); ++at) line[table.columns[at].id] = value_of(row[at]);
        rows.push_back(std::move(line));
    }
    return {{"type", "table"},
            {"id", table.id},
            {"title", valid_utf8(table.title)},
            {"columns", std::move(columns)},
            {"rows", std::move(rows)},
            {"remark", valid_utf8(table.remark)}};
}

Json json_of(const Chart& chart)
{
    Json categories = Json::array(), series = Json::array();
    for (const std::string& category : chart.categories) categories.push_back(valid_utf8(category));
    for (const Series& one : chart.series) series.push_back({{"name", one.name}, {"values", one.values}});
    return {{"type", "chart"},
            {"id", chart.id},
            {"title", valid_utf8(chart.title)},
            {"shape", chart.shape == Shape::stacked ? "stacked" : "grouped"},
            {"unit", unit_of(chart.measure)},
            {"category_heading", chart.category_heading},
            {"categories", std::move(categories)},
            {"series", std::move(series)},
            {"remark", valid_utf8(chart.remark)}};
}

Json json_of(const TimeAxis& axis)
{
    Json json = {{"unit", "seconds"},
                 {"first", axis.first},
                 {"length", axis.length},
                 {"time_bins", axis.slices},
                 {"end", axis.end}};
    if (axis.began > 0) json["began"] = format_instant(axis.began);
    return json;
}

Json json_of(const TimeChart& chart)
{
    Json series = Json::array();
    for (const Series& one : chart.series)
        series.push_back({{"name", valid_utf8(one.name)}, {"values", one.values}});
    return {{"type", "time_chart"},
            {"id", chart.id},
            {"title", valid_utf8(chart.title)},
            {"time", json_of(chart.time)},
            {"unit", unit_of(chart.measure)},
            {"series", std::move(series)},
            {"remark", valid_utf8(chart.remark)}};
}

Json json_of(const Margin& margin)
{
    return {{"name", margin.name}, {"unit", unit_of(margin.measure)}, {"values", margin.values}};
}

Json json_of(const Heatmap& map)
{
    Json rows = Json::array();
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        rows.push_back({{"first", map.rows[row].first},
                        {"last", map.rows[row].last},
                        {"members", map.rows[row].members},
                        {"values", map.values[row]}});
        if (!map.rows[row].name.empty()) rows.back()["name"] = valid_utf8(map.rows[row].name);
    }
    Json levels = Json::array();
    for (const ValueClass& level : map.levels)
        levels.push_back({{"from", level.from}, {"name", valid_utf8(level.name)}});
    return {{"type", "heatmap"},
            {"id", map.id},
            {"title", valid_utf8(map.title)},
            {"time", json_of(map.time)},
            {"unit", unit_of(map.measure)},
            {"row_heading", map.row_heading},
            {"rows", std::move(rows)},
            {"by_time_bin", json_of(map.by_slice)},
            {"by_row", json_of(map.by_row)},
            {"levels", std::move(levels)},
            {"remark", valid_utf8(map.remark)}};
}

Json json_of(const PlotAxis& axis)
{
    return {{"heading", valid_utf8(axis.heading)},
            {"unit", unit_of(axis.measure)},
            {"scale", axis.scale == Scale::logarithmic ? "logarithmic" : "linear"}};
}

Json json_of(const Plot& plot)
{
    constexpr const char* marks[] = {"points", "line", "area", "steps"};
    Json series = Json::array(), across = Json::array();
    for (const PlotSeries& one : plot.series)
        series.push_back({{"name", valid_utf8(one.name)},
                          {"mark", marks[static_cast<std::size_t>(one.mark)]},
                          {"colour", one.colour},
                          {"x", one.x},
                          {"y", one.y}});
    for (const PlotMark& one : plot.marks) across.push_back({{"name", valid_utf8(one.name)}, {"x", one.x}});
    return {{"type", "plot"},
            {"id", plot.id},
            {"title", valid_utf8(plot.title)},
            {"x", json_of(plot.x)},
            {"y", json_of(plot.y)},
            {"series", std::move(series)},
            {"marks", std::move(across)},
            {"remark", valid_utf8(plot.remark)}};
}

Json json_of(const TimeBar& bar)
{
    return {{"label", valid_utf8(bar.label)},
            {"read", bar.read},
            {"write", bar.write},
            {"metadata", bar.metadata},
            {"run", bar.run}};
}

Json json_of(const KeyNumber& one)
{
    return {{"id", one.id},
            {"label", one.label},
            {"value", value_of(one.value)},
            {"unit", unit_of(one.value.measure)},
            {"rate", one.rate},
            {"about", valid_utf8(one.about)}};
}

Json json_of(const FindingInBrief& one)
{
    return {{"title", valid_utf8(one.title)},
            {"cost", one.cost},
            {"confidence", confidence_names[static_cast<std::size_t>(one.confidence)]},
            {"advice", valid_utf8(one.advice)}};
}

template <class All>
Json list_of(const All& all)
{
    Json list = Json::array();
    for (const auto& one : all) list.push_back(json_of(one));
    return list;
}

// The charts are those of the sections.
Json json_of(const FirstPage& page)
{
    Json layers = Json::array();
    for (const LayerShare& one : page.layers) layers.push_back({{"name", one.name}, {"share", one.share}});
    return {{"verdict", valid_utf8(page.verdict)}, {"recorded", valid_utf8(page.recorded)},
            {"all_well", page.all_well},           {"notes", list_of(page.notes)},
            {"run_time", list_of(page.bars)},      {"numbers", list_of(page.numbers)},
            {"findings", list_of(page.findings)},  {"layers", std::move(layers)}};
}

}  // namespace

std::string render_json(const Document& document)
{
    Json values = Json::object(), sections = Json::array();
    std::size_t findings = 0;
    for (const Section& section : document.sections) {
        Json blocks = Json::array();
        for (const Block& block : section.blocks) {
            blocks.push_back(std::visit([](const auto& one) { return json_of(one); }, block));
            if (const auto* entries = std::get_if<Entries>(&block))
                for (const Entry& entry : entries->entries)
                    values[section.id + "." + valid_utf8(entry.id)] = value_of(entry.value);
            if (const auto* finding = std::get_if<Finding>(&block)) {
                values["findings." + finding->id + ".cost"] = value_of(finding->cost);
                ++findings;
            }
        }
        sections.push_back({{"id", section.id}, {"title", section.title}, {"blocks", std::move(blocks)}});
    }
    values["findings.count"] = document.first ? document.first->findings_in_all : findings;
    Json json = {{"fathom_report", json_version},
                 {"title", valid_utf8(document.title)},
                 {"subtitle", valid_utf8(document.subtitle)},
                 {"values", std::move(values)},
                 {"sections", std::move(sections)}};
    if (document.first) json["first_page"] = json_of(*document.first);
    return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace fathom::report
