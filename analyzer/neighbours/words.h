// Cells and words that the documents share.
#pragma once

#include <string>

#include "analyzer/document/document.h"
#include "analyzer/neighbours/beside.h"

namespace fathom::neighbours {

// Bytes a second as MiB/s; what is not finite is not known.
report::Cell rate_cell(double bytes_a_second);
report::Cell seconds_cell(double seconds);
report::Cell bytes_cell(double bytes);
report::Cell share_cell(double share);
report::Cell count_cell(double count);  // 0: not known
report::Cell name_cell(const std::string& name);

// "1 : 4.4"; unknown where one is not above 0.
report::Cell ratio_cell(double first, double second);

// "of its own time bins without neighbours (3.2 s)"
std::string words_of(const UsualRate& usual);

}  // namespace fathom::neighbours
