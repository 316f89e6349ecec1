// Puts what sources say into a table: finds or makes series, turns totals into amounts, keeps order.
//
// What no source can know it does not make up: a total that fell, or a clock that went back, leaves a gap.
#pragma once

#include <map>
#include <set>
#include <unordered_set>

#include "logformat/series/table.h"

namespace fathom::series {

class Builder {
  public:
    using Id = std::uint32_t;

    explicit Builder(Table& table, const Window& window = {});
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    // What comes from now on is of this file. Within a file the times of a series rise: what is not after the
    // one before is left out, and problems say so. Files may come in any order, and overlap.
    void begin_file(std::string name);
    // Totals of this file that follow count from here, such as a boot of the node: those of different origins
    // are not compared with one another. Where nobody says so, all are of one.
    void totals_count_from(std::string_view origin);

    const Window& window() const { return window_; }

    // Its place in the table.
    std::uint32_t component(Component component);
    // A fact: where it lives. Of components whose host is not known otherwise, if all facts agree.
    void lives_on(const Component& component, const std::string& host);

    // A series of the table. For a name in quantities() its kind is that of the row, for others the one
    // given.
    Id series(std::uint32_t component, std::string_view quantity, Kind kind = Kind::level);
    Id series(const Component& of, std::string_view quantity, Kind kind = Kind::level)
    {
        return series(component(of), quantity, kind);
    }

    // Values that are not finite, and amounts below 0, are left out. An amount that begins before the end of
    // the one before counts with the part behind that.
    void amount(Id id, Nanoseconds begin, Nanoseconds end, double value);
    void level(Id id, Nanoseconds begin, Nanoseconds end, double value);
    // At an instant.
    void level(Id id, Nanoseconds time, double value) { level(id, time, time, value); }

    // A total since some start of its own, in the series' unit once it is multiplied by `scale`. `bits`: it
    // returns to 0 behind that many, where it is less than 64.
    //   A fall to 0 whose next total other than 0 is not below the one before the fall was no value: what
    //   lies between is one long sample. A fall by more than half of what its bits hold is a return to 0
    //   behind its last value. Any other one is a start anew: nothing is known of that interval.
    // What lies between the last total of a file and the first of the next one is a sample too.
    void total(Id id, Nanoseconds time, long double value, double scale = 1, int bits = 64);

    // A sample that could not be used: a line for each reason in each file, with how many and the first and
    // last place or time.
    void left_out(std::string_view why, std::string_view place, std::uint64_t samples = 1);

    // Says what is wrong; the first `most_problems`, and how many more. The name of the file comes first.
    void problem(const std::string& text);
    static constexpr std::size_t most_problems = 20;

    // Brings all series in order; once, at the end. Of samples that overlap the one that ends first stays;
    // those that come twice are one. A component whose host is not known is the one of that name with a host,
    // where there is one alone.
    void finish();

  private:
    struct Point {
        Nanoseconds time = 0;
        long double value = 0;
    };
    // How far a series is in the file that is being read.
    struct State {
        std::uint32_t file = 0;
        std::size_t origin = 0;
        bool known = false;  // `first` and `last`
        int bits = 64;
        double scale = 1;
        Nanoseconds end = std::numeric_limits<Nanoseconds>::min();  // of the last sample
        Point first, last;                                          // totals
        std::vector<Nanoseconds> zeros;                             // totals of 0 after `last`
    };
    // The totals of a series in one file.
    struct Run {
        Point first, last;
        double scale = 1;
        int bits = 64;
        std::size_t origin = 0;
    };
    struct LeftOut {
        std::string why, first, last;
        std::uint64_t number = 0;
    };
    struct ComponentHash {
        using is_transparent = void;
        const Table* table;
        std::size_t operator()(const Component& component) const;
        std::size_t operator()(std::uint32_t at) const { return (*this)(table->components[at]); }
    };
    struct SameComponent {
        using is_transparent = void;
        const Table* table;
        const Component& of(std::uint32_t at) const { return table->components[at]; }
        static const Component& of(const Component& component) { return component; }
        bool operator()(const auto& a, const auto& b) const { return of(a) == of(b); }
    };
    struct SeriesKey {
        std::uint32_t component;
        std::string_view quantity;
        bool operator==(const SeriesKey&) const = default;
    };
    struct SeriesHash {
        using is_transparent = void;
        const Table* table;
        std::size_t operator()(const SeriesKey& key) const;
        std::size_t operator()(Id id) const;
    };
    struct SameSeries {
        using is_transparent = void;
        const Table* table;
        SeriesKey of(Id id) const { return {table->series[id].component, table->series[id].quantity}; }
        static SeriesKey of(const SeriesKey& key) { return key; }
        bool operator()(const auto& a, const auto& b) const { return of(a) == of(b); }
    };

    State& state_of(Id id);
    void say_not_after(Nanoseconds end);
    bool is_after(State& state, Nanoseconds end, bool same_value_is_quiet);
    void keep(Id id, const Sample& sample);
    void between(Id id, const Point& from, const Point& to, double scale, int bits);
    void say_left_out();
    void join_hosts();
    static void put_in_order(Series& series);

    Table& table_;
    Window window_;
    std::string file_name_;
    std::uint32_t file_ = 0;
    std::size_t origin_ = 0;
    std::vector<State> states_;
    std::map<Id, std::vector<Run>> runs_;  // of earlier files
    std::unordered_set<std::uint32_t, ComponentHash, SameComponent> components_;
    std::unordered_set<Id, SeriesHash, SameSeries> series_;
    std::map<Component, std::set<std::string>> hosts_;  // facts; components without a host
    std::vector<LeftOut> left_out_;
    std::size_t problems_left_out_ = 0;
};

}  // namespace fathom::series
