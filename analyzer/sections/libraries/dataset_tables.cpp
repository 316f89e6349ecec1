// Tables of datasets, and of the files that they are in.
#include "analyzer/sections/libraries/dataset_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {
namespace {

using namespace report;

Cell path_of(std::string_view name)
{
    return path(name.empty() ? std::string_view("(name lost)") : name);
}

Cell text_or_unknown(const std::string& words)
{
    return words.empty() ? unknown() : text(words);
}

Cell bytes_or_unknown(std::uint64_t n)
{
    return n == 0 ? unknown(Measure::bytes) : bytes(n);
}

// How many times as much; with two decimals.
Cell times_of(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? unknown(Measure::number)
                      : with_decimals(number(static_cast<double>(part) / static_cast<double>(whole)), 2);
}

void tell_rest(DataTable& table, std::size_t all, std::string_view what)
{
    if (all <= table.rows.size()) return;
    if (!table.remark.empty()) table.remark += ' ';
    table.remark += fmt::format("{} more {} not shown.", format_count(all - table.rows.size()), what);
}

std::string collective_words(const DatasetUse& one)
{
    if (one.calls() == 0) return {};
    if (!one.collective_counted) return one.some_collective ? "yes" : "no";
    return format_share(static_cast<double>(one.collective()) / static_cast<double>(one.calls()));
}

// One level of a ladder.
struct Rung {
    std::string what;
    LevelCalls read, written;
    std::optional<std::uint64_t> time;  // ns
};

// Of one dataset or file. The first is what was asked; the others are compared with it.
void add_ladder(DataTable& table, const std::string& name, const std::vector<Rung>& rungs)
{
    const Rung& asked = rungs.front();
    for (const Rung& rung : rungs) {
        const bool first = &rung == &asked;
        table.rows.push_back(
            {text(name), text(rung.what), count(rung.read.calls), count(rung.written.calls),
             bytes(rung.read.bytes), bytes(rung.written.bytes),
             rung.time ? nanoseconds(*rung.time) : unknown(Measure::seconds),
             first ? unknown(Measure::number)
                   : times_of(rung.read.calls + rung.written.calls, asked.read.calls + asked.written.calls),
             first ? unknown(Measure::number)
                   : times_of(rung.read.bytes + rung.written.bytes, asked.read.bytes + asked.written.bytes)});
    }
}

DataTable table_of_levels(std::string id, std::string title)
{
    DataTable table{.id = std::move(id), .title = std::move(title)};
    table.columns = {{"name", "of", Measure::text},
                     {"level", "level", Measure::text},
                     {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "time", Measure::seconds},
                     {"calls_for_each", "calls x", Measure::number},
                     {"bytes_for_each", "bytes x", Measure::number}};
    return table;
}

std::string reached_by(const DataFileUse& file)
{
    constexpr std::string_view drivers[] = {"",        "POSIX",  "stdio",  "memory", "family",
                                            "several", "MPI-IO", "direct", "another"};
    if (file.sums.driver > 0 && file.sums.driver < std::size(drivers))
        return std::string(drivers[file.sums.driver]);
    return file.by_mpiio ? "MPI-IO" : "";
}

std::uint64_t attributes_of(const DataFileCounters& file)
{
    return file.attribute_opens + file.attribute_creates + file.attribute_reads + file.attribute_writes;
}

std::vector<const DataFileUse*> files_by_time(const Datasets& all)
{
    std::vector<const DataFileUse*> order;
    for (const DataFileUse& file : all.files()) order.push_back(&file);
    std::stable_sort(order.begin(), order.end(), [](const DataFileUse* a, const DataFileUse* b) {
        return a->sums.metadata_time != b->sums.metadata_time ? a->sums.metadata_time > b->sums.metadata_time
                                                              : a->path < b->path;
    });
    return order;
}

}  // namespace

DatasetOrder datasets_by_time(const Datasets& all, DataLibrary library)
{
    DatasetOrder order;
    for (const DatasetUse& one : all.datasets())
        if (std::max<std::uint64_t>(one.sums.library, 1) == static_cast<std::uint64_t>(library))
            order.push_back(&one);
    std::sort(order.begin(), order.end(), [](const DatasetUse* a, const DatasetUse* b) {
        return a->time() != b->time() ? a->time() > b->time() : a->path < b->path;
    });
    return order;
}

