// File systems: which there are, the load of one over time and whose jobs made it, one minute of it.
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "analyzer/methods/rate.h"
#include "analyzer/neighbours/file_systems.h"
#include "analyzer/serve/address.h"
#include "analyzer/serve/choose.h"
#include "analyzer/serve/load.h"
#include "analyzer/serve/routes.h"

namespace fathom::serve {
namespace {

using namespace report;
using jobs::Value;
using jobs::ValueType;

constexpr unsigned fresh_load = 30;  // s
constexpr std::size_t slices_of_a_chart = 120, rows_of_a_map = 16, rows_of_a_table = 100;
constexpr Number minute = 60'000'000'000, shortest_span = 10'000'000'000,
                 longest_span = 366 * 24 * 60 * minute, usual_load = 6 * 60 * minute;

FileSystem file_system_in(const Asked& asked)
{
    return {asked.request.parameter("mount"), asked.request.parameter("type"),
            asked.request.parameter("source")};
}

std::string words_of(const FileSystem& place)
{
    neighbours::Place words;
    words.mount = place.mount;
    words.type = place.type;
    words.source = place.source;
    return neighbours::words_of(words);
}

std::string address_of_system(std::string_view path, const FileSystem& place, std::string_view name = {},
                              std::string_view value = {})
{
    return address_of(
        path, {{"mount", place.mount}, {"type", place.type}, {"source", place.source}, {name, value}});
}

Document systems_document(jobs::Database& database, const TimeSpan& span)
{
    jobs::Choice choice = starts_in(span);
    choice.add("recorded = 1");
    DataTable table{.id = "file_systems"};
    table.columns = {{"path", "mounted at", Measure::path},
                     {"type", "type"},
                     {"source", "from"},
                     {"jobs", "jobs", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"io_seconds", "time in I/O, all processes", Measure::seconds}};
    std::vector<ValueType> types(7, ValueType::integer);
    types[0] = types[1] = types[2] = ValueType::text;
    database.each(
        fmt::format(
            "select m.mount, m.type, m.source, count(*), cast(sum(m.bytes_read) as bigint), "
            "cast(sum(m.bytes_written) as bigint), cast(sum(m.read_ns + m.write_ns + m.metadata_ns) as "
            "bigint) "
            "from job_mounts m where m.job in (select id from jobs {}) group by m.mount, m.type, m.source "
            "order by sum(m.bytes_read) + sum(m.bytes_written) desc, m.mount limit 200",
            choice.where()),
        choice.values(), types, [&](std::span<const Value> row) {
            FileSystem place;
            jobs::fetch(row[0], place.mount);
            jobs::fetch(row[1], place.type);
            jobs::fetch(row[2], place.source);
            std::vector<Cell> cells{place.mount.empty() ? text("not known") : path(place.mount),
                                    text(place.type), place.source.empty() ? unknown() : text(place.source)};
            for (std::size_t at = 3; at < row.size(); ++at) {
                Number number = 0;
                jobs::fetch(row[at], number);
                const auto whole = static_cast<std::uint64_t>(std::max<Number>(number, 0));
                cells.push_back(at == 3 ? count(whole) : at == 6 ? nanoseconds(whole) : bytes(whole));
            }
            table.rows.push_back(std::move(cells));
            table.links.push_back(address_of_system("/file-system", place));
        });
    Document document;
    document.subtitle = span.words;
    table.remark = "In the order of bytes, the most first.";
    if (table.rows.empty())
        document.sections.push_back({"systems", "None", {Paragraph{"No job with a log began then."}}});
    else
        document.sections.push_back({"systems", "By bytes", {std::move(table)}});
    return document;
}

TimeAxis axis_of(const Load& load)
{
    return {0, load.slice, load.read.size(), static_cast<double>(load.end - load.start) / 1e9,
            static_cast<std::uint64_t>(load.start)};
}

std::vector<double> rates(const std::vector<double>& bytes_of_slices, double slice)
{
    std::vector<double> all;
    for (const double one : bytes_of_slices) all.push_back(one / slice / mebibyte);
    return all;
}

std::string name_of(const JobLoad& one)
{
    return fmt::format("{} {}{}", one.job.id, one.job.program,
                       one.job.user.empty() ? "" : " of " + one.job.user);
}

Block load_chart(const Load& load)
{
    TimeChart chart{.id = "load", .title = "Rate over time, all jobs", .time = axis_of(load)};
    chart.series = {{"read", rates(load.read, load.slice)}, {"written", rates(load.written, load.slice)}};
    chart.remark =
        "By the jobs' time bins; of a job on several file systems, the share that it moved here. "
        "Programs that nobody recorded are not in it.";
    return chart;
}

Block jobs_map(const Load& load)
{
    Heatmap map{.id = "load_by_job", .title = "Who made it", .time = axis_of(load), .row_heading = "job"};
    map.by_slice = {"all jobs", Measure::bytes, std::vector<double>(load.read.size())};
    map.by_row = {"bytes", Measure::bytes, {}};
    const auto add_row = [&](std::string name, std::vector<double> values) {
        double sum = 0;
        for (const double one : values) sum += one;
        map.rows.push_back({map.rows.size(), map.rows.size(), 1, std::move(name)});
        map.by_row.values.push_back(sum);
        map.values.push_back(std::move(values));
    };
    for (std::size_t at = 0; at < load.read.size(); ++at)
        map.by_slice.values[at] = load.read[at] + load.written[at];
    std::vector<double> others = map.by_slice.values;
    for (const JobLoad& one : load.jobs) {
        if (map.rows.size() == rows_of_a_map) break;
        std::vector<double> values(one.read.size());
        for (std::size_t at = 0; at < values.size(); ++at) {
            values[at] = one.read[at] + one.written[at];
            others[at] = std::max(others[at] - values[at], 0.0);
        }
        add_row(name_of(one), std::move(values));
    }
    if (load.jobs.size() > rows_of_a_map)
        add_row(counted(load.jobs.size() - rows_of_a_map, "other job", "other jobs"), std::move(others));
    map.remark = "Bytes of the jobs that moved most; each is in the table below.";
    return map;
}

// Names of nodes of jobs that the viewer sees.
std::map<Number, std::string> nodes_of(jobs::Database& database, const Load& load)
{
    jobs::Values keys;
    for (const JobLoad& one : load.jobs)
        if (keys.size() < rows_of_a_table) keys.emplace_back(one.job.id);
    std::map<Number, std::string> nodes;
    jobs::each_of(database, "select job, node_names from job_environment where job in (@keys)", keys,
                  std::vector{ValueType::integer, ValueType::text}, [&](std::span<const Value> row) {
                      Number id = 0;
                      jobs::fetch(row[0], id);
                      jobs::fetch(row[1], nodes[id]);
                  });
    return nodes;
}

Block jobs_table(const Load& load, const std::map<Number, std::string>& nodes, bool with_nodes)
{
    DataTable table{.id = "load_jobs", .title = "Jobs, the most bytes first"};
    table.columns = {{"id", "id"},
                     {"batch_job", "job"},
                     {"program", "program"},
                     {"user", "user"},
                     {"processes", "procs", Measure::count},
                     {"active", "in I/O at once", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"rate", "mean rate", Measure::rate},
                     {"share", "of all", Measure::share}};
    if (with_nodes) table.columns.push_back({"nodes", "nodes"});
    double all = 0;
    for (const JobLoad& one : load.jobs) all += one.bytes();
    const double length = static_cast<double>(load.end - load.start) / 1e9;
    const auto known = [](const std::string& words) { return words.empty() ? unknown() : text(words); };
    const auto whole = [](double value) {
        return static_cast<std::uint64_t>(std::llround(std::max(value, 0.0)));
    };
    for (const JobLoad& one : load.jobs) {
        if (table.rows.size() == rows_of_a_table) break;
        auto& row = table.rows.emplace_back(std::vector<Cell>{
            text(fmt::format("{}", one.job.id)), known(one.job.job), known(one.job.program),
            known(one.job.user),
            one.job.processes > 0 ? count(whole(one.job.processes)) : unknown(Measure::count),
            count(whole(one.most_processes)), bytes(whole(one.bytes_read)), bytes(whole(one.bytes_written)),
            rate(one.bytes() / length / mebibyte), share_of(one.bytes(), all)});
        if (with_nodes) {
            const auto at = nodes.find(one.job.id);
            row.push_back(at == nodes.end() ? unknown() : known(at->second));
        }
    }
    if (load.jobs.size() > table.rows.size())
        table.remark =
            fmt::format("The first {} of {}.", table.rows.size(), counted(load.jobs.size(), "job", "jobs"));
    return table;
}

Document load_document(jobs::Database& database, const FileSystem& place, Number start, Number end,
                       bool is_minute)
{
    Document document;
    document.title = words_of(place);
    document.subtitle = fmt::format("{} to {}", format_instant(static_cast<std::uint64_t>(start)),
                                    format_instant(static_cast<std::uint64_t>(end)));
    Load load;
    try {
        load = load_of(database, place, start, end, is_minute ? 60 : slices_of_a_chart);
    } catch (const TooMany& many) {
        document.sections.push_back(
            {"load",
             "Load",
             {Note{Weight::warning, fmt::format("More than {} ran then: choose a shorter time.",
                                                counted(most_jobs, "job", "jobs"))}}});
        return document;
    }
    Blocks blocks;
    double read = 0, written = 0;
    for (const JobLoad& one : load.jobs) {
        read += one.bytes_read;
        written += one.bytes_written;
    }
    const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
    Entries entries;
    entries.entries = {{"jobs", "Jobs that moved something", count(load.jobs.size()), ""},
                       {"bytes_read", "Read", bytes(whole(read)), ""},
                       {"bytes_written", "Written", bytes(whole(written)), ""},
                       {"server", "Server", place.source.empty() ? unknown() : text(place.source), ""}};
    if (load.without_bins > 0)
        entries.entries.push_back({"without_bins", "Jobs of which it is not known when",
                                   count(load.without_bins), "their logs have no time bins"});
    blocks.push_back(std::move(entries));
    if (!load.jobs.empty()) {
        blocks.push_back(load_chart(load));
        blocks.push_back(jobs_map(load));
        blocks.push_back(jobs_table(load, nodes_of(database, load), is_minute));
    } else {
        blocks.push_back(Paragraph{"No job of the database moved anything there then."});
    }
    document.sections.push_back({"load", is_minute ? "One minute" : "Load", std::move(blocks)});
    return document;
}

// When the last job on it that the viewer may see ended: what is looked at where nothing is said.
Number last_end(jobs::Database& database, const FileSystem& place)
{
    // Where it is in use, it is known of the last jobs.
    Number end = 0;
    std::map<Number, Number> ends;
    jobs::Values ids;
    database.each_again("select id, end_ns from jobs order by start_ns desc, id desc limit 256", {},
                        std::vector(2, ValueType::integer), [&](std::span<const Value> row) {
                            ids.push_back(row[0]);
                            jobs::fetch(row[1], ends[std::get<std::int64_t>(row[0])]);
                        });
    jobs::each_of(
        database, "select job, mount, type, source from job_mounts where job in (@keys)", ids,
        std::vector{ValueType::integer, ValueType::text, ValueType::text, ValueType::text},
        [&](std::span<const Value> row) {
            if (row[1] == Value(place.mount) && row[2] == Value(place.type) && row[3] == Value(place.source))
                end = std::max(end, ends.at(std::get<std::int64_t>(row[0])));
        });
    if (end > 0) return end;
    jobs::fetch(
        database.one(
            "select max(end_ns) from (select end_ns from jobs where id in (select job from job_mounts "
            "where mount = ? and type = ? and source = ? order by job desc limit 1000)) as last_ones",
            std::vector<Value>{place.mount, place.type, place.source}, ValueType::integer),
        end);
    return end;
}

// A mount of no job that the viewer sees is not there for them.
void must_be_there(const Asked& asked, const FileSystem& place)
{
    const Value one =
        asked.database().one("select 1 from job_mounts where mount = ? and type = ? and source = ? limit 1",
                             std::vector<Value>{place.mount, place.type, place.source}, ValueType::integer);
    if (one.index() == 0) throw NotThere();
}

struct Stretch {
    Number start = 0, end = 0;
};

// `when`: nothing where nobody says it, and then the last hours.
View load_view(const Asked& asked, const FileSystem& place, const std::optional<Stretch>& when,
               bool is_minute)
{
    View view;
    view.document = slow_document(
        asked, is_minute ? "minute" : "file system", fresh_load, Reach::some_jobs,
        [place, when, now = asked.now, is_minute](Sessions& sessions, const Viewer& viewer) {
            Stretch then;
            if (when) {
                then = *when;
            } else {
                then.end = std::min(last_end(sessions.of(viewer, Scope::own), place), now);
                then.start = std::max<Number>(then.end - usual_load, 0);
            }
            return load_document(sessions.of(viewer, Scope::beside), place, then.start, then.end, is_minute);
        });
    const std::string moment = when ? fmt::format("@{}", (when->end - 1) / 1'000'000'000) : "";
    view.beside = {{"Load", address_of_system("/file-system", place), !is_minute},
                   {"One minute", address_of_system("/minute", place, "at", moment), is_minute}};
    return view;
}

}  // namespace

View file_systems_view(const Asked& asked, Form form)
{
    const TimeSpan span = span_in(asked, "30 days ago");
    View view;
    view.with_span = true;
    view.document = slow_document(asked, "file systems", 60, reach_of(asked.viewer),
                                  [span](Sessions& sessions, const Viewer& viewer) {
                                      return systems_document(sessions.of(viewer, Scope::own), span);
                                  });
    view.document.title = "File systems";
    if (form == Form::csv) view.csv = csv_of_table(view.document);
    return view;
}

View file_system_view(const Asked& asked, Form)
{
    const FileSystem place = file_system_in(asked);
    must_be_there(asked, place);
    TimeSpan span = span_in(asked, "");
    std::optional<Stretch> when;
    if (span.since || span.before) {
        const Number end = span.before.value_or(asked.now);
        when = {span.since.value_or(end - usual_load), end};
        if (when->end - when->start < shortest_span || when->end - when->start > longest_span ||
            when->start < 0)
            throw BadAddress("since, until: choose from 10 seconds to a year");
    }
    View view = load_view(asked, place, when, false);
    view.with_span = true;
    return view;
}

View minute_view(const Asked& asked, Form)
{
    const FileSystem place = file_system_in(asked);
    must_be_there(asked, place);
    Number at = 0;
    const std::string said = asked.request.parameter("at");
    try {
        at = said.empty() ? std::min(last_end(asked.database(), place), asked.now)
                          : jobs::moment_of(said, asked.now);
    } catch (const std::invalid_argument& error) {
        throw BadAddress(fmt::format("at {}", error.what()));
    }
    const Number start = at - at % minute;
    View view = load_view(asked, place, Stretch{start, start + minute}, true);
    const auto to = [&](Number moment) {
        return address_of_system("/minute", place, "at", fmt::format("@{}", moment / 1'000'000'000));
    };
    view.pages = {{"Minute before", to(start - minute)}, {"Next minute", to(start + minute)}};
    return view;
}

}  // namespace fathom::serve
