// A table of columns serves the screen, its keys and the JSON.
#include "analyzer/watch/screen.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analyzer/document/drawing/layout.h"
#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/methods/rate.h"

namespace fathom::watch {
namespace {

double a_second(std::uint64_t amount, double seconds)
{
    return seconds > 0 ? static_cast<double>(amount) / seconds : 0;
}

std::string rate_words(double bytes)
{
    return bytes > 0 ? report::format_rate(bytes / mebibyte) : "-";
}
std::string bytes_words(double bytes)
{
    return report::format_bytes(static_cast<std::uint64_t>(bytes));
}
std::string count_words(double count)
{
    return count > 0 ? report::format_count(static_cast<std::uint64_t>(std::llround(count))) : "-";
}
std::string share_words(double share)
{
    return fmt::format("{:.0f} %", std::min(share, 1.0) * 100);
}

const Column column_table[] = {
    {'w', "write_rate", "writes", [](const Row& row, double s) { return a_second(row.lately.written, s); },
     rate_words},
    {'r', "read_rate", "reads", [](const Row& row, double s) { return a_second(row.lately.read, s); },
     rate_words},
    {'o', "operations", "ops/s",
     [](const Row& row, double s) { return a_second(row.lately.reads + row.lately.writes, s); }, count_words},
    {'m', "metadata", "meta/s",
     [](const Row& row, double s) { return a_second(row.lately.metadata_calls, s); }, count_words},
    {'i', "io_share", "in I/O",
     [](const Row& row, double s) {
         const double running = static_cast<double>(std::max<std::size_t>(row.processes, 1));
         return a_second(row.lately.io_time(), s) / 1e9 / running;
     },
     share_words},
    {'W', "written", "written", [](const Row& row, double) { return static_cast<double>(row.all.written); },
     bytes_words},
    {'R', "read", "read", [](const Row& row, double) { return static_cast<double>(row.all.read); },
     bytes_words},
    {'t', "io_seconds", "time in I/O",
     [](const Row& row, double) { return static_cast<double>(row.all.io_time()) / 1e9; },
     [](double seconds) { return report::format_seconds(seconds); }},
};

constexpr std::string_view view_names[] = {"recordings", "processes", "files"};

double seconds_between(const Snapshot& before, const Snapshot& now)
{
    return now.time > before.time ? static_cast<double>(now.time - before.time) / 1e9 : 0;
}

std::string timeline_of(const Timeline& timeline, std::size_t width)
{
    static constexpr std::string_view blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t from = timeline.size() > width ? timeline.size() - width : 0;
    double most = 0;
    for (std::size_t at = from; at < timeline.size(); ++at) most = std::max(most, timeline[at]);
    std::string line;
    for (std::size_t at = from; at < timeline.size(); ++at) {
        const auto level = static_cast<std::size_t>(most > 0 ? timeline[at] / most * 7.999 : 0);
        line += timeline[at] > 0 ? blocks[level] : " ";
    }
    return line;
}

double most_of(const Timeline& timeline)
{
    return timeline.empty() ? 0 : *std::ranges::max_element(timeline);
}

// "job 4711 of anna: 3 of 4 nodes", "2 recordings"
std::string who(const Snapshot& now)
{
    if (!now.job) return report::counted(now.recordings.size(), "recording", "recordings");
    const std::size_t at_work = nodes_at_work(now);
    return fmt::format("job {}{}: {}", report::printable(now.job->id),
                       now.job->user.empty() ? "" : " of " + report::printable(now.job->user),
                       now.job->nodes == 0 ? report::counted(at_work, "node", "nodes")
                                           : fmt::format("{} of {}", at_work,
                                                         report::counted(std::max(now.job->nodes, at_work),
                                                                         "node", "nodes")));
}

std::string cut(std::string_view text, std::size_t width)
{
    return width == 0 ? std::string(text) : report::shorten_end(text, width);
}

}  // namespace

std::vector<Column> columns()
{
    return {std::begin(column_table), std::end(column_table)};
}

std::vector<Row> chosen(std::vector<Row> rows, const Show& show, double seconds)
{
    std::erase_if(rows, [&](const Row& row) { return row.name.find(show.filter) == std::string::npos; });
    const Column& by = column_table[show.sort];
    std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
        return std::tuple(-by.of(a, seconds), -static_cast<double>(a.all.io_time())) <
               std::tuple(-by.of(b, seconds), -static_cast<double>(b.all.io_time()));
    });
    return rows;
}