DataTable dataset_calls(const DatasetOrder& order, DataLibrary library, std::size_t most)
{
    constexpr std::string_view titles[] = {"", "HDF5 datasets with most time",
                                           "PnetCDF variables with most time",
                                           "netCDF variables with most time"};
    DataTable table{.id = library == DataLibrary::hdf5 ? "library_datasets" : "library_variables",
                    .title = std::string(titles[static_cast<std::size_t>(library)])};
    table.columns = {{"name", "name", Measure::path},
                     {"reads", "reads", Measure::count},
                     {"writes", "writes", Measure::count},
                     {"bytes_read", "read", Measure::bytes},
                     {"bytes_written", "written", Measure::bytes},
                     {"time", "time", Measure::seconds},
                     {"own_time", "own time", Measure::seconds},
                     {"selections", "selections", Measure::text},
                     {"collective", "collective", Measure::text}};
    for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
        const DatasetUse& one = *order[at];
        table.rows.push_back(
            {path_of(one.path), count(one.sums.reads), count(one.sums.writes), bytes(one.sums.bytes_read),
             bytes(one.sums.bytes_written), nanoseconds(one.time()),
             one.own ? nanoseconds(one.own_time()) : unknown(Measure::seconds),
             text_or_unknown(selection_words(one.sums)), text_or_unknown(collective_words(one))});
    }
    if (std::any_of(order.begin(), order.end(), [](const DatasetUse* one) { return one->own; }))
        table.remark =
            "Own time is what the library spent itself, on packing, conversion, filters and its chunk cache; "
            "the rest passed beneath, in MPI-IO or POSIX.";
    tell_rest(table, order.size(), "are");
    return table;
}

DataTable dataset_layouts(const DatasetOrder& order, std::size_t most)
{
    DataTable table{.id = "library_layouts", .title = "How these datasets lie in their files"};
    table.columns = {{"name", "name", Measure::path},
                     {"dimensions", "dimensions", Measure::text},
                     {"element_bytes", "element", Measure::bytes},
                     {"layout", "layout", Measure::text},
                     {"chunk_bytes", "chunk", Measure::bytes},
                     {"cache_bytes", "chunk cache", Measure::bytes},
                     {"filters", "filters", Measure::text},
                     {"read_shape", "most read", Measure::text},
                     {"write_shape", "most wrote", Measure::text}};
    for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
        const DatasetUse& one = *order[at];
        const DatasetCounters& sums = one.sums;
        if (sums.layout == 0 || !one.is_one()) continue;
        const auto shape = [](const CommonShape& of) {
            return text_or_unknown(of.lead == 0 ? std::string() : words_of(of.shape));
        };
        const bool chunked = one.chunk_bytes() > 0;
        table.rows.push_back({path_of(one.path), text_or_unknown(words_of(sums.dimensions)),
                              bytes_or_unknown(sums.element_bytes), text_or_unknown(layout_words(sums)),
                              bytes_or_unknown(one.chunk_bytes()),
                              chunked ? bytes_or_unknown(sums.cache_bytes) : unknown(Measure::bytes),
                              one.own ? text(sums.filters == 0 ? "none" : filter_words(sums)) : unknown(),
                              shape(sums.read_shape), shape(sums.write_shape)});
    }
    table.remark =
        "Extents have the slowest dimension first; most read and most wrote: those of what most calls "
        "selected.";
    return table;
}

DataTable dataset_levels(const DatasetOrder& order, DataLibrary library, std::size_t most)
{
    const std::string_view object = library == DataLibrary::hdf5 ? "dataset" : "variable";
    constexpr std::string_view kept[] = {"", "What a chunk cache writes only when the file is closed is",
                                         "What nonblocking calls ask for moves in waits, which are",
                                         "What netCDF's buffer of the file writes only when it is closed is"};
    DataTable table = table_of_levels("library_levels", fmt::format("From the {} down to POSIX", object));
    for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
        const DatasetUse& one = *order[at];
        if (!one.own) continue;
        const auto level = [&](std::string what, auto of, std::uint64_t time) {
            return Rung{std::move(what), of(one.sums, Direction::read), of(one.sums, Direction::write), time};
        };
        std::string name = called(one);
        if (const std::size_t noun = name.find(' ');
            name.starts_with("dataset ") || name.starts_with("variable "))
            name.erase(0, noun + 1);
        std::vector<Rung> rungs = {level("calls", asked_of, one.time())};
        if (one.sums.mpiio_time > 0 || one.sums.mpiio_reads + one.sums.mpiio_writes > 0)
            rungs.push_back(level("MPI-IO", mpiio_beneath, one.sums.mpiio_time));
        rungs.push_back(level("POSIX", posix_beneath, one.sums.posix_time));
        add_ladder(table, name, rungs);
    }
    table.remark = fmt::format(
        "A level's time is part of that of the one above it. Calls x and bytes x: for each that was asked of "
        "the {}. {} in the table of files.",
        object, kept[static_cast<std::size_t>(library)]);
    return table;
}

