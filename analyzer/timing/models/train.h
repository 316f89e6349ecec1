// Makes models of a measurement: for each state, operation and layout two lines of time over size.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), sections
// 4.2 and 6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/timing/models/model.h"
#include "logformat/log/tick.h"

namespace fathom {

// A size of which there are fewer operations has no density to speak of, and is left out.
inline constexpr std::uint64_t least_operations_of_size = 20;

struct TrainingChoice {
    // Layouts of the file; empty: all that there are. Of uncached data rnd is taken too, of discarded data
    // all together, since its devices have no places.
    std::vector<std::string> files = {"off0"};
    std::uint64_t threads = 1;
    std::optional<std::uint64_t> largest_read, largest_write;  // sizes, bytes
};

struct Training {
    ModelFile file;
    std::vector<std::string> notes;  // what was left out, a sentence each
};

// Models come in the order of operation, state (those of ours first), memory and file. A duration is kept to
// 24 binary digits, 4 bytes an operation. Throws std::runtime_error where the measurement cannot be read, or
// nothing of it can be used: says why and what to do. `made` has the measurement's name and nothing else.
Training train_models(const std::string& measurement, const TrainingChoice& choice, const Tick& tick = {});

}  // namespace fathom
