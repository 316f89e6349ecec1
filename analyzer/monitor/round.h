// What one look at the node found: values in the order of their counters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "logformat/series/monitor_file.h"

namespace fathom::monitor {

// A disk, an interface, a server's target ...
struct Thing {
    series::ComponentType type;
    std::string_view name;
    std::string_view system = {};  // the file system that it is of; empty: none
};

// Sources fill it, from time to time the same way: what came behind a value once does so again.
class Round {
  public:
    // Forgets the values, and keeps the counters.
    void begin();

    // Since some start, in units of `scale` of what the quantity is measured in; it returns to 0 behind
    // `bits`.
    void total(const Thing& thing, std::string_view quantity, std::uint64_t value, double scale = 1,
               unsigned bits = 64);
    void level(const Thing& thing, std::string_view quantity, std::uint64_t value, double scale = 1);

    // Puts the readings in order; a counter that was given twice has the first value.
    void end();

    const std::vector<series::Counter>& counters() const { return counters_; }
    const std::vector<series::Count>& counts() const { return counts_; }

    // Of things with names of all kinds there may be any number: further ones are left out.
    static constexpr std::size_t most_counters = 100'000;
    std::uint64_t left_out() const { return left_out_; }

  private:
    void add(const Thing& thing, std::string_view quantity, std::uint64_t value, bool total, unsigned bits,
             double scale);

    std::vector<series::Counter> counters_;
    std::vector<series::Count> counts_;
    std::map<std::tuple<series::ComponentType, std::string, std::string, std::string>, std::uint32_t> places_;
    std::uint32_t next_ = 0;  // the counter behind the last one
    std::uint64_t left_out_ = 0;
};

}  // namespace fathom::monitor
