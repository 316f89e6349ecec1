// How many probes a path had and how long they took, in bounded memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timing/probe/probe_row.h"

namespace fathom {

class PathSums {
  public:
    PathSums();

    void add(const ProbeRow& row);
    void miss(std::uint64_t slots) { missed_ += slots; }
    std::uint64_t done() const { return write_.count + read_.count; }
    // "720 probes; write: median 12.3 ms, slowest 1.2 s; read: ...; 3 failed; 2 missed"
    std::string words() const;

  private:
    struct Times {
        std::uint64_t count = 0, longest = 0;  // ns
        std::vector<std::uint64_t> histogram;

        void add(double seconds);
        std::string words(std::string_view what) const;
    };

    Times write_, read_;
    std::uint64_t failed_ = 0, missed_ = 0;
};

}  // namespace fathom
