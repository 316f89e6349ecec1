// What collectd's types mean, however they were stored.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parsers/series/source.h"

namespace fathom::series {

// Of what a value is: "disk", "sda", "disk_octets", "", "read".
struct CollectdName {
    std::string host, plugin, plugin_instance, type, type_instance, value;
    auto operator<=>(const CollectdName&) const = default;
};

// The values of one name. collectd stores totals as they are or, where it was told so, as rates.
struct CollectdValues {
    struct Point {
        Nanoseconds time = 0;
        double value = 0;
    };
    std::vector<Point> points;
    bool fractions = false;    // some value was written with a point
    bool counter = false;      // collectd's type COUNTER: it returns to 0 behind 32 or 64 bits
    bool gauge = false;        // collectd's type GAUGE
    Nanoseconds interval = 0;  // 0: not said
};

using CollectdRecords = std::map<CollectdName, CollectdValues>;

// Puts them into the builder; times may be in any order.
void put_collectd(CollectdRecords& records, const Reading& reading, Builder& builder);

}  // namespace fathom::series
