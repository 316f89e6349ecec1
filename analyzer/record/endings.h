// How processes ended, as their parents were told: kept as facts of a log until all of its processes are
// known.
#pragma once

#include <string_view>

#include "logformat/log.h"
#include "logformat/part.h"

namespace fathom {

// The name of those facts. There are many of that name, and none in a log that is finished.
inline constexpr std::string_view death_fact = "death";

void add_death(Log& log, std::string_view host, const Death& death);

// Tells each process how it ended where a parent knew, and removes the facts.
void settle_deaths(Log& log);

}  // namespace fathom
