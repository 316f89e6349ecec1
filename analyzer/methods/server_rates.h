// How long servers take for a byte, from files that lie on several of them each (docs/METHODS.md, section 13:
// ours).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

// A file: nanoseconds in reads and writes, and its bytes by server (index, bytes).
struct FileOnServers {
    struct Part {
        std::size_t server = 0;
        double bytes = 0;
    };
    double time = 0;
    std::vector<Part> parts;
};

struct ServerRate {
    std::uint64_t files = 0;
    double bytes = 0;
    // Nanoseconds a byte, and where 95 of 100 drawings of as many files with replacement lie. No parts with
    // bytes: 0.
    double ns_per_byte = 0, low = 0, high = 0;
};

// How far to go: files and bytes alone; rates too, where `low` and `high` are the rate; or these by drawings,
// which take a hundred times as long.
enum class Bounds : std::uint8_t { no_rates, none, by_drawings };

// Least squares of time = sum of bytes x rate, no rate below 0, each file weighed by one over its bytes:
// where each file lies on one server, a rate is the sum of times over the sum of bytes. Servers that
// nothing separates have one rate. The same answer each time.
std::vector<ServerRate> server_rates(std::span<const FileOnServers> files, std::size_t servers,
                                     Bounds bounds = Bounds::by_drawings);

}  // namespace fathom
