// What HDF5, PnetCDF and netCDF were asked for, and what became of it: from the dataset down to POSIX.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/libraries/dataset_tables.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::size_t most_sentences = 3, most_ladders = 6;
// A sentence on a dataset that took less than this part of the time of all tells nobody anything.
constexpr double worth_a_sentence = 0.05;

struct Objects {
    DataLibrary library;
    std::string_view files, datasets;
};
constexpr Objects libraries_told[] = {{DataLibrary::hdf5, "HDF5 files", "HDF5 datasets"},
                                      {DataLibrary::pnetcdf, "PnetCDF files", "PnetCDF variables"},
                                      {DataLibrary::netcdf, "", "netCDF variables"}};

bool is_of(std::uint64_t library, DataLibrary wanted)
{
    return std::max<std::uint64_t>(library, 1) == static_cast<std::uint64_t>(wanted);
}

void add_files(DataTable& table, const Datasets& all, const Objects& of)
{
    std::uint64_t files = 0, opens = 0, by_mpiio = 0, time = 0, read = 0, written = 0;
    for (const DataFileUse& file : all.files()) {
        if (!is_of(file.sums.library, of.library)) continue;
        ++files;
        opens += file.opens();
        by_mpiio += file.by_mpiio;
        time += file.sums.metadata_time;
        read += file.bytes_read;
        written += file.bytes_written;
    }
    if (files == 0) return;
    table.rows.push_back(
        {text(of.files), count(files), count(opens), unknown(Measure::count), unknown(Measure::count),
         read + written > 0 ? bytes(read) : unknown(Measure::bytes),
         read + written > 0 ? bytes(written) : unknown(Measure::bytes), nanoseconds(time),
         unknown(Measure::seconds),
         by_mpiio == 0 ? unknown() : text(fmt::format("{} by MPI-IO", counted(by_mpiio, "file", "files")))});
}

void add_datasets(DataTable& table, const DatasetOrder& order, const Objects& of)
{
    std::uint64_t objects = 0, some_collective = 0, time = 0, own_time = 0;
    DatasetCounters sums;
    bool own = true, counts_collective = true;
    for (const DatasetUse* const one : order) {
        objects += one->objects;
        merge<DatasetCounters>(sums, one->sums);
        time += one->time();
        own_time += one->own_time();
        own = own && one->own;
        counts_collective = counts_collective && one->collective_counted;
        some_collective += one->some_collective;
    }
    if (order.empty()) return;
    const std::uint64_t calls = sums.reads + sums.writes;
    const std::string collective =
        calls == 0 ? ""
        : counts_collective
            ? format_share(static_cast<double>(sums.collective_reads + sums.collective_writes) /
                           static_cast<double>(calls))
        : some_collective == 0 ? "none"
                               : fmt::format("in {}", counted(some_collective, "dataset", "datasets"));
    table.rows.push_back({text(of.datasets), count(objects), count(sums.opens + sums.creates),
                          count(sums.reads), count(sums.writes), bytes(sums.bytes_read),
                          bytes(sums.bytes_written), nanoseconds(time),
                          own ? nanoseconds(own_time) : unknown(Measure::seconds),
                          collective.empty() ? unknown() : text(collective)});
}

DataTable overview(const Datasets& all)
{
    DataTable table{.id = "libraries"};
    table.columns = {
        {"library", "what", Measure::text},           {"number", "number", Measure::count},
        {"opens", "opens", Measure::count},           {"reads", "reads", Measure::count},
        {"writes", "writes", Measure::count},         {"bytes_read", "read", Measure::bytes},
        {"bytes_written", "written", Measure::bytes}, {"time", "time", Measure::seconds},
        {"own_time", "own time", Measure::seconds},   {"collective", "collective", Measure::text}};
    for (const Objects& of : libraries_told) {
        add_files(table, all, of);
        add_datasets(table, datasets_by_time(all, of.library), of);
    }
    table.remark =
        "Time is summed over all ranks; what goes on beneath, in MPI-IO and POSIX, is part of it and is in "
        "the other sections.";
    if (std::any_of(all.datasets().begin(), all.datasets().end(),
                    [](const DatasetUse& one) { return one.objects > 1; }))
        table.remark +=
            " Some datasets had no room for numbers of their own: how many they are is estimated.";
    return table;
}

// "Dataset /u of a.h5: 4,000 writes of … became …."
std::string sentence_on(const DatasetUse& one)
{
    std::string words;
    for (const Direction direction : directions)
        if (const std::string part = what_became_of(one, direction); !part.empty())
            words += (words.empty() ? "" : "; ") + part;
    if (words.empty()) return {};
    std::string subject = called(one);
    if (subject.front() >= 'a' && subject.front() <= 'z')
        subject.front() = static_cast<char>(subject.front() - 'a' + 'A');
    std::string sentence = fmt::format("{}: {}.", subject, words);
    const auto time = static_cast<double>(one.time()), own = static_cast<double>(one.own_time());
    if (time > 0)
        sentence += fmt::format(" Of {} in its calls, {} passed in the library itself{}.",
                                format_seconds(time / 1e9), format_seconds(own / 1e9),
                                one.sums.filters == 0
                                    ? std::string()
                                    : fmt::format(", filters ({}) among it", filter_words(one.sums)));
    return sentence;
}

