// The kinds of operations, as histograms and traces distinguish them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "logformat/counters.h"
#include "logformat/values.h"

namespace fathom {

// The numbers are in logs: new kinds go to the end.
enum class Kind : std::uint8_t {
    read,
    write,
    open,
    close,
    seek,
    stat,
    sync,
    failed_read,
    failed_write,  // or sync
    failed,        // any other
    other,
    truncate,
    unlink,
    rename,
    link,
    attribute,
    directory_change,
    directory_read,
    advice,
    lock,
    dup,
    map,
};

struct KindTraits {
    bool moves_data = false;  // has a size
    bool failed = false;      // returned an error
    bool mixed = false;       // calls of several sorts
};

// What is known of a kind: all that distinguishes kinds asks here.
struct KindRow {
    Kind kind{};
    std::string_view name;             // as dumps show it
    std::uint64_t Transfers::*time{};  // which sum of times its calls are in
    // The counters of its calls, in POSIX and in MPI-IO, where there is one for them alone.
    std::uint64_t PosixCounters::*calls{};
    std::uint64_t MpiioCounters::*mpiio_calls{};
    KindTraits is{};
};

namespace detail {

constexpr auto rows_of_kinds()
{
    using T = Transfers;
    using P = PosixCounters;
    using M = MpiioCounters;
    constexpr auto reading = &T::read_time, writing = &T::write_time, metadata = &T::metadata_time;
    constexpr KindTraits transfer{.moves_data = true}, failure{.failed = true}, mixture{.mixed = true},
        failures{.failed = true, .mixed = true};
    return std::to_array<KindRow>({
        {Kind::read, "read", reading, &P::reads, &M::reads, transfer},
        {Kind::write, "write", writing, &P::writes, &M::writes, transfer},
        {Kind::open, "open", metadata, &P::opens, &M::opens},
        {Kind::close, "close", metadata, &P::closes, &M::closes},
        {Kind::seek, "seek", metadata, &P::seeks, &M::seeks},
        {Kind::stat, "stat", metadata, &P::stats},
        {Kind::sync, "sync", writing, &P::syncs, &M::syncs},
        {Kind::failed_read, "failed_read", reading, &P::failed, &M::failed, failure},
        {Kind::failed_write, "failed_write", writing, &P::failed, &M::failed, failure},
        {Kind::failed, "failed", metadata, &P::failed, &M::failed, failures},
        {Kind::other, "other", metadata, nullptr, nullptr, mixture},
        {Kind::truncate, "truncate", metadata, &P::truncates, &M::truncates},
        {Kind::unlink, "unlink", metadata, &P::unlinks, &M::unlinks},
        {Kind::rename, "rename", metadata, &P::renames},
        {Kind::link, "link", metadata, &P::links},
        {Kind::attribute, "attribute", metadata, &P::attributes},
        {Kind::directory_change, "directory_change", metadata, &P::directory_changes},
        {Kind::directory_read, "directory_read", metadata, &P::directory_reads},
        {Kind::advice, "advice", metadata, &P::advices},
        {Kind::lock, "lock", metadata, &P::locks},
        {Kind::dup, "dup", metadata, &P::dups},
        {Kind::map, "map", metadata, &P::maps},
    });
}

}  // namespace detail

// By number.
inline constexpr auto kind_table = detail::rows_of_kinds();
inline constexpr std::size_t kind_count = kind_table.size();

// What is no kind is taken for `other`.
constexpr const KindRow& kind_row(Kind kind)
{
    const auto number = static_cast<std::size_t>(kind);
    return kind_table[number < kind_count ? number : static_cast<std::size_t>(Kind::other)];
}
constexpr bool moves_data(Kind kind)
{
    return kind_row(kind).is.moves_data;
}
constexpr bool is_metadata(Kind kind)
{
    return kind_row(kind).time == &Transfers::metadata_time;
}

namespace detail {

// The first kind whose row holds(row); `other` where none does. No loop: with a value that the compiler knows
// it costs nothing.
template <class Holds>
constexpr Kind first_kind(Holds holds)
{
    Kind found = Kind::other;
    [&]<std::size_t... at>(std::index_sequence<at...>)
    {
        ((holds(kind_table[at]) && (found = kind_table[at].kind, true)) || ...);
    }
    (std::make_index_sequence<kind_count>());
    return found;
}

}  // namespace detail

// What kind of call a counter of metadata calls counts.
constexpr Kind kind_of(std::uint64_t PosixCounters::*counter)
{
    return detail::first_kind([&](const KindRow& row) {
        return row.time == &Transfers::metadata_time && row.calls != nullptr && row.calls == counter;
    });
}
constexpr Kind kind_of(std::uint64_t MpiioCounters::*counter)
{
    return detail::first_kind([&](const KindRow& row) {
        return row.time == &Transfers::metadata_time && row.mpiio_calls != nullptr &&
               row.mpiio_calls == counter;
    });
}

// The kind of calls that failed and whose time is in this sum.
constexpr Kind failed_kind(std::uint64_t Transfers::*time)
{
    return detail::first_kind([&](const KindRow& row) { return row.is.failed && row.time == time; });
}

static_assert(
    [] {
        for (std::size_t at = 0; at < kind_count; ++at)
            if (kind_table[at].kind != static_cast<Kind>(at)) return false;
        return true;
    }(),
    "the rows of kinds are in the order of their numbers");

// Whose operations histograms and slices keep apart: those on files from those on standard streams, devices
// and FIFOs, which may wait for a person.
inline constexpr std::size_t timing_places = 2 * layers;
constexpr std::size_t timing_place(Layer layer, bool streams)
{
    return 2 * static_cast<std::size_t>(layer) + (streams ? 1 : 0);
}

// The histograms of a place: reads and writes by class of size (SizeHistogram), each other kind up to `other`
// one of its own, and `other` for the rest.
inline constexpr std::size_t histogram_count = 2 * SizeHistogram::classes +
                                               static_cast<std::size_t>(Kind::other) -
                                               static_cast<std::size_t>(Kind::write);
constexpr std::size_t histogram_of(Kind kind, std::size_t size_class = 0)
{
    constexpr auto sized = SizeHistogram::classes;
    if (kind == Kind::read) return size_class;
    if (kind == Kind::write) return sized + size_class;
    const Kind named = kind > Kind::other ? Kind::other : kind;
    return 2 * sized + static_cast<std::size_t>(named) - 2;
}
static_assert(histogram_of(Kind::other) == histogram_count - 1 &&
              histogram_of(Kind::map) == histogram_count - 1);

// And back.
struct HistogramKind {
    Kind kind{};
    std::size_t size_class = 0;
};
constexpr HistogramKind kind_of_histogram(std::size_t histogram)
{
    constexpr auto sized = SizeHistogram::classes;
    if (histogram < sized) return {Kind::read, histogram};
    if (histogram < 2 * sized) return {Kind::write, histogram - sized};
    return {static_cast<Kind>(histogram - 2 * sized + 2), 0};
}

}  // namespace fathom
