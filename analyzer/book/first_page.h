// The first page of a report: who ran what, the verdict, where the run time went, what to change.
#pragma once

#include <string>
#include <vector>

#include "analyzer/document/first_page.h"
#include "analyzer/job/job.h"

namespace fathom {

// From the job, and from the sections of its report: findings, the rate over time and the sizes of requests
// are theirs.
report::FirstPage first_page_of(const Job& job, const std::vector<report::Section>& sections);

// Its verdict alone.
std::string verdict_on(const Job& job);

}  // namespace fathom