// What most of the time in calls on a file itself was for.
std::string sentence_on(const DataFileUse& one)
{
    const DataFileCounters& sums = one.sums;
    struct Part {
        std::string_view one, many;
        std::uint64_t calls, time;
    };
    const Part parts[] = {
        {"open", "opens", one.opens(), sums.open_time},
        {"close", "closes", sums.closes, sums.close_time},
        {"flush", "flushes", sums.flushes, sums.flush_time},
        {"wait", "waits", sums.waits, sums.wait_time},
        {"call on attributes", "calls on attributes",
         sums.attribute_opens + sums.attribute_creates + sums.attribute_reads + sums.attribute_writes,
         sums.attribute_time}};
    const Part& most = *std::max_element(std::begin(parts), std::end(parts),
                                         [](const Part& a, const Part& b) { return a.time < b.time; });
    std::string words = fmt::format("Calls on {} itself took {}", one.path,
                                    format_seconds(static_cast<double>(sums.metadata_time) / 1e9));
    if (most.time > 0)
        words +=
            fmt::format(", of which {} passed in {}", format_seconds(static_cast<double>(most.time) / 1e9),
                        counted(most.calls, most.one, most.many));
    return words + ".";
}

void add_sentences(Blocks& blocks, const Datasets& all)
{
    std::vector<const DatasetUse*> order;
    double time = 0;
    for (const DatasetUse& one : all.datasets()) {
        time += static_cast<double>(one.time());
        if (one.own) order.push_back(&one);
    }
    const std::size_t most = std::min(most_sentences, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                      [](const DatasetUse* a, const DatasetUse* b) {
                          return a->time() != b->time() ? a->time() > b->time() : a->path < b->path;
                      });
    for (std::size_t at = 0; at < most; ++at) {
        if (static_cast<double>(order[at]->time()) < worth_a_sentence * time) break;
        if (std::string words = sentence_on(*order[at]); !words.empty())
            blocks.push_back(Paragraph{std::move(words)});
    }
    const auto slowest = std::max_element(all.files().begin(), all.files().end(),
                                          [](const DataFileUse& a, const DataFileUse& b) {
                                              return a.sums.metadata_time < b.sums.metadata_time;
                                          });
    if (slowest != all.files().end() && slowest->own && !slowest->path.empty() &&
        static_cast<double>(slowest->sums.metadata_time) > time)
        blocks.push_back(Paragraph{sentence_on(*slowest)});
}

std::string class_name(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    if (at == bounds.size()) return "over " + format_bytes(bounds.back());
    return (at == 0 ? "up to " : "to ") + format_bytes(bounds[at]);
}

Chart sizes_of(const DatasetOrder& order, const Objects& of)
{
    SizeHistogram reads, writes;
    for (const DatasetUse* const one : order) {
        reads.merge(one->sums.read_size);
        writes.merge(one->sums.write_size);
    }
    Chart chart{
        .id = fmt::format("library_sizes_{}", of.library == DataLibrary::hdf5 ? "datasets" : "variables"),
        .title = fmt::format("{}: reads and writes by size", of.datasets),
        .category_heading = "size",
        .series = {{"reads", {}}, {"writes", {}}}};
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        chart.categories.push_back(class_name(at));
        chart.series[0].values.push_back(static_cast<double>(reads.count[at]));
        chart.series[1].values.push_back(static_cast<double>(writes.count[at]));
    }
    return chart;
}

void add_table(Blocks& blocks, const Job& job, DataTable table)
{
    if (table.rows.empty()) return;
    drop_unknown_columns(job.log, table);
    blocks.push_back(std::move(table));
}

}  // namespace

Blocks libraries(const Job& job, const SectionChoice& choice)
{
    const Datasets all(job.log);
    Blocks blocks;
    add_sentences(blocks, all);
    add_table(blocks, job, overview(all));
    for (const Objects& of : libraries_told) {
        const DatasetOrder order = datasets_by_time(all, of.library);
        if (order.empty()) continue;
        add_table(blocks, job, dataset_calls(order, of.library, choice.files));
        add_table(blocks, job, dataset_levels(order, of.library, std::min(choice.files, most_ladders)));
        if (of.library == DataLibrary::hdf5) add_table(blocks, job, dataset_layouts(order, choice.files));
        if (std::any_of(order.begin(), order.end(), [](const DatasetUse* one) { return one->calls() > 0; }))
            blocks.push_back(sizes_of(order, of));
    }
    add_table(blocks, job, data_file_levels(job, all, std::min(choice.files, most_ladders)));
    add_table(blocks, job, data_file_calls(all, choice.files));
    return blocks;
}

}  // namespace fathom