DataTable data_file_calls(const Datasets& all, std::size_t most)
{
    DataTable table{.id = "library_files", .title = "Their files, but for calls on datasets"};
    table.columns = {{"file", "file", Measure::path},
                     {"reached_by", "through", Measure::text},
                     {"opens", "opens", Measure::count},
                     {"flushes", "flushes", Measure::count},
                     {"attributes", "attributes", Measure::count},
                     {"redefinitions", "redefined", Measure::count},
                     {"waits", "waits", Measure::count},
                     {"time", "time", Measure::seconds},
                     {"flush_time", "in flushes", Measure::seconds},
                     {"attribute_time", "in attributes", Measure::seconds},
                     {"close_time", "in closes", Measure::seconds},
                     {"time_beneath", "beneath", Measure::seconds}};
    const std::vector<const DataFileUse*> order = files_by_time(all);
    for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
        const DataFileUse& one = *order[at];
        const auto only_own = [&](std::uint64_t ns) {
            return one.own ? nanoseconds(ns) : unknown(Measure::seconds);
        };
        table.rows.push_back(
            {path_of(one.path), text_or_unknown(reached_by(one)), count(one.opens()), count(one.sums.flushes),
             one.own ? count(attributes_of(one.sums)) : unknown(Measure::count),
             count(one.sums.redefinitions), count(one.sums.waits), nanoseconds(one.sums.metadata_time),
             only_own(one.sums.flush_time), only_own(one.sums.attribute_time), only_own(one.sums.close_time),
             only_own(one.sums.beneath_time)});
    }
    // Columns of what no file has.
    for (std::size_t at = table.columns.size(); at-- > 3;) {
        const auto nothing = [&](const std::vector<Cell>& row) {
            const Cell& cell = row[at];
            return !cell.known() || format(cell) == format(count(0)) || format(cell) == format(seconds(0));
        };
        const std::string& id = table.columns[at].id;
        if (id == "time" || !std::all_of(table.rows.begin(), table.rows.end(), nothing)) continue;
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
    }
    tell_rest(table, order.size(), "are");
    return table;
}

DataTable data_file_levels(const Job& job, const Datasets& all, std::size_t most)
{
    struct Whole {
        LevelCalls read, written;
        std::uint64_t time = 0, datasets = 0;
        bool variables = false;  // PnetCDF's
    };
    std::unordered_map<std::uint64_t, Whole> wholes;
    for (const DatasetUse& one : all.datasets()) {
        if (one.sums.container == 0) continue;
        Whole& whole = wholes[one.sums.container];
        const auto add = [](LevelCalls& to, const LevelCalls& from) {
            to.calls += from.calls;
            to.bytes += from.bytes;
        };
        add(whole.read, asked_of(one.sums, Direction::read));
        add(whole.written, asked_of(one.sums, Direction::write));
        whole.time += one.time();
        whole.datasets += one.objects;
        whole.variables = one.is_variable();
    }
    std::vector<std::pair<const FileUse*, const Whole*>> order;
    for (const FileUse& use : job.files)
        if (const auto found = wholes.find(use.file); found != wholes.end())
            order.emplace_back(&use, &found->second);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second->time > b.second->time; });
    DataTable table =
        table_of_levels("library_file_levels", "From all datasets or variables of a file down to POSIX");
    for (std::size_t at = 0; at < std::min(most, order.size()); ++at) {
        const auto& [use, whole] = order[at];
        const DataFileUse* const file = all.file_of(use->file);
        const auto level = [](std::string what, const FileView& view) {
            return Rung{std::move(what),
                        {view.reads, view.bytes_read},
                        {view.writes, view.bytes_written},
                        view.time()};
        };
        std::vector<Rung> rungs = {{whole->variables ? counted(whole->datasets, "variable", "variables")
                                                     : counted(whole->datasets, "dataset", "datasets"),
                                    whole->read, whole->written,
                                    whole->time + (file == nullptr ? 0 : file->sums.metadata_time)}};
        if (use->by_mpiio) rungs.push_back(level("MPI-IO", use->application()));
        if (use->system.present) rungs.push_back(level("POSIX", use->system));
        if (rungs.size() > 1) add_ladder(table, std::string(use->path), rungs);
    }
    table.remark =
        "All that was done to the file in MPI-IO and POSIX, by whatever means; the first level's "
        "time has that of calls on the file itself.";
    return table;
}

}  // namespace fathom
