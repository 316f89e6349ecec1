// How exactly a log has the run time.
#pragma once

#include "analyzer/job/job.h"
#include "analyzer/job/source.h"

namespace fathom {

// Start and end are whole seconds: the run may have been almost a second shorter.
inline bool in_whole_seconds(const Job& job)
{
    constexpr std::uint64_t one_second = 1'000'000'000;
    return source_of(job.log).whole_seconds && job.run_time() > 0 && job.start % one_second == 0 &&
           job.end % one_second == 0;
}

}  // namespace fathom
