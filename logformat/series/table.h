// What sites know of their servers, devices and networks: series of values over time, from any source.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "logformat/series/quantity.h"

namespace fathom::series {

using Nanoseconds = std::int64_t;  // since 1970, UTC

// What a component is.
enum class ComponentType : std::uint8_t { host, device, interface, ost, mdt, file_system, mount, brick, job, other };
std::string_view name_of(ComponentType type);

struct Component {
    std::string system;  // the file system or cluster that it belongs to; empty: not known
    std::string host;    // where it lives; empty: not known
    ComponentType type = ComponentType::other;
    std::string name;    // "OST0000", "sda", "eth0"; of a host: the host's
    auto operator<=>(const Component&) const = default;
};

// Of an amount: so much between `begin` and `end`. Of a level: the mean between them, or as it stood at `end`
// where both are equal.
struct Sample {
    Nanoseconds begin = 0, end = 0;
    double value = 0;
};

struct Series {
    std::uint32_t component = 0;     // Table::components
    std::string quantity;            // a name of quantities(), or the source's own
    Kind kind = Kind::level;
    std::vector<Sample> samples;     // by their end, none twice; none overlaps the one before
    Nanoseconds usual_interval = 0;  // the median between ends of neighbours; 0: fewer than two
};

// Times that are kept; of a sample that is partly inside all is.
struct Window {
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max();
};

// What was read, of any number of files. Order of components and series: as they came.
struct Table {
    std::vector<Component> components;
    std::vector<Series> series;
    std::vector<std::string> problems;  // what could not be read or was left out, with file and place; bounded
};

// Puts samples into a table: finds or makes their series, turns totals into amounts, keeps order. What no source
// can know it does not make up: a total that fell, or a clock that went back, leaves a gap.
class Builder {
  public:
    using Id = std::uint32_t;

    explicit Builder(Table& table, const Window& window = {}) : table_(table), window_(window) {}

    // A series of the table. For a name in quantities() its kind is that of the row, for others the one given. A
    // host that is not known in one file and is in another is filled in: where (system, type, name) is one
    // component on one host alone.
    Id series(const Component& component, std::string_view quantity, Kind kind = Kind::amount);

    // Values that are not finite, and amounts below 0, are left out.
    void amount(Id id, Nanoseconds begin, Nanoseconds end, double value);
    void level(Id id, Nanoseconds begin, Nanoseconds end, double value);

    // A total since some start of its own, in the series' unit once it is multiplied by `scale`. `bits`: it
    // returns to 0 behind that many, where it is less than 64.
    //   A fall whose next total is not below the one before the fall was a sample without a value: what lies
    //   between is one long sample. A fall by more than half of what its bits hold is a return to 0 behind its
    //   last value. Any other one is a start anew: nothing is known of that interval.
    void total(Id id, Nanoseconds time, std::uint64_t value, double scale = 1, int bits = 64);

    // Says what is wrong, with the file; the first `most_problems`, and how many more.
    void problem(std::string text);
    static constexpr std::size_t most_problems = 20;

    // Brings all series in order; once, at the end. Samples that overlap or come twice are one.
    void finish();

  private:
    struct Totals {
        Nanoseconds time = 0;
        std::uint64_t value = 0;
        bool known = false;
        // Before a fall.
        Nanoseconds high_time = 0;
        std::uint64_t high = 0;
        bool fell = false;
    };
    void add(Id id, const Sample& sample);

    Table& table_;
    Window window_;
    std::map<Component, std::uint32_t> components_;
    std::map<std::pair<std::uint32_t, std::string>, Id, std::less<>> series_;
    std::map<Id, Totals> totals_;
    std::size_t problems_left_out_ = 0;
};

}  // namespace fathom::series
