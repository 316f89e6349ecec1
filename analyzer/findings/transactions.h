// Fewer transactions of SQLite, whatever they cost: syncs, locks, or a journal for each.
#pragma once

#include <vector>

#include "analyzer/findings/language.h"

namespace fathom {

std::vector<report::Advice> advice_on_transactions(const AdvisedProgram& program);

}  // namespace fathom
