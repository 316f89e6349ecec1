// How processes ended, as their parents learned, and which became other programs: kept as facts of a log
// until all of its processes are known.
#pragma once

#include <string_view>

#include "logformat/log/log.h"
#include "logformat/part/part.h"

namespace fathom {

// The name of those facts. There are many of that name, and none in a log that is finished.
inline constexpr std::string_view death_fact = "death";

void add_death(Log& log, std::string_view host, const Death& death);

// The same for processes that were to become other programs.
inline constexpr std::string_view start_fact = "start";
void add_start(Log& log, std::string_view host, const Start& start);

// What became of those of whom nothing more is known: a fact of this name has the programs' names.
inline constexpr std::string_view not_recorded_fact = "not_recorded";
void settle_starts(Log& log);

// Tells each process how it ended where a parent knew, and removes the facts.
void settle_deaths(Log& log);

}  // namespace fathom
