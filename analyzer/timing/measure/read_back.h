// Reads what a measurement left.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analyzer/timing/measure/check.h"
#include "analyzer/timing/measure/grid.h"
#include "logformat/log/tick.h"

namespace fathom::measure {

// Hands out each operation and its seconds. Throws std::runtime_error: file, line, what is wrong.
void read_samples(const std::string& path, const std::function<void(const Configuration&, double)>& use,
                  const Tick& tick);

std::vector<Check> read_checks(const std::string& path);

}  // namespace fathom::measure
