// Names of classes, from their bounds.
#include "analyzer/jobs/study/job_sizes.h"

#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/jobs/study/cells.h"

namespace fathom::jobs {
namespace {

std::string bound_name(std::size_t at, Number more)
{
    return report::format_count(static_cast<std::uint64_t>(job_size_bounds[at] + more));
}

}  // namespace

std::string job_size_name(std::size_t size)
{
    if (size == 0) return "not known";
    if (size == 1) return bound_name(0, 0);
    if (size > job_size_bounds.size()) return "over " + bound_name(job_size_bounds.size() - 1, 0);
    return fmt::format("{} to {}", bound_name(size - 2, 1), bound_name(size - 1, 0));
}

std::string job_size_in_sql()
{
    return class_in_sql("jobs.processes", job_size_bounds);
}

}  // namespace fathom::jobs
