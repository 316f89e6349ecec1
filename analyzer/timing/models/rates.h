// What a model says of how fast requests are, for the costs of findings.
#pragma once

#include <string_view>

#include "analyzer/job/measured_rates.h"
#include "analyzer/timing/models/model.h"

namespace fathom {

// `name` is what the model is called in the report.
MeasuredRates rates_of(const ModelFile& file, std::string_view name);

}  // namespace fathom
