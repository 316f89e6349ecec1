// A server that served at a fraction of the others' rate while the job waited for it, by the site's own
// series.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/system_load.h"

namespace fathom {
namespace {

using namespace report;

constexpr double well_known = 0.8;  // of the job's time in I/O

std::string rate_in_words(double bytes_per_second)
{
    return format_rate(bytes_per_second / mebibyte);
}

// "brick node2", "OST0002"
std::string name_of(const LoadGroup& group, const LoadMember& member)
{
    return member.name.starts_with(group.member) ? member.name : group.member + ' ' + member.name;
}

}  // namespace

MaybeFinding ill_server(const Scene& scene)
{
    if (scene.job.system == nullptr || scene.job.system->ill.empty()) return {};
    const SystemLoad& load = *scene.job.system;
    const IllServer& worst =
        *std::max_element(load.ill.begin(), load.ill.end(),
                          [](const IllServer& a, const IllServer& b) { return a.lost < b.lost; });
    const LoadGroup& group = load.groups[worst.group];
    const LoadMember& member = group.members[worst.member];
    Finding finding;
    finding.title = fmt::format("For {} of its {} in I/O {} served at {} of the others' rate",
                                format_seconds(worst.seconds), format_seconds(group.job_io),
                                name_of(group, member), format(share(worst.share)));
    finding.cost = seconds(std::min(worst.lost, scene.io));
    finding.cost_basis = "how much sooner its bytes had been there at the median rate of the others";
    finding.confidence = group.known >= well_known * group.job_io && group.members.size() > 3
                             ? Confidence::high
                             : Confidence::medium;
    finding.evidence = {{"server", member.name, report::rate(member.best_rate / mebibyte),
                         fmt::format("at best; {}, which takes {} so",
                                     format_bytes(static_cast<std::uint64_t>(member.bytes())),
                                     format_seconds(member.at_best))},
                        {"median", "the median of the others", report::rate(worst.usual_rate / mebibyte),
                         fmt::format("of {} at their best", group.members.size() - 1)}};
    if (member.peak > 0)
        finding.evidence.push_back(
            {"peak", "its own highest rate", report::rate(member.peak / mebibyte), "in all of its series"});
    finding.why = "Ranks that wait for this server keep all others waiting.";
    finding.doubt =
        "Other programs that used it alone at that time, or data that comes to it alone in a trickle.";
    finding.advice = {{fmt::format(
        "Tell the centre that {} was slow at that time ({} instead of {}), and keep files off it until "
        "it is well.",
        name_of(group, member), rate_in_words(member.best_rate), rate_in_words(worst.usual_rate))}};
    return finding;
}

}  // namespace fathom
