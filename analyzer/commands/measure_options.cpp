// Lists and sizes from words.
#include "analyzer/commands/measure_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "analyzer/commands/commands.h"
#include "analyzer/timing/measure/buffer.h"
#include "analyzer/timing/measure/files.h"
#include "analyzer/timing/measure/quantity.h"

namespace fathom {
namespace {

using namespace measure;

constexpr std::uint64_t gib = 1u << 30;
constexpr std::uint64_t quick_file = 512 * mib, full_file = 10 * gib, full_buffer = gib;

std::uint64_t size_of(const char* option, const std::string& text)
{
    const auto bytes = bytes_of(text);
    if (!bytes)
        throw BadUsage(
            fmt::format("measure: {} {}: no size; write bytes, or such as 4K, 16M, 1G", option, text));
    return *bytes;
}

template <class Value>
void take(std::vector<Value>& into, const char* option, const std::vector<std::string>& words,
          std::span<const std::string_view> names)
{
    if (words.empty()) return;
    into.clear();
    for (const std::string& word : words) {
        const auto value = named<Value>(names, word);
        if (!value)
            throw BadUsage(fmt::format("measure: {} {}: there are {}", option, word, fmt::join(names, ", ")));
        if (std::find(into.begin(), into.end(), *value) == into.end()) into.push_back(*value);
    }
}

template <class Value>
void take_numbers(std::vector<Value>& into, std::vector<Value> given)
{
    if (given.empty()) return;
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end()), given.end());
    into = std::move(given);
}

// "nan" is in every range.
std::string is_number(const std::string& text)
{
    return text.find_first_of("nN") != std::string::npos ? "not a number" : std::string();
}

Grid grid_of(const MeasureOptions& options)
{
    Grid grid = options.full ? full_grid() : quick_grid();
    std::vector<std::uint64_t> sizes;
    for (const std::string& size : options.sizes) sizes.push_back(size_of("--sizes", size));
    take_numbers(grid.sizes, std::move(sizes));
    take_numbers(grid.threads, options.threads);
    take(grid.memory, "--memory", options.memory, layout_names);
    take(grid.file, "--file", options.file, layout_names);
    if (!options.file.empty()) grid.file_of_discard = grid.file;
    take(grid.states, "--states", options.states, state_names);
    take(grid.operations, "--operations", options.operations, operation_names);
    if (options.repeats > 0) grid.repeats = options.repeats;
    if (options.count > 0) grid.limits.count = options.count;
    if (!options.bytes_limit.empty())
        grid.limits.bytes = options.bytes_limit == "0" ? 0 : size_of("--bytes-limit", options.bytes_limit);
    if (options.has_time_limit) grid.limits.seconds = options.time_limit;
    return grid;
}

void check_shares(const Settings& settings)
{
    const std::uint64_t largest = settings.grid.sizes.back();
    const unsigned threads = settings.grid.threads.back();
    const auto check = [&](const char* option, const char* what, std::uint64_t bytes) {
        if (share_of_thread(bytes, threads) < largest)
            throw BadUsage(fmt::format(
                "measure: {} {}: each of {} threads would have {} bytes of {}, and the largest access has {}",
                option, typed(bytes), threads, share_of_thread(bytes, threads), what, largest));
    };
    check("--file-size", "file", settings.file_size);
    check("--buffer-size", "memory", settings.buffer_size);
}

}  // namespace

