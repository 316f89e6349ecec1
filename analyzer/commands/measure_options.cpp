// Lists and sizes from words.
#include "analyzer/commands/measure_options.h"

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

constexpr std::uint64_t gib = 1u << 30;
constexpr std::uint64_t quick_file = 512 * measure::mib, full_file = 10 * gib, full_buffer = gib;

std::uint64_t size_in_words(const char* option, const std::string& text)
{
    const auto bytes = measure::bytes_of(text);
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
        const auto value = measure::named<Value>(names, word);
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

measure::Grid grid_of(const MeasureOptions& options)
{
    measure::Grid grid = options.full ? measure::full_grid() : measure::quick_grid();
    std::vector<std::uint64_t> sizes;
    for (const std::string& size : options.sizes) sizes.push_back(size_in_words("--sizes", size));
    take_numbers(grid.sizes, std::move(sizes));
    take_numbers(grid.threads, options.threads);
    take(grid.memory, "--memory", options.memory, measure::layout_names);
    take(grid.file, "--file", options.file, measure::layout_names);
    if (!options.file.empty()) grid.file_of_discard = grid.file;
    take(grid.states, "--states", options.states, measure::state_names);
    take(grid.operations, "--operations", options.operations, measure::operation_names);
    if (options.repeats > 0) grid.repeats = options.repeats;
    if (options.count > 0) grid.limits.count = options.count;
    if (!options.bytes_limit.empty())
        grid.limits.bytes =
            options.bytes_limit == "0" ? 0 : size_in_words("--bytes-limit", options.bytes_limit);
    if (options.has_time_limit) grid.limits.seconds = options.time_limit;
    return grid;
}

void check_shares(const measure::Settings& settings)
{
    const std::uint64_t largest = settings.grid.sizes.back();
    const unsigned threads = settings.grid.threads.back();
    const auto check = [&](const char* option, const char* what, std::uint64_t bytes) {
        if (measure::share_of_thread(bytes, threads) < largest)
            throw BadUsage(fmt::format(
                "measure: {} {}: each of {} threads would have {} bytes of {}, and the largest access has {}",
                option, measure::typed(bytes), threads, measure::share_of_thread(bytes, threads), what,
                largest));
    };
    check("--file-size", "file", settings.file_size);
    check("--buffer-size", "memory", settings.buffer_size);
}

}  // namespace

measure::Settings settings_of(const MeasureOptions& options, std::uint64_t free_on_disk,
                              std::uint64_t free_memory)
{
    measure::Settings settings{.folder = options.folder, .grid = grid_of(options), .seed = options.seed};
    const std::uint64_t of_what_is_there =
                            std::min(free_on_disk, free_memory) / 8 / measure::mib * measure::mib,
                        least = measure::share_of_thread(settings.grid.sizes.back(), 1) + measure::mib;
    // No less than it takes: where that is too much, it is refused.
    const std::uint64_t fitting = std::max(of_what_is_there, settings.grid.threads.back() * least);
    settings.file_size = options.full ? full_file : std::min(quick_file, fitting);
    settings.buffer_size = options.full ? full_buffer : measure::usual_buffer_size(free_memory);
    if (!options.file_size.empty()) settings.file_size = size_in_words("--file-size", options.file_size);
    if (!options.buffer_size.empty())
        settings.buffer_size = size_in_words("--buffer-size", options.buffer_size);
    std::vector<measure::Uncached> uncached;
    take(uncached, "--uncached", {options.uncached}, measure::uncached_names);
    settings.uncached = uncached.front();
    settings.drop_caches_of_machine = options.drop_caches;
    check_shares(settings);
    return settings;
}

measure::Allowances allowances_of(const MeasureOptions& options)
{
    return {options.most_of_disk / 100, size_in_words("--most-written", options.most_written)};
}

std::vector<CommandOption> measure_options(MeasureOptions& options)
{
    const OptionDetails list{.between = ','};
    CommandLine line;
    line.options = {
        {"FOLDER", "TEXT", "where the file to measure with is made (default: here)", &options.folder},
        {"-o,--output", "CSV", "the samples (default: measurement.csv)", &options.output},
        {"--overwrite", "", "replace results that are there already", &options.overwrite},
    };
    line.add(
        output_options(options.report, "--report", "write the summary to this file too (again for several)"));
    line.add({
        {"--summary", "CSV", "measure nothing: the summary of these samples again", &options.summary_of},
        {"--dry-run", "", "measure nothing: say what would be, and how long it may take", &options.dry_run},
        {"--full", "", "all of the paper's grid; look at it with --dry-run first", &options.full},
        {"--sizes", "LIST", "of accesses: 1,4K,16M", &options.sizes, list},
        {"--memory", "LIST", "where in memory: off0,seq,stride8MiB,reverse,rnd,rnd8MiB", &options.memory,
         list},
        {"--file", "LIST", "where in the file: the same", &options.file, list},
        {"--states", "LIST", "discard,cached,uncached", &options.states, list},
        {"--operations", "LIST", "read,write", &options.operations, list},
        {"--threads",
         "LIST",
         "how many at once, each with a file of its own: 1,20",
         &options.threads,
         {.between = ',', .bounds = Bounds{1, 1024}}},
        {"--repeats",
         "N",
         "runs of all of that, one after the other (default 3)",
         &options.repeats,
         {.bounds = Bounds{1, 10'000}}},
        {"--count",
         "N",
         "operations a run (default 400, with --full 10,000)",
         &options.count,
         {.bounds = Bounds{1, 10'000'000}}},
        {"--bytes-limit", "SIZE",
         "fewer where they would move more (default 128M, with --full 10G; 0: no limit)",
         &options.bytes_limit},
        {"--time-limit",
         "SECONDS",
         "and where they take longer (default 0.2, with --full 0: no limit)",
         &options.time_limit,
         {.given = &options.has_time_limit, .bounds = Bounds{0, 1e9}, .complaint = is_number}},
        {"--file-size", "SIZE", "of all files together (default 512M, with --full 10G)", &options.file_size},
        {"--buffer-size", "SIZE", "of the memory (default 256M or more, with --full 1G)",
         &options.buffer_size},
        {"--uncached", "HOW", "what it means: direct, dropped or once (default direct)", &options.uncached},
        {"--drop-caches", "", "where files do not leave the page cache, empty that of the whole machine",
         &options.drop_caches},
        {"--most-of-disk",
         "PERCENT",
         "of what is free, take at most (default 50)",
         &options.most_of_disk,
         {.bounds = Bounds{0, 100}, .complaint = is_number}},
        {"--most-written", "SIZE", "to the device, at most (default 1T)", &options.most_written},
        {"--seed", "N", "of what is random (default 1)", &options.seed},
    });
    return line.options;
}

}  // namespace fathom
