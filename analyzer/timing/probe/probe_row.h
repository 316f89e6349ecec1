// A line of a probe's CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

struct ProbeRow {
    std::uint64_t time = 0;  // UNIX time in ns: when the operation began
    std::string target;      // the path that was named
    std::string_view operation;
    std::uint64_t size = 0;
    std::optional<double> latency;  // seconds; nothing: it failed, or has not come back
    std::string_view mode;          // how it went past the cache
    std::string error;              // empty: none
};

inline constexpr std::string_view probe_header = "time_s,target,operation,size,latency_s,mode,error\n";

// With its line end; texts are quoted where they need it (RFC 4180), line breaks in them become blanks.
std::string csv_line(const ProbeRow& row);

}  // namespace fathom
