// One server of several that takes much longer for a byte than the others.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/servers.h"

namespace fathom {
namespace {

using namespace report;

constexpr double times_slower = 3;
// With fewer servers there is no usual rate, with fewer files it may be those.
constexpr std::size_t few_servers = 4, few_files_on_it = 3;

std::string in_words(const ServerRate& rate)
{
    return fmt::format("{} [{} to {}]", format_rate(1e9 / rate.ns_per_byte / mebibyte),
                       format_rate(1e9 / rate.high / mebibyte), format_rate(1e9 / rate.low / mebibyte));
}

// What a file takes by the rates of its servers, in ns.
double time_by_rates(const FileOnServers& file, const std::vector<ServerRate>& rates)
{
    double sum = 0;
    for (const FileOnServers::Part& part : file.parts) sum += part.bytes * rates[part.server].ns_per_byte;
    return sum;
}

// Most jobs need no drawings, and many no rates.
bool may_have_slow_one(ServerStudy& study)
{
    if (study.numbers.size() < few_servers ||
        std::none_of(study.rates.begin(), study.rates.end(),
                     [](const ServerRate& rate) { return rate.files >= few_files_on_it; }))
        return false;
    find_rates(study, Bounds::none);
    const double usual = study.median();
    return usual > 0 && std::any_of(study.rates.begin(), study.rates.end(), [&](const ServerRate& rate) {
               return rate.files >= few_files_on_it && rate.ns_per_byte >= times_slower * usual;
           });
}

}  // namespace

MaybeFinding slow_server(const Scene& scene)
{
    ServerStudy study = servers_of(scene.job, Bounds::no_rates);
    if (!may_have_slow_one(study)) return {};
    find_rates(study, Bounds::by_drawings);
    const double usual = study.median();
    std::size_t slow = 0;
    for (std::size_t at = 0; at < study.rates.size(); ++at)
        if (study.rates[at].low > study.rates[slow].low) slow = at;
    const ServerRate& rate = study.rates[slow];
    if (rate.files < few_files_on_it || rate.low < times_slower * usual) return {};
    LostTime lost(scene.job);
    for (std::size_t at = 0; at < study.parts.size(); ++at)
        for (const FileOnServers::Part& part : study.parts[at].parts) {
            if (part.server != slow) continue;
            const double share = part.bytes * rate.ns_per_byte / time_by_rates(study.parts[at], study.rates);
            lost.add_by_time(study.records[at],
                             std::max(share * study.parts[at].time - part.bytes * usual, 0.0));
        }
    Finding finding;
    finding.title = fmt::format("Server {} takes {:.0f} times as long for a byte as the others",
                                study.numbers[slow], rate.ns_per_byte / usual);
    finding.cost = seconds(scene.cost(lost));
    finding.cost_basis = "what its bytes took beyond what they would have taken at the median server's rate";
    finding.confidence = Confidence::high;
    finding.evidence = {{"server", fmt::format("server {}", study.numbers[slow]), text(in_words(rate)),
                         fmt::format("{} of {} files", format_bytes(static_cast<std::uint64_t>(rate.bytes)),
                                     format_count(rate.files))},
                        {"median", "the median", report::rate(1e9 / usual / mebibyte),
                         fmt::format("of {} servers", study.numbers.size())}};
    finding.why = "Ranks that wait for this server keep all others waiting.";
    finding.doubt = "Files on this server that were used in another way than those on the others.";
    finding.advice = {
        {fmt::format("Tell the centre that server (OST) {} was slow at that time, and ask for a pool of "
                     "servers without it.",
                     study.numbers[slow])}};
    return finding;
}

}  // namespace fathom
