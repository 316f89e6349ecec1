// The kinds of operations, as histograms and traces tell them apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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
inline constexpr std::size_t kind_count = 22;
inline constexpr std::array<std::string_view, kind_count> kind_names = {"read",
                                                                        "write",
                                                                        "open",
                                                                        "close",
                                                                        "seek",
                                                                        "stat",
                                                                        "sync",
                                                                        "failed_read",
                                                                        "failed_write",
                                                                        "failed",
                                                                        "other",
                                                                        "truncate",
                                                                        "unlink",
                                                                        "rename",
                                                                        "link",
                                                                        "attribute",
                                                                        "directory_change",
                                                                        "directory_read",
                                                                        "advice",
                                                                        "lock",
                                                                        "dup",
                                                                        "map"};

// What kind of call a counter of metadata calls counts.
constexpr Kind kind_of(std::uint64_t PosixCounters::*counter)
{
    using P = PosixCounters;
    if (counter == &P::stats) return Kind::stat;
    if (counter == static_cast<std::uint64_t PosixCounters::*>(&P::seeks)) return Kind::seek;
    if (counter == &P::truncates) return Kind::truncate;
    if (counter == &P::unlinks) return Kind::unlink;
    if (counter == &P::renames) return Kind::rename;
    if (counter == &P::links) return Kind::link;
    if (counter == &P::attributes) return Kind::attribute;
    if (counter == &P::directory_changes) return Kind::directory_change;
    if (counter == &P::directory_reads) return Kind::directory_read;
    if (counter == &P::advices) return Kind::advice;
    if (counter == &P::locks) return Kind::lock;
    if (counter == &P::dups) return Kind::dup;
    if (counter == &P::maps) return Kind::map;
    return Kind::other;
}

constexpr Kind kind_of(std::uint64_t MpiioCounters::*counter)
{
    using M = MpiioCounters;
    if (counter == &M::seeks) return Kind::seek;
    return counter == &M::truncates ? Kind::truncate : Kind::other;
}

// Whose operations histograms and slices keep apart: those on files from those on standard streams, devices
// and FIFOs, which may wait for a person.
inline constexpr std::size_t timing_places = 2 * layers;
constexpr std::size_t timing_place(Layer layer, bool streams)
{
    return 2 * static_cast<std::size_t>(layer) + (streams ? 1 : 0);
}

// The histograms of a place: reads and writes by class of size (SizeHistogram), each other kind that has one
// of its own, and `other` for the rest.
inline constexpr std::size_t histogram_count = 2 * SizeHistogram::classes + 9;
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
