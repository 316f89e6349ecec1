// What to do about small pieces of datasets, whichever rule found them.
#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/findings/language.h"

namespace fathom {

// Of calls of fewer bytes a collective one for each takes longer still: they have to become one.
inline constexpr std::uint64_t worth_a_call_together = 4 << 10;

std::vector<report::Advice> advice_to_move_at_once(const AdvisedProgram& program, bool pnetcdf);

}  // namespace fathom
