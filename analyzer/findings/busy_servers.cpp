// Servers that had all they could do, most of it for others, by the site's own series.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/system_load.h"

namespace fathom {
namespace {

using namespace report;

// Of the job's time in I/O, of what was moved then, and of what one interval in the series had at most: with
// less than that from before or after the job nobody knows what the servers can do.
constexpr double mostly = 0.5;

}  // namespace

MaybeFinding busy_servers(const Scene& scene)
{
    if (scene.job.system == nullptr) return {};
    const LoadGroup* busiest = nullptr;
    double others = 0;
    for (const LoadGroup& group : scene.job.system->groups) {
        const double all = group.read + group.written, job = group.job_read + group.job_written;
        if (!group.serves_files || all <= 0 || group.saturated < mostly * group.job_io) continue;
        const double part = std::max(1 - job / all, 0.0);
        if (part < mostly || (busiest != nullptr && group.saturated * part < busiest->saturated * others))
            continue;
        busiest = &group;
        others = part;
    }
    if (busiest == nullptr) return {};
    Finding finding;
    finding.title = fmt::format("For {} of its {} in I/O {} were at their limit, {} of it for others",
                                format_seconds(busiest->saturated), format_seconds(busiest->job_io),
                                busiest->name, format(share(others)));
    finding.cost = seconds(std::min(busiest->saturated * others, scene.io));
    finding.cost_basis = "the others' part of that time";
    finding.confidence = busiest->peak_stated ? Confidence::medium : Confidence::low;
    finding.evidence = {
        {"limit", busiest->peak_stated ? "their peak, as stated" : "the highest rate in their series",
         report::rate(busiest->peak / mebibyte), "90 % of it counts as the limit"},
        {"others", "moved by others", share(others),
         fmt::format("of {}", format_bytes(static_cast<std::uint64_t>(busiest->read + busiest->written)))}};
    finding.why = "Servers that are at their limit share out what they can do.";
    finding.doubt = "Traffic that this job caused without asking for it: read-ahead, copies, journals.";
    finding.advice = {
        {"See who used them at that time, and run large jobs one after the other, or where there is more "
         "room."}};
    return finding;
}

}  // namespace fathom
