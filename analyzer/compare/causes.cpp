// Takes the times of two runs apart and looks for hints at what is behind each piece.
#include "analyzer/compare/causes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/compare/circumstances.h"
#include "analyzer/document/units.h"
#include "analyzer/job/operation_classes.h"
#include "analyzer/methods/rate.h"
#include "logformat/kinds.h"

namespace fathom {
namespace {

using namespace report;

// Sizes of requests, and numbers of calls, that differ by less are taken for the same.
constexpr double same_size = 0.05;
// MiB/s of one request: devices and networks are slower, a copy within memory is faster.
constexpr double speed_of_memory = 2048;

bool differ(double before, double after)
{
    return std::fabs(after - before) > same_size * std::max(before, after);
}

std::string count_text(double n)
{
    return format_count(static_cast<std::uint64_t>(std::llround(std::max(n, 0.0))));
}
std::string bytes_text(double n)
{
    return format_bytes(static_cast<std::uint64_t>(std::llround(std::max(n, 0.0))));
}

// Both runs, in this order everywhere.
struct Two {
    const Run& before;
    const Run& after;
};

// By kind and size: a write is a write, also where the program went over to another layer.
template <class Belongs>
std::vector<ClassPair> pairs_of(const Two& two, Belongs belongs)
{
    std::map<std::pair<std::uint64_t, std::uint64_t>, ClassPair> pairs;
    for (const auto& [of, sum] : two.before.classes)
        if (belongs(static_cast<Kind>(of.kind))) pairs[{of.kind, of.size_class}].before.add(sum);
    for (const auto& [of, sum] : two.after.classes)
        if (belongs(static_cast<Kind>(of.kind))) pairs[{of.kind, of.size_class}].after.add(sum);
    std::vector<ClassPair> all;
    for (const auto& [of, pair] : pairs) all.push_back(pair);
    return all;
}

// How many of something there are: for each process where the runs had not as many at once.
std::string counts_text(const Two& two, Work Run::*work, std::string_view noun)
{
    const bool each = differ(two.before.at_once, two.after.at_once);
    const auto shown = [&](const Run& run) {
        return count_text((run.*work).operations / (each ? run.at_once : 1));
    };
    return fmt::format("{}{}{}{}, before {}", shown(two.after), noun.empty() ? "" : " ", noun,
                       each ? " a process" : "", shown(two.before));
}

// Bytes by the time that reads or writes of one process took: what one of them got.
double speed_of(const Run& run, Direction direction)
{
    const Work& work = direction == Direction::read ? run.reads : run.writes;
    return work.seconds > 0 ? run.bytes(direction) / run.at_once / work.seconds / mebibyte : 0;
}

// What the program did in another way; empty where nothing is known to differ.
std::string other_way(const Two& two, Direction direction)
{
    for (const std::string& one :
         {layout_difference(two.before, two.after), file_system_difference(two.before, two.after),
          mode_difference(two.before, two.after, direction), layer_difference(two.before, two.after)})
        if (!one.empty()) return one;
    return {};
}

std::string why_other_sizes(const Two& two, Direction direction, bool slower)
{
    if (slower)
        return "each request has a cost of its own: look at what sets the size of buffers, blocks or chunks";
    const std::string other = other_way(two, direction);
    return other.empty() ? "as many bytes took less time in them" : other;
}

std::string why_slower(const Two& two, Direction direction, bool slower)
{
    const double before = speed_of(two.before, direction), after = speed_of(two.after, direction);
    const double fast = std::max(before, after), slow = std::min(before, after);
    const bool memory = fast >= speed_of_memory && slow < speed_of_memory / 2;
    if (memory && direction == Direction::read)
        return slower
                   ? "before, they came at the speed of memory: from the cache, and now from the file system"
                   : "they came at the speed of memory now: from the cache";
    if (memory)
        return slower
                   ? "before, the cache took them at the speed of memory; now they waited for the file system"
                   : "the cache took them at the speed of memory now";
    if (const std::string layout = layout_difference(two.before, two.after); !layout.empty()) return layout;
    if (const std::string mount = file_system_difference(two.before, two.after); !mount.empty()) return mount;
    if (const std::string mode = mode_difference(two.before, two.after, direction); !mode.empty())
        return mode;
    return slower ? "sizes and pattern are as before: the file system, or what else it had to do, was slower"
                  : "sizes and pattern are as before: the file system was quicker, or had less else to do";
}

void add(std::vector<Cause>& causes, Cause cause)
{
    if (cause.seconds != 0) causes.push_back(std::move(cause));
}

void add_transfers(const Two& two, Direction direction, std::vector<Cause>& causes)
{
    const bool reads = direction == Direction::read;
    const std::string noun = reads ? "reads" : "writes", id = reads ? "read" : "write";
    const auto belongs = [&](Kind kind) { return work_of(kind) == (reads ? &Run::reads : &Run::writes); };
    const double before = two.before.bytes(direction) / two.before.at_once,
                 after = two.after.bytes(direction) / two.after.at_once;
    const double size_before = two.before.mean_size(direction), size_after = two.after.mean_size(direction);
    const bool sizes_differ = differ(size_before, size_after);
    const TimeEffects effects =
        transfer_effects(pairs_of(two, belongs), before > 0 ? after / before : 0, sizes_differ);

    const double all_before = two.before.bytes(direction), all_after = two.after.bytes(direction);
    const bool more = after > before;
    const bool shared_out = two.before.at_once != two.after.at_once && !differ(all_before, all_after);
    add(causes, {id + "_bytes", fmt::format("{} data {}", more ? "more" : "less", reads ? "read" : "written"),
                 effects.volume, fmt::format("{}, before {}", bytes_text(all_after), bytes_text(all_before)),
                 shared_out    ? fmt::format("the same data by {} processes at once rather than {}",
                                             count_text(two.after.at_once), count_text(two.before.at_once))
                 : before == 0 ? "it did not before"
                 : after == 0  ? "it does no more"
                               : "the program, its input or its settings ask for another amount",
                 differ(before, after)});
    const std::string sizes =
        fmt::format("{} on average, before {}", bytes_text(size_after), bytes_text(size_before));
    add(causes, {id + "_size",
                 sizes_differ ? fmt::format("{} {}", size_after < size_before ? "smaller" : "larger", noun)
                              : fmt::format("{} of other sizes", noun),
                 effects.mix,
                 fmt::format("{}; {}", sizes, counts_text(two, reads ? &Run::reads : &Run::writes, noun)),
                 why_other_sizes(two, direction, effects.mix > 0), sizes_differ});
    const bool slower = effects.speed > 0;
    add(causes, {id + "_speed", fmt::format("{} {}", slower ? "slower" : "quicker", noun), effects.speed,
                 fmt::format("{} each process, before {}", format_rate(speed_of(two.after, direction)),
                             format_rate(speed_of(two.before, direction))),
                 why_slower(two, direction, slower), std::fabs(effects.speed) > effects.speed_noise});
}

double mean_of(const Work& work, double at_once)
{
    return work.operations > 0 ? work.seconds * at_once / work.operations : 0;
}

// The kind of call whose effect is the largest in the direction of the whole.
template <class Belongs>
std::string largest_kind(const Two& two, Belongs belongs, double TimeEffects::*effect, double whole)
{
    std::string words;
    double largest = 0;
    for (const KindRow& row : kind_table) {
        if (!belongs(row.kind)) continue;
        const double one =
            call_effects(pairs_of(two, [&](Kind other) { return other == row.kind; })).*effect *
            (whole < 0 ? -1 : 1);
        if (one > largest) {
            largest = one;
            words = plain_name(row.kind);
        }
    }
    return words.empty() || words == "other" || words == "sync" ? ""
                                                                : fmt::format(", mostly by {} calls", words);
}

void add_calls(const Two& two, std::string_view id, std::string_view noun, Work Run::*work,
               std::vector<Cause>& causes)
{
    const auto belongs = [&](Kind kind) { return work_of(kind) == work; };
    const TimeEffects effects = call_effects(pairs_of(two, belongs));
    const Work &before = two.before.*work, &after = two.after.*work;
    const double before_each = before.operations / two.before.at_once,
                 after_each = after.operations / two.after.at_once;
    const bool more = effects.volume > 0, slower = effects.speed > 0, counts_grew = after_each >= before_each;
    const auto mostly = [&](double TimeEffects::*effect) {
        return largest_kind(two, belongs, effect, effects.*effect);
    };
    add(causes, {fmt::format("{}_calls", id),
                 fmt::format("{} {}",
                             more != counts_grew ? "other"
                             : more              ? "more"
                                                 : "fewer",
                             noun),
                 effects.volume, counts_text(two, work, "") + mostly(&TimeEffects::volume),
                 more != counts_grew
                     ? "their kinds are others"
                     : fmt::format("the program or a library calls them {} often", more ? "more" : "less"),
                 differ(before_each, after_each) || more != counts_grew});
    add(causes,
        {fmt::format("{}_speed", id), fmt::format("{} {}", slower ? "slower" : "quicker", noun),
         effects.speed,
         fmt::format("{} each, before {}{}", format_seconds(mean_of(after, two.after.at_once)),
                     format_seconds(mean_of(before, two.before.at_once)), mostly(&TimeEffects::speed)),
         slower ? "the same calls: the file system, or what else it had to do, was slower to answer them"
                : "the same calls: the file system answered them sooner",
         std::fabs(effects.speed) > effects.speed_noise});
}

// Ranks that are slower than the others hold all of them up.
void add_stragglers(const Two& two, std::vector<Cause>& causes)
{
    const auto beyond_mean = [](const Run& run) { return run.slowest_io - run.mean_io; };
    const double before = beyond_mean(two.before), after = beyond_mean(two.after);
    const Run& worse = after > before ? two.after : two.before;
    add(causes,
        {"slowest_rank",
         after > before ? "the slowest rank is further behind" : "the slowest rank is less far behind",
         after - before,
         fmt::format("{} more in I/O than the mean, before {}", format_seconds(after),
                     format_seconds(before)),
         fmt::format("it was {}{}: its data, or its node's way to the file system",
                     worse.job->rank_name(worse.rates.job.slowest), after > before ? "" : " before"),
         true});
}

}  // namespace

std::vector<Cause> causes_of(const Run& earlier, const Run& later)
{
    const Two two{earlier, later};
    std::vector<Cause> causes;
    add_transfers(two, Direction::read, causes);
    add_transfers(two, Direction::write, causes);
    add_calls(two, "sync", "syncs", &Run::syncs, causes);
    add_calls(two, "metadata", earlier.timed && later.timed ? "metadata calls" : "metadata calls, by opens",
              &Run::metadata, causes);
    double told = 0;
    for (const Cause& cause : causes) told += cause.seconds;
    const bool side_by_side =
        earlier.job->mpi && later.job->mpi && earlier.slowest_known && later.slowest_known;
    if (side_by_side) add_stragglers(two, causes);

    const double io = later.mean_io - earlier.mean_io;
    add(causes, {"other_io", "I/O not separated further", io - told, "", "", true});
    const auto outside = [&](const Run& run) {
        return run.run_time - (side_by_side ? run.slowest_io : run.mean_io);
    };
    const bool longer = outside(later) > outside(earlier);
    add(causes,
        {"outside_io", fmt::format("{} outside of I/O", longer ? "longer" : "shorter"),
         outside(later) - outside(earlier),
         fmt::format("{}, before {}", format_seconds(outside(later)), format_seconds(outside(earlier))),
         "computing, communication and waiting: no I/O call explains it", true});
    std::stable_sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
        return std::fabs(a.seconds) > std::fabs(b.seconds);
    });
    return causes;
}

}  // namespace fathom
