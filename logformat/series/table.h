// What sites know of their servers, devices and networks: series of values over time, from any source.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "logformat/series/quantity.h"

namespace fathom::series {

using Nanoseconds = std::int64_t;  // since 1970, UTC; or a length of time

inline constexpr Nanoseconds one_second = 1'000'000'000;

// "2018-01-28T08:00:05Z", with a fraction where there is one.
std::string utc_text(Nanoseconds time);

// What a component is.
enum class ComponentType : std::uint8_t {
    host,
    processor,
    device,
    volume,  // a device made of others: LVM, RAID, loop
    interface,
    ost,
    mdt,
    file_system,
    mount,
    brick,
    job,
    other
};
std::string_view name_of(ComponentType type);
// `other` for a name that is none.
ComponentType type_named(std::string_view name);

// `volume` for the names that Linux gives to devices that are made of others: dm-0, md127, loop3; else
// `device`.
ComponentType type_of_device(std::string_view name);

struct Component {
    std::string system;  // the file system or cluster that it belongs to; empty: not known
    std::string host;    // where it lives, a name or a network address; empty: not known
    ComponentType type = ComponentType::other;
    std::string name;  // "OST0000", "sda", "eth0", "4711" of a job; of a host: the host's
    std::string on;    // of a job: the target of the file system that counts its load, "OST0000"
    auto operator<=>(const Component&) const = default;
};

// Of an amount: so much between `begin` and `end`. Of a level: the mean between them, or as it stood at `end`
// where both are equal.
struct Sample {
    Nanoseconds begin = 0, end = 0;
    double value = 0;
    bool operator==(const Sample&) const = default;
};

struct Series {
    std::uint32_t component = 0;  // Table::components
    Kind kind = Kind::level;
    std::string quantity;            // a name of quantities(), or the source's own
    std::vector<Sample> samples;     // by their end, none twice; none overlaps the one before
    Nanoseconds usual_interval = 0;  // the median between ends of neighbours; 0: fewer than two
};

// Unit::number of names that are a source's own.
Unit unit_of(const Series& series);

// Times that are kept; of a sample that is partly inside all is.
struct Window {
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max();
};

// What was read, of any number of files. Order of components and series: as they came.
struct Table {
    std::vector<Component> components;  // also those of which nothing but their host is known
    std::vector<Series> series;
    std::vector<std::string>
        problems;  // what could not be read or was left out, with file and place; bounded
};

}  // namespace fathom::series
