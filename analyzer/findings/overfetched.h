// Datasets of which HDF5 fetched far more than was asked for: what unfit_chunks and unfit_layout have in
// common.
#pragma once

#include <functional>
#include <span>

#include "analyzer/findings/dataset_records.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"

namespace fathom {

struct Overfetched {
    LostTime lost;  // the share of the time in reads by what was not asked for
    MostLost<DatasetUse> most;
    double times = 0;  // as much, of that
};

// `times_of`: how many bytes a record's reads took for each that was asked for; 0: it does not count.
using TimesFetched = std::function<double(const DatasetUse&, const DatasetRecord&)>;
Overfetched overfetched_in(const Scene& scene, const TimesFetched& times_of);

// A finding on these that lacks its title, why and doubt; `fetched`: what of it stands behind what was asked
// for.
Found finding_on(const Scene& scene, const Overfetched& all, report::Entry fetched,
                 std::span<const Remedy> remedies);

}  // namespace fathom