std::vector<std::string> lines_of(const Snapshot& before, const Snapshot& now, const Show& show,
                                  const Timeline& timeline, std::size_t width, std::size_t height)
{
    const double seconds = seconds_between(before, now);
    std::size_t running = 0;
    for (const Recording& recording : now.recordings) running += recording.processes_running();
    std::vector<std::string> lines;
    lines.push_back(
        cut(fmt::format("{}  {}, {}; the last {}", report::format_instant(now.time), who(now),
                        report::counted(running, "process", "processes"), report::format_seconds(seconds)),
            width));
    const std::string scale = fmt::format("  up to {}", report::format_rate(most_of(timeline) / mebibyte));
    const std::size_t all = width == 0 ? 80 : width, room_of_timeline = all - std::min(all, scale.size());
    lines.push_back(cut(timeline_of(timeline, room_of_timeline) + scale, width));
    std::vector<Row> rows = chosen(rows_of(before, now, show.view), show, seconds);
    if (now.job && rows.size() > 1 && show.filter.empty()) {
        rows.insert(rows.begin(), sum_of(before, now));
        rows.front().name = "all nodes";
    }
    std::vector<std::vector<std::string>> cells;
    std::vector<std::size_t> widths;
    std::vector<std::string> head;
    for (const Column& column : column_table) {
        head.emplace_back(column.head);
        widths.push_back(column.head.size());
    }
    const std::size_t room = height == 0 ? rows.size() : height > 4 ? height - 4 : 1;
    for (std::size_t at = 0; at < std::min(rows.size(), room); ++at) {
        std::vector<std::string>& row = cells.emplace_back();
        for (std::size_t column = 0; column < std::size(column_table); ++column) {
            row.push_back(column_table[column].words(column_table[column].of(rows[at], seconds)));
            widths[column] = std::max(widths[column], report::display_width(row.back()));
        }
    }
    // Columns that do not fit beside a name of some letters are left out, the last ones first.
    constexpr std::size_t shortest_name = 16;
    std::size_t shown = 0, used = 0;
    while (shown < widths.size() && (width == 0 || used + widths[shown] + 2 + shortest_name <= width))
        used += widths[shown++] + 2;
    const auto line = [&](const std::vector<std::string>& row, std::string_view name) {
        std::string text;
        for (std::size_t column = 0; column < shown; ++column)
            text += std::string(widths[column] - std::min(widths[column], report::display_width(row[column])),
                                ' ') +
                    row[column] + "  ";
        return width == 0 ? text + std::string(name)
                          : text + report::shorten_middle(
                                       name, width - std::min(width, report::display_width(text)));
    };
    lines.push_back(line(head, now.job && show.view == View::recordings
                                   ? "nodes"
                                   : view_names[static_cast<std::size_t>(show.view)]));
    for (std::size_t at = 0; at < cells.size(); ++at)
        lines.push_back(
            line(cells[at], report::printable(rows[at].name) + (rows[at].running ? "" : " (ended)")));
    if (rows.size() > cells.size())
        lines.push_back(fmt::format("and {} more", report::format_count(rows.size() - cells.size())));
    if (now.recordings.empty())
        lines.emplace_back(now.job ? "no node reports it"
                                   : "no recording of yours is under way on this node");
    return lines;
}

std::string json_of(const Snapshot& before, const Snapshot& now)
{
    using Json = nlohmann::ordered_json;
    const double seconds = seconds_between(before, now);
    const auto numbers = [&](const Row& row) {
        Json made;
        for (const Column& column : column_table) made[std::string(column.id)] = column.of(row, seconds);
        made["metadata_calls"] = row.all.metadata_calls;
        made["reads"] = row.all.reads;
        made["writes"] = row.all.writes;
        return made;
    };
    Json line{{"time_ns", now.time}, {"seconds", seconds}, {"recordings", Json::array()}};
    if (now.job) {
        line["job"] = now.job->id;
        line["user"] = now.job->user;
        line["nodes_at_work"] = nodes_at_work(now);
        line["nodes"] = now.job->nodes == 0 ? Json() : Json(now.job->nodes);
        line["all"] = numbers(sum_of(before, now));
    }
    for (const Recording& recording : now.recordings) {
        const Snapshot own{now.time, {recording}};
        const auto rows = [&](View view) {
            Json all = Json::array();
            for (const Row& row : rows_of(before, own, view)) {
                Json one = numbers(row);
                one["name"] = report::printable(row.name);
                one["running"] = row.running;
                all.push_back(std::move(one));
            }
            return all;
        };
        Json one = rows(View::recordings).front();
        one["processes_running"] = recording.processes_running();
        if (now.job) {
            one["node"] = recording.node;
            one["step"] = recording.step;
            one["start_ns"] = recording.start;
            one["age_seconds"] = recording.age;
            one["silent"] = recording.silent;
            line["recordings"].push_back(std::move(one));
            continue;
        }
        one["spool"] = recording.spool;
        one["processes"] = rows(View::processes);
        one["files"] = rows(View::files);
        line["recordings"].push_back(std::move(one));
    }
    return line.dump();
}

}  // namespace fathom::watch