Settings settings_of(const MeasureOptions& options, std::uint64_t free_on_disk, std::uint64_t free_memory)
{
    Settings settings{.folder = options.folder, .grid = grid_of(options), .seed = options.seed};
    const std::uint64_t of_what_is_there = std::min(free_on_disk, free_memory) / 8 / mib * mib,
                        least = share_of_thread(settings.grid.sizes.back(), 1) + mib;
    // No less than it takes: where that is too much, it is refused.
    const std::uint64_t fitting = std::max(of_what_is_there, settings.grid.threads.back() * least);
    settings.file_size = options.full ? full_file : std::min(quick_file, fitting);
    settings.buffer_size = options.full ? full_buffer : usual_buffer_size(free_memory);
    if (!options.file_size.empty()) settings.file_size = size_of("--file-size", options.file_size);
    if (!options.buffer_size.empty()) settings.buffer_size = size_of("--buffer-size", options.buffer_size);
    std::vector<Uncached> uncached;
    take(uncached, "--uncached", {options.uncached}, uncached_names);
    settings.uncached = uncached.front();
    settings.drop_caches_of_machine = options.drop_caches;
    check_shares(settings);
    return settings;
}

Allowances allowances_of(const MeasureOptions& options)
{
    return {options.most_of_disk / 100, size_of("--most-written", options.most_written)};
}

void declare_measure_options(CLI::App& app, MeasureOptions& options)
{
    app.add_option("FOLDER", options.folder, "where the file to measure with is made (default: here)");
    app.add_option("-o,--output", options.output, "the samples (default: measurement.csv)")->type_name("CSV");
    app.add_flag("--overwrite", options.overwrite, "replace results that are there already");
    declare_output_options(app, options.report, "--report",
                           "write the summary to this file too (again for several)");
    app.add_option("--summary", options.summary_of, "measure nothing: the summary of these samples again")
        ->type_name("CSV");
    app.add_flag("--dry-run", options.dry_run,
                 "measure nothing: say what would be, and how long it may take");
    app.add_flag("--full", options.full, "all of the paper's grid; look at it with --dry-run first");

    const auto list = [&](const char* name, std::vector<std::string>& into, const char* meaning) {
        app.add_option(name, into, meaning)->delimiter(',')->type_name("LIST")->allow_extra_args(false);
    };
    list("--sizes", options.sizes, "of accesses: 1,4K,16M");
    list("--memory", options.memory, "where in memory: off0,seq,stride8MiB,reverse,rnd,rnd8MiB");
    list("--file", options.file, "where in the file: the same");
    list("--states", options.states, "discard,cached,uncached");
    list("--operations", options.operations, "read,write");
    app.add_option("--threads", options.threads, "how many at once, each with a file of its own: 1,20")
        ->delimiter(',')
        ->type_name("LIST")
        ->allow_extra_args(false)
        ->check(CLI::Range(1, 1024));
    app.add_option("--repeats", options.repeats, "runs of all of that, one after the other (default 3)")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--count", options.count, "operations a run (default 400, with --full 10,000)")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000'000));
    app.add_option("--bytes-limit", options.bytes_limit,
                   "fewer where they would move more (default 128M, with --full 10G; 0: no limit)")
        ->type_name("SIZE");
    app.add_option("--time-limit", options.time_limit,
                   "and where they take longer (default 0.2, with --full 0: no limit)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 1e9))
        ->check(is_number);
    app.add_option("--file-size", options.file_size, "of all files together (default 512M, with --full 10G)")
        ->type_name("SIZE");
    app.add_option("--buffer-size", options.buffer_size,
                   "of the memory (default 256M or more, with --full 1G)")
        ->type_name("SIZE");
    app.add_option("--uncached", options.uncached, "what it means: direct, dropped or once (default direct)")
        ->type_name("HOW");
    app.add_flag("--drop-caches", options.drop_caches,
                 "where files do not leave the page cache, empty that of the whole machine");
    app.add_option("--most-of-disk", options.most_of_disk, "of what is free, take at most (default 50)")
        ->type_name("PERCENT")
        ->check(CLI::Range(0.0, 100.0))
        ->check(is_number);
    app.add_option("--most-written", options.most_written, "to the device, at most (default 1T)")
        ->type_name("SIZE");
    app.add_option("--seed", options.seed, "of what is random (default 1)")->type_name("N");
}

}  // namespace fathom
