// The verdict of the first page, in one or two sentences.
#pragma once

#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/job.h"

namespace fathom {

// `largest_part`: what took most of the time in I/O, in words; empty where it is not known.
std::string verdict_of(const Job& job, const TimeUse& use, const std::vector<report::Finding>& findings,
                       const std::string& largest_part);

}  // namespace fathom
