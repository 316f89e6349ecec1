// Tables of names, and sentences.
#include "analyzer/job/dataset_words.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using report::format_bytes, report::format_count;

// More bytes beneath than were asked for are told from here on, and fewer.
constexpr double telling_excess = 1.1, telling_saving = 0.9;

std::string_view base_name(std::string_view path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string_view noun(Direction direction, std::uint64_t calls)
{
    return direction == Direction::read ? (calls == 1 ? "read" : "reads") : (calls == 1 ? "write" : "writes");
}

std::string calls_of_size(const LevelCalls& of, Direction direction, std::string_view average)
{
    return fmt::format("{} {} of {}{}", format_count(of.calls), noun(direction, of.calls),
                       format_bytes(static_cast<std::uint64_t>(of.mean() + 0.5)),
                       of.calls == 1 ? "" : average);
}

// Whether all of its accesses in that direction are of one size: the commonest says so where nothing was read
// and written both.
bool of_one_size(const DatasetCounters& dataset)
{
    const auto most = std::max_element(dataset.common_size.slot.begin(), dataset.common_size.slot.end(),
                                       [](const auto& a, const auto& b) { return a.count < b.count; });
    return most->count - std::min(most->count, most->error) >= dataset.reads + dataset.writes;
}

}  // namespace

std::string called(const DatasetUse& dataset)
{
    const std::string_view what = dataset.is_variable() ? "variable" : "dataset";
    if (dataset.path.empty()) return fmt::format("a {} whose name is lost", what);
    if (dataset.name.starts_with('<'))
        return fmt::format("{} of {}", dataset.name, base_name(dataset.container));
    if (dataset.container.empty()) return fmt::format("{} {}", what, dataset.name);
    return fmt::format("{} {} of {}", what, dataset.name, base_name(dataset.container));
}

std::string words_of(const Extents& extents)
{
    if (extents.rank == 0) return {};
    const std::size_t known = std::min<std::size_t>(extents.rank, Extents::most);
    if (std::all_of(extents.extent.begin(), extents.extent.end(), [](std::uint64_t n) { return n == 0; }))
        return report::counted(extents.rank, "dimension", "dimensions");
    std::string words = extents.rank > known ? "… x " : "";
    for (std::size_t at = 0; at < known; ++at)
        words += fmt::format("{}{}", at == 0 ? "" : " x ", extents.extent[at]);
    return words;
}

std::string layout_words(const DatasetCounters& dataset)
{
    constexpr std::string_view names[] = {"",        "compact", "contiguous", "chunked",
                                          "virtual", "fixed",   "records"};
    if (dataset.layout >= std::size(names)) return {};
    const bool chunked = dataset.layout == static_cast<std::uint64_t>(DataLayout::chunked);
    if (chunked && dataset.chunk.rank > 0) return fmt::format("chunks of {}", words_of(dataset.chunk));
    return std::string(names[dataset.layout]);
}

std::string filter_words(const DatasetCounters& dataset)
{
    constexpr std::string_view names[] = {"",     "deflate", "shuffle",         "Fletcher32",
                                          "szip", "n-bit",   "scale and offset"};
    std::string words;
    for (std::size_t at = 1; at < std::size(names); ++at)
        if ((dataset.filters >> at & 1) != 0) add_to_list(words, names[at]);
    if ((dataset.filters & 1) != 0)
        add_to_list(words,
                    dataset.other_filter == 0 ? "another" : fmt::format("filter {}", dataset.other_filter));
    return words;
}

std::string selection_words(const DatasetCounters& dataset)
{
    struct Selected {
        std::string_view name;
        std::uint64_t calls;
    };
    Selected kinds[] = {{"whole", dataset.whole},
                        {"regular", dataset.regular},
                        {"irregular", dataset.irregular},
                        {"points", dataset.points},
                        {"nothing", dataset.nothing}};
    std::stable_sort(std::begin(kinds), std::end(kinds),
                     [](const Selected& a, const Selected& b) { return a.calls > b.calls; });
    std::string words;
    for (const Selected& kind : kinds)
        if (kind.calls > 0) add_to_list(words, kind.name);
    return words;
}

LevelCalls asked_of(const DatasetCounters& dataset, Direction direction)
{
    return direction == Direction::read ? LevelCalls{dataset.reads, dataset.bytes_read}
                                        : LevelCalls{dataset.writes, dataset.bytes_written};
}

LevelCalls mpiio_beneath(const Beneath& beneath, Direction direction)
{
    return direction == Direction::read ? LevelCalls{beneath.mpiio_reads, beneath.mpiio_bytes_read}
                                        : LevelCalls{beneath.mpiio_writes, beneath.mpiio_bytes_written};
}

LevelCalls posix_beneath(const Beneath& beneath, Direction direction)
{
    return direction == Direction::read ? LevelCalls{beneath.posix_reads, beneath.posix_bytes_read}
                                        : LevelCalls{beneath.posix_writes, beneath.posix_bytes_written};
}

std::string what_became_of(const DatasetUse& dataset, Direction direction)
{
    const LevelCalls asked = asked_of(dataset.sums, direction);
    const LevelCalls mpiio = mpiio_beneath(dataset.sums, direction),
                     posix = posix_beneath(dataset.sums, direction);
    if (!dataset.own || asked.calls == 0 || asked.bytes == 0) return {};
    std::string words = calls_of_size(asked, direction, of_one_size(dataset.sums) ? "" : " on average");
    if (const std::uint64_t chunk = dataset.chunk_bytes(); chunk > 0)
        words += fmt::format(" {} chunks of {}", direction == Direction::read ? "from" : "to",
                             format_bytes(chunk));
    if (mpiio.calls + posix.calls == 0 && mpiio.bytes + posix.bytes > 0)
        return words + ", in the same requests as those of other variables";
    if (mpiio.calls + posix.calls == 0)
        return words + (direction == Direction::read
                            ? ": the library had all of it in memory"
                            : ": the library kept them in memory until its file was flushed or closed");
    words += " became ";
    const auto level = [&](const LevelCalls& of, std::string_view name) {
        return fmt::format("{} in {}",
                           calls_of_size(of, direction, of.bytes % of.calls == 0 ? "" : " on average"), name);
    };
    if (mpiio.calls > 0) words += level(mpiio, "MPI-IO");
    if (mpiio.calls > 0 && posix.calls > 0) words += " and ";
    if (posix.calls > 0) words += level(posix, "POSIX");
    const double of_each =
        static_cast<double>(posix.calls > 0 ? posix.bytes : mpiio.bytes) / static_cast<double>(asked.bytes);
    const bool kept = direction == Direction::write && dataset.chunk_bytes() > 0 && dataset.sums.filters == 0;
    if (kept && of_each < telling_saving)
        words += "; the chunk cache kept the rest until its file was flushed or closed";
    else if (of_each > telling_excess || of_each < telling_saving)
        words += fmt::format(", {:.2f} bytes for each that was asked for", of_each);
    return words;
}

}  // namespace fathom
