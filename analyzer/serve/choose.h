// What the parameters of an address choose.
#pragma once

#include <memory>
#include <string>

#include "analyzer/jobs/list/choice.h"
#include "analyzer/serve/view.h"

namespace fathom::serve {

// Filters of `fathom jobs list` by their names. Throws BadAddress.
jobs::Choice filters_in(const Asked& asked);

// Parameters since and until; `usual` where neither is said: "30 days ago". Throws BadAddress.
struct TimeSpan {
    jobs::Known since = {}, before = {};  // ns of UNIX time
    std::string words;                    // "since 30 days ago"
};
TimeSpan span_in(const Asked& asked, const std::string& usual);
// As conditions on the starts of jobs.
jobs::Choice starts_in(const TimeSpan& span);

// A whole number of a parameter within these bounds; `usual` where it is not said. Throws BadAddress.
std::uint64_t number_in(const Asked& asked, const std::string& name, std::uint64_t usual, std::uint64_t most);

// The first table of such a document as CSV; empty where it has none.
std::string csv_of_table(const report::Document& document);

// What a document of all jobs that this viewer may see is made of.
Reach reach_of(const Viewer& viewer);

// A document that takes long: from those that are kept, with its age in its subtitle. Throws NotYet.
report::Document slow_document(const Asked& asked, std::string_view what, unsigned fresh_seconds, Reach reach,
                               std::function<report::Document(Sessions&, const Viewer&)> make);

}  // namespace fathom::serve
