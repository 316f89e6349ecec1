// The numbers of the one line are those of the report.
#include "analyzer/commands/summary.h"

#include <fmt/format.h>

#include "analyzer/report/document_units.h"
#include "analyzer/studies/figures.h"
#include "analyzer/studies/job.h"

namespace fathom {

std::string summary_of(const Log& log, const std::string& path)
{
    const Job job(log);
    std::uint64_t moved[2] = {};
    for (const Member& member : job.ranks)
        for (const Direction direction : directions)
            moved[static_cast<std::size_t>(direction)] += member.application_bytes(direction);
    const Rate rate = rates_of(job).window;
    return fmt::format(
        "{} written, {} read{}; log: {}", report::format_bytes(moved[1]), report::format_bytes(moved[0]),
        rate.defined ? ", " + report::format_rate(rate.total) + " while I/O was under way" : "", path);
}

}  // namespace fathom
