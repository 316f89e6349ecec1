#include "analyzer/findings/overfetched.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/dataset_words.h"

namespace fathom {

using namespace report;

Overfetched overfetched_in(const Scene& scene, const TimesFetched& times_of)
{
    Overfetched all{.lost = LostTime(scene.job), .most = {}};
    for (const DatasetUse& one : scene.datasets.datasets()) {
        const double before = all.lost.total();
        double times = 0;
        for (const DatasetRecord* const record : one.records) {
            const double of = times_of(one, *record);
            if (of == 0) continue;
            all.lost.add(owner_of(*record), static_cast<double>(record->read_time) * (1 - 1 / of));
            times = std::max(times, of);
        }
        all.most.add(one, all.lost.total() - before);
        if (all.most.use == &one) all.times = times;
    }
    return all;
}

Found finding_on(const Scene& scene, const Overfetched& all, Entry fetched, std::span<const Remedy> remedies)
{
    const DatasetUse& one = *all.most.use;
    Finding finding;
    finding.cost = seconds(scene.cost_in_libraries(all.lost));
    finding.cost_basis = "the share of the time in these reads by what was not asked for";
    finding.confidence = Confidence::medium;
    finding.evidence = {{"asked", "asked for", bytes(one.sums.bytes_read),
                         fmt::format("by {}", counted(one.sums.reads, "read", "reads"))},
                        std::move(fetched)};
    if (one.sums.read_shape.lead > 0)
        finding.evidence.push_back(
            {"shape", "most reads are of", text(words_of(one.sums.read_shape.shape)), ""});
    finding.advice = advice_in(program_of(scene.job, all.lost, one.container), remedies);
    Found found(std::move(finding), all.lost);
    found.dataset = &one;
    return found;
}

}  // namespace fathom
