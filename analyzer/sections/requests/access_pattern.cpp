// Where in their files reads and writes fell, one after the other: consecutive, strided or neither, forwards
// or back, and on which boundaries.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/layer_sums.h"
#include "analyzer/job/recorded.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

// What the counters say of one direction in one layer. Of the four kinds `first`, `consecutive`, forwards
// and back each access is one; an access that is strided is forwards or back as well, and the counters do not
// show which.
struct Accesses {
    std::uint64_t all = 0, first = 0, consecutive = 0, forwards = 0, strided = 0;

    std::uint64_t back() const { return less(all, first + consecutive + forwards); }
    // Neither first nor consecutive nor strided.
    std::uint64_t irregular() const { return less(all, first + consecutive + strided); }
    // Back, and by no regular step: at least, since all that is strided may have been back.
    std::uint64_t surely_random() const { return less(back(), strided); }
    std::uint64_t random_at_most() const { return std::min(back(), irregular()); }

  private:
    static std::uint64_t less(std::uint64_t from, std::uint64_t what) { return from - std::min(from, what); }
};

// Of a layer that knows offsets.
Accesses accesses_of(const LayerSums& sums, Layer layer, Direction direction)
{
    const Transfers& transfers = sums.transfers(layer);
    const Pattern& pattern = *sums.pattern(layer);
    const auto& first = sums.first[static_cast<std::size_t>(layer)];
    if (direction == Direction::read)
        return {transfers.reads, first[0], pattern.consecutive_reads, pattern.sequential_reads,
                pattern.strided_reads};
    return {transfers.writes, first[1], pattern.consecutive_writes, pattern.sequential_writes,
            pattern.strided_writes};
}

// What a log of another tool may lack.
struct Told {
    bool strided = true, first = true;
};

Told told_of(const Log& log, Layer layer)
{
    return {tells(log, layer, &Pattern::strided_reads), tells(log, layer, &Sharing::readers)};
}

Cell part(std::uint64_t n, std::uint64_t of)
{
    return share_of(static_cast<double>(n), static_cast<double>(of));
}

// At least and at most, where the two differ.
std::string between(const Accesses& some)
{
    const auto shown = [&](std::uint64_t n) { return format(part(n, some.all)); };
    const std::string least = shown(some.surely_random()), most = shown(some.random_at_most());
    return least == most ? least : least + " to " + most;
}

void add_rows(const Job& job, Layer layer, DataTable& regular, DataTable& ways)
{
    const Told told = told_of(job.log, layer);
    const bool strided = told.strided;
    for (const Direction direction : directions) {
        const Accesses some = accesses_of(layer_sums_of(job), layer, direction);
        if (some.all == 0) continue;
        const Cell title = text(layer_titles[static_cast<std::size_t>(layer)]),
                   what = text(direction_names[static_cast<std::size_t>(direction)]);
        regular.rows.push_back({title, what, count(some.all), cell_if(told.first, part(some.first, some.all)),
                                part(some.consecutive, some.all),
                                cell_if(strided, part(some.strided, some.all)),
                                cell_if(strided && told.first, part(some.irregular(), some.all))});
        const std::uint64_t back = told.first ? some.back() : some.back() + some.first;
        if (some.forwards + back == 0) continue;
        ways.rows.push_back({title, what, part(some.forwards, some.all), part(back, some.all),
                             strided ? text(between(some)) : unknown()});
    }
}

DataTable alignment(const PosixCounters& posix)
{
    DataTable table{.id = "alignment", .title = "POSIX: on which boundaries they fell"};
    table.columns = {{"accesses", "reads and writes", Measure::count},
                     {"in_file", "aligned in the file", Measure::share},
                     {"in_memory", "aligned in memory", Measure::share}};
    const std::uint64_t all = posix.reads + posix.writes;
    const auto aligned = [&](std::uint64_t unaligned) { return part(all - std::min(all, unaligned), all); };
    table.rows.push_back({count(all), aligned(posix.file_unaligned), aligned(posix.memory_unaligned)});
    table.remark =
        "In the file: began at a multiple of the file's block size, or of a file that has none. In memory: "
        "the data lay at a multiple of 8 bytes.";
    return table;
}

std::string meaning_of_regular(bool mpiio, std::uint64_t unseen)
{
    std::string meaning =
        "First: of a process in a file, after nothing. Consecutive: began where the last one of that kind "
        "ended, by this thread in this file. Strided: left as wide a gap, forwards or back, as the last one "
        "that left any. Irregular: all others. The four make 100 %.";
    if (mpiio) meaning += " MPI-IO has no offsets.";
    if (unseen > 0)
        meaning += fmt::format(" Of {} by io_uring the place is not known: they count as irregular.",
                               format_count(unseen));
    return meaning;
}

}  // namespace

Blocks access_pattern(const Job& job, const SectionChoice&)
{
    const auto& sums = layer_sums_of(job);
    DataTable regular{.id = "pattern", .title = "How regular reads and writes were"};
    regular.columns = {{"layer", "layer", Measure::text},
                       {"direction", "calls", Measure::text},
                       {"accesses", "number", Measure::count},
                       {"first", "first", Measure::share},
                       {"consecutive", "consecutive", Measure::share},
                       {"strided", "strided", Measure::share},
                       {"irregular", "irregular", Measure::share}};
    DataTable ways{.id = "pattern_ways", .title = "Which way they went where they did not follow directly"};
    ways.columns = {{"layer", "layer", Measure::text},
                    {"direction", "calls", Measure::text},
                    {"forwards", "forwards", Measure::share},
                    {"back", "back", Measure::share},
                    {"random", "random", Measure::text}};
    for (const Layer layer : {Layer::posix, Layer::stdio})
        if (tells(job.log, layer, &Pattern::consecutive_reads)) add_rows(job, layer, regular, ways);
    if (regular.rows.empty()) return {};
    const PosixCounters& posix = sums.posix;
    const MpiioCounters& mpiio = sums.mpiio;
    regular.remark = meaning_of_regular(mpiio.reads + mpiio.writes > 0, posix.async_unseen);
    if (!told_of(job.log, Layer::posix).strided)
        regular.remark = fmt::format(
            "Consecutive: began where the last one of that kind ended. Of the others {} "
            "does not count how many were strided.",
            source_of(job.log).name);
    drop_unknown_columns(job.log, regular);
    Blocks blocks = {std::move(regular)};
    if (!ways.rows.empty()) {
        ways.remark =
            "Random: back, and by no regular step; of strided calls the counters do not say which went "
            "back, "
            "hence a range. The first of each further thread in a file counts as back.";
        if (!told_of(job.log, Layer::posix).first)
            ways.remark =
                "The first one of a rank in a file counts as back, where it began at the file's start.";
        drop_unknown_columns(job.log, ways);
        blocks.push_back(std::move(ways));
    }
    if (posix.reads + posix.writes > 0 && tells(job.log, &PosixCounters::file_unaligned))
        blocks.push_back(alignment(posix));
    return blocks;
}

}  // namespace fathom
