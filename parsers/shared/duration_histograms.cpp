// Rows of histograms.
#include "parsers/shared/duration_histograms.h"

namespace fathom {

void DurationHistograms::make_rows(Log& log) const
{
    for (std::size_t place = 0; place < histograms_.size(); ++place)
        for (std::size_t row = 0; row < histograms_[place].size(); ++row) {
            const auto& histogram = histograms_[place][row];
            if (!histogram) continue;
            const HistogramKind kind = kind_of_histogram(row);
            const OperationClass of{place / 2, place % 2, static_cast<std::uint64_t>(kind.kind),
                                    kind.size_class};
            log.rows<OperationTimes>().push_back(
                {of, histogram->operations, histogram->time, histogram->longest});
            for (std::size_t bin = 0; bin < histogram->count.size(); ++bin)
                if (histogram->count[bin] > 0)
                    log.rows<DurationBin>().push_back({of, bins::at_least(bin),
                                                       bins::at_least(bin) + bins::width(bin),
                                                       histogram->count[bin]});
        }
}

}  // namespace fathom
