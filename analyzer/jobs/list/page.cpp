// The first page as in a report; behind it a section for each table of the database.
#include "analyzer/jobs/list/page.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "analyzer/document/first_page.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/entry/entry.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/paths.h"
#include "logformat/counters.h"

namespace fathom::jobs {
namespace {

using namespace report;

std::uint64_t plain(Number number)
{
    return number > 0 ? static_cast<std::uint64_t>(number) : 0;
}
Cell count_cell(const Known& number)
{
    return number ? count(plain(*number)) : unknown(Measure::count);
}
Cell bytes_cell(Number number)
{
    return bytes(plain(number));
}
Cell time_cell(const Known& nanoseconds)
{
    return nanoseconds ? report::nanoseconds(plain(*nanoseconds)) : unknown(Measure::seconds);
}
Cell words_cell(const std::string& words)
{
    return words.empty() ? unknown() : text(words);
}

template <class Row>
std::vector<Row> parts_of(Database& database, Number id)
{
    std::vector<Row> rows;
    select_again<Row>(database, "where job = ?", Values{id},
                      [&](Row row) { rows.push_back(std::move(row)); });
    return rows;
}

std::string with_capital(std::string word)
{
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
}

struct Stored : Entry {
    std::vector<std::string> logs;
};

Stored stored(Database& database, Number id)
{
    Stored all;
    bool there = false;
    select_again<Job>(database, "where id = ?", Values{id}, [&](Job job) {
        all.job = std::move(job);
        there = true;
    });
    if (!there)
        throw DatabaseError(fmt::format("{}: no job has the id {}; `fathom jobs list` has those of all",
                                        database.name(), id));
    for (Details& details : parts_of<Details>(database, id)) all.details = std::move(details);
    all.layers = parts_of<Layer>(database, id);
    all.mounts = parts_of<OnMount>(database, id);
    all.modes = parts_of<InMode>(database, id);
    all.sharing = parts_of<Shared>(database, id);
    all.phases = parts_of<InPhase>(database, id);
    all.findings = parts_of<Found>(database, id);
    all.files = parts_of<LargeFile>(database, id);
    all.logs = logs_of(database, id);
    const auto by = [](auto& rows, auto key) {
        std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    };
    by(all.layers, [](const Layer& row) { return row.layer; });
    by(all.mounts,
       [](const OnMount& row) { return std::pair(-(row.bytes_read + row.bytes_written), row.mount); });
    by(all.modes, [](const InMode& row) { return std::pair(row.direction, row.mode); });
    by(all.sharing, [](const Shared& row) { return row.sharing; });
    by(all.phases, [](const InPhase& row) { return row.start; });
    by(all.findings, [](const Found& row) { return std::pair(-row.cost.value_or(0), row.finding); });
    by(all.files,
       [](const LargeFile& row) { return std::pair(-(row.bytes_read + row.bytes_written), row.path); });
    return all;
}

// ---- the first page ----

void add_bars(const Job& job, FirstPage& page)
{
    if (!job.run || job.processes.value_or(0) == 0) return;
    const double members = static_cast<double>(*job.processes);
    const auto part = [&](Number sum) { return static_cast<double>(sum) / members / 1e9; };
    page.bars.push_back({*job.processes == 1
                             ? "process"
                             : fmt::format("mean of {} processes", format_count(plain(*job.processes))),
                         part(job.read_time), part(job.write_time), part(job.metadata_time),
                         static_cast<double>(*job.run) / 1e9});
}

void add_numbers(const Job& job, FirstPage& page)
{
    const auto direction = [&](const char* name, Number moved, const Known& files, const std::string& mode) {
        std::string about;
        if (files && *files > 0) about = counted(plain(*files), "file", "files");
        if (!mode.empty() && job.processes.value_or(0) > 1) about += fmt::format(" ({})", mode);
        page.numbers.push_back({name, name, bytes_cell(moved), about, ""});
    };
    direction("written", job.bytes_written, job.files_written, job.writes_mode);
    direction("read", job.bytes_read, job.files_read, job.reads_mode);
    if (job.rate) {
        std::string node;
        if (job.rate_per_node && job.nodes.value_or(0) > 1)
            node = fmt::format("by the slowest rank {} per node", format_rate(*job.rate_per_node));
        page.numbers.push_back({"rate", "rate", rate(*job.rate), "while data was transferred", node});
    }
}

void add_findings(const std::vector<Found>& findings, std::size_t in_all, FirstPage& page)
{
    constexpr std::size_t most = 4;
    page.findings_in_all = in_all;
    for (const Found& found : findings) {
        if (page.findings.size() == most) break;
        const auto name =
            std::find(std::begin(confidence_names), std::end(confidence_names), found.confidence);
        const double cost = static_cast<double>(found.cost.value_or(0)),
                     worst = static_cast<double>(findings[0].cost.value_or(0));
        page.findings.push_back({found.title, found.cost ? format_seconds(cost / 1e9) : "",
                                 worst > 0 ? cost / worst : 0,
                                 name == std::end(confidence_names)
                                     ? Confidence::low
                                     : static_cast<Confidence>(name - std::begin(confidence_names)),
                                 ""});
    }
    if (in_all > page.findings.size())
        page.on_findings = fmt::format("{} more below", in_all - page.findings.size());
}

void add_rate_over_time(const Stored& all, FirstPage& page)
{
    const std::vector<Bin> bins = unpack(all.details.bins);
    const double length = static_cast<double>(all.details.bin_length.value_or(0));
    if (bins.empty() || !(length > 0) || !all.job.run) return;
    const std::uint64_t bin_ns = plain(*all.details.bin_length), first = plain(all.job.start) / bin_ns;
    if (bins.front().number < first || bins.back().number - first >= 2 * most_bins) return;
    TimeChart chart{.id = "rate", .title = "Rate over time", .series = {{"read", {}}, {"written", {}}}};
    const std::size_t slices = bins.back().number - first + 1;
    chart.time = {(static_cast<double>(first * bin_ns) - static_cast<double>(all.job.start)) / 1e9,
                  length / 1e9, slices, static_cast<double>(*all.job.run) / 1e9};
    for (Series& series : chart.series) series.values.resize(slices);
    for (const Bin& bin : bins) {
        const double per_second = 1e9 / length / 0x1p20;
        chart.series[0].values[bin.number - first] = static_cast<double>(bin.bytes_read) * per_second;
        chart.series[1].values[bin.number - first] = static_cast<double>(bin.bytes_written) * per_second;
    }
    page.over_time = std::move(chart);
}

std::string size_name(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    return at == bounds.size() ? "over " + format_bytes(bounds.back()) : "to " + format_bytes(bounds[at]);
}

// Of POSIX and stdio together: what the system was asked for.
void add_sizes(const std::vector<Layer>& layers, FirstPage& page)
{
    Chart chart{.id = "sizes",
                .title = "Requests by size",
                .category_heading = "size",
                .series = {{"reads", {}}, {"writes", {}}}};
    bool any = false;
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        Number reads = 0, writes = 0;
        for (const Layer& layer : layers) {
            if (layer.layer == layer_names[static_cast<std::size_t>(fathom::Layer::mpiio)]) continue;
            reads += layer.read_size[at];
            writes += layer.write_size[at];
        }
        any = any || reads + writes > 0;
        if (reads + writes == 0) continue;
        chart.categories.push_back(size_name(at));
        chart.series[0].values.push_back(static_cast<double>(reads));
        chart.series[1].values.push_back(static_cast<double>(writes));
    }
    if (any) page.sizes = std::move(chart);
}

FirstPage first_page(const Stored& all)
{
    const Job& job = all.job;
    FirstPage page;
    page.recorded = job.recorded == 0 ? "nothing recorded: the batch system's accounting has it"
                                      : "recorded by " + with_capital(job.tool);
    page.verdict = all.details.verdict;
    page.all_well = job.recorded != 0 && job.problems == 0 && job.ranks_missing.value_or(0) == 0;
    if (job.ranks_missing.value_or(0) > 0)
        page.notes.push_back(
            {Weight::warning,
             fmt::format("{} were not recorded.", counted(plain(*job.ranks_missing), "rank", "ranks"))});
    if (job.problems > 0)
        page.notes.push_back({Weight::warning, "The log is damaged: " + all.details.problem});
    if (job.recorded == 0) return page;
    add_bars(job, page);
    add_numbers(job, page);
    add_findings(all.findings, plain(job.findings), page);
    try {
        add_rate_over_time(all, page);
    } catch (const std::runtime_error& damaged) {
        page.notes.push_back(
            {Weight::warning, fmt::format("There is no rate over time: {}.", damaged.what())});
    }
    add_sizes(all.layers, page);
    return page;
}

// ---- the sections ----

Section about_job(const Stored& all)
{
    const Job& job = all.job;
    Entries entries;
    const auto add = [&](const char* id, const char* label, Cell cell, std::string remark = {}) {
        if (cell.known()) entries.entries.push_back({id, label, std::move(cell), std::move(remark)});
    };
    add("id", "id in the database", count(plain(job.id)));
    add("user", "user", words_cell(job.user));
    add("project", "project", words_cell(job.project));
    add("job", "job", words_cell(job.job + (job.step.empty() ? "" : "." + job.step)), job.batch_system);
    add("job_name", "its name", words_cell(job.job_name));
    add("account", "account", words_cell(job.account));
    add("queue", "queue", words_cell(job.queue));
    add("cluster", "cluster", words_cell(job.cluster));
    add("command", "command", words_cell(all.details.command));
    add("start", "start", job.start > 0 ? instant(plain(job.start)) : unknown(Measure::instant));
    add("run_time", "run time", time_cell(job.run));
    add("processes", "processes", count_cell(job.processes));
    add("nodes", "nodes", count_cell(job.nodes));
    add("cores", "cores of the allocation", count_cell(job.cores));
    add("files", "files", count_cell(job.files));
    for (const std::string& path : all.logs) {
        std::error_code unknown_state;
        const bool there = std::filesystem::exists(path_of_stored(path), unknown_state);
        add("log", "log", report::path(path),
            there ? "`fathom report` of it has more" : "it is not there any more");
    }
    return {"job", "Job", {std::move(entries)}};
}

Section layers_section(const std::vector<Layer>& layers)
{
    DataTable table{.id = "layers"};
    table.columns = {{"layer", "layer", Measure::text},
                     {"files", "files", Measure::count},
                     {"opens", "opens", Measure::count},
                     {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"read_time", "in reads", Measure::seconds},
                     {"write_time", "in writes", Measure::seconds},
                     {"metadata_time", "in metadata", Measure::seconds}};
    for (const Layer& row : layers) {
        const auto name = std::find(std::begin(layer_names), std::end(layer_names), row.layer);
        table.rows.push_back(
            {text(name == std::end(layer_names) ? std::string_view(row.layer)
                                                : layer_titles[name - std::begin(layer_names)]),
             count_cell(row.files), count_cell(row.opens), count_cell(row.reads), count_cell(row.writes),
             bytes_cell(row.bytes_read), bytes_cell(row.bytes_written), time_cell(row.read_time),
             time_cell(row.write_time), time_cell(row.metadata_time)});
    }
    table.remark = "Times of all processes together. Bytes of MPI-IO are in those of POSIX and stdio again.";
    return {"layers", "Counters by layer", {std::move(table)}};
}

Section files_section(const Stored& all)
{
    Blocks blocks;
    DataTable largest{.id = "largest_files", .title = "The files with most bytes"};
    largest.columns = {{"path", "path", Measure::path},
                       {"bytes_read", "read", Measure::bytes},
                       {"bytes_written", "written", Measure::bytes},
                       {"time", "time", Measure::seconds}};
    for (const LargeFile& row : all.files)
        largest.rows.push_back(
            {path(row.path), bytes_cell(row.bytes_read), bytes_cell(row.bytes_written), time_cell(row.time)});
    DataTable mounts{.id = "file_systems", .title = "File systems"};
    mounts.columns = {{"path", "mounted at", Measure::path},        {"type", "type", Measure::text},
                      {"files", "files", Measure::count},           {"bytes_read", "read", Measure::bytes},
                      {"bytes_written", "written", Measure::bytes}, {"time", "time", Measure::seconds}};
    for (const OnMount& row : all.mounts)
        mounts.rows.push_back({row.mount.empty() ? text("not known") : path(row.mount), words_cell(row.type),
                               count_cell(row.files), bytes_cell(row.bytes_read),
                               bytes_cell(row.bytes_written),
                               time_cell(row.read_time + row.write_time + row.metadata_time)});
    DataTable modes{.id = "modes", .title = "I/O modes"};
    modes.columns = {{"direction", "", Measure::text},
                     {"mode", "mode", Measure::text},
                     {"files", "files", Measure::count},
                     {"bytes", "bytes", Measure::bytes}};
    for (const InMode& row : all.modes)
        modes.rows.push_back(
            {text(row.direction), text(row.mode), count_cell(row.files), bytes_cell(row.bytes)});
    for (DataTable* const table : {&largest, &mounts, &modes})
        if (!table->rows.empty()) blocks.push_back(std::move(*table));
    return {"files", "Files", std::move(blocks)};
}

Section phases_section(const std::vector<InPhase>& phases)
{
    DataTable table{.id = "phases"};
    table.columns = {{"start", "start", Measure::seconds},
                     {"length", "length", Measure::seconds},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes}};
    for (const InPhase& row : phases)
        table.rows.push_back({time_cell(row.start), time_cell(row.length), bytes_cell(row.bytes_read),
                              bytes_cell(row.bytes_written)});
    return {"phases", "Phases", {std::move(table)}};
}

