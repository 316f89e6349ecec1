// A histogram of each, whose median is right to 1.6 %.
#include "analyzer/timing/probe/path_sums.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/methods/quantiles.h"
#include "logformat/duration_bins.h"

namespace fathom {

PathSums::PathSums()
{
    write_.histogram.resize(bins::count);
    read_.histogram.resize(bins::count);
}

void PathSums::Times::add(double seconds)
{
    const auto duration = static_cast<std::uint64_t>(std::llround(seconds * 1e9));
    ++count;
    longest = std::max(longest, duration);
    ++histogram[bins::bin_of(duration).number()];
}

std::string PathSums::Times::words(std::string_view what) const
{
    if (count == 0) return {};
    std::vector<HistogramBin> used;
    for (std::size_t at = 0; at < histogram.size(); ++at)
        if (histogram[at] > 0)
            used.push_back({bins::at_least(at), bins::at_least(at) + bins::width(at), histogram[at]});
    const std::uint64_t median = quantile(used, longest, 500).value_or(0);
    return fmt::format("; {}: median {}, slowest {}", what,
                       report::format_seconds(static_cast<double>(median) / 1e9),
                       report::format_seconds(static_cast<double>(longest) / 1e9));
}

void PathSums::add(const ProbeRow& row)
{
    if (!row.latency)
        ++failed_;
    else
        (row.operation == "write" ? write_ : read_).add(*row.latency);
}

std::string PathSums::words() const
{
    std::string words = report::counted(write_.count, "probe", "probes");
    words += write_.words("write") + read_.words("read");
    if (failed_ > 0) words += fmt::format("; {} failed", report::format_count(failed_));
    if (missed_ > 0)
        words += fmt::format("; {} missed, since the one before was still under way",
                             report::format_count(missed_));
    return words;
}

}  // namespace fathom