Section findings_section(const std::vector<Found>& findings)
{
    DataTable table{.id = "findings"};
    table.columns = {{"cost", "cost", Measure::seconds},
                     {"confidence", "confidence", Measure::text},
                     {"finding", "rule", Measure::text},
                     {"title", "what", Measure::text}};
    for (const Found& row : findings)
        table.rows.push_back({time_cell(row.cost), text(row.confidence), text(row.finding), text(row.title)});
    table.remark = "docs/FINDINGS.md says what each rule looks for.";
    return {"findings", "Findings", {std::move(table)}};
}

}  // namespace

Document page_of(Database& database, Number id)
{
    const Stored all = stored(database, id);
    Document document;
    document.title = all.job.program.empty() ? fmt::format("Job {}", all.job.job) : all.job.program;
    document.subtitle =
        fmt::format("{}{}from the job database", all.job.user.empty() ? "" : all.job.user + ", ",
                    all.job.start > 0 ? format_instant(plain(all.job.start)) + ", " : "");
    document.first = std::make_shared<FirstPage>(first_page(all));
    document.sections.push_back(about_job(all));
    if (!all.findings.empty()) document.sections.push_back(findings_section(all.findings));
    if (!all.phases.empty()) document.sections.push_back(phases_section(all.phases));
    if (!all.layers.empty()) document.sections.push_back(layers_section(all.layers));
    if (!all.files.empty() || !all.mounts.empty()) document.sections.push_back(files_section(all));
    return document;
}

}  // namespace fathom::jobs
