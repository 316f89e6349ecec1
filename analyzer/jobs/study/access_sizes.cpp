// Twenty sums a group: they come from the database in one answer.
#include "analyzer/jobs/study/access_sizes.h"

#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/units.h"

namespace fathom::jobs {

std::string access_size_name(std::size_t at)
{
    using report::format_bytes;
    const auto& bounds = SizeHistogram::upper_bounds;
    if (at == 0) return "up to " + format_bytes(bounds[0]);
    if (at == bounds.size()) return "over " + format_bytes(bounds.back());
    return fmt::format("{} to {}", format_bytes(bounds[at - 1]), format_bytes(bounds[at]));
}

std::string access_size_bound(std::size_t at)
{
    const auto& bounds = SizeHistogram::upper_bounds;
    return at == bounds.size() ? "more" : "to " + report::format_bytes(bounds[at]);
}

void AccessSizes::add(const AccessSizes& other)
{
    for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
        reads[at] += other.reads[at];
        writes[at] += other.writes[at];
    }
}

std::uint64_t sum_of_sizes(const std::array<std::uint64_t, SizeHistogram::classes>& sizes)
{
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

std::map<std::string, AccessSizes> access_sizes_of(Site& site, const std::string& condition)
{
    std::string sums, types = "t";
    for (const std::string_view direction : {"reads", "writes"})
        for (const std::string_view name : SizeHistogram::names) {
            sums += fmt::format(", {}", sum_of(fmt::format("job_layers.{}{}", direction, name)));
            types += 'n';
        }
    std::map<std::string, AccessSizes> sizes;
    site.each(types,
              fmt::format("select {0}{1} from job_layers join @jobs on jobs.id = job_layers.job where "
                          "job_layers.layer in ('posix', 'stdio') and {2} group by {0}",
                          site.column(), sums, condition),
              [&](const AskedRow& row) {
                  AccessSizes& one = sizes[row.text(0)];
                  for (std::size_t at = 0; at < SizeHistogram::classes; ++at) {
                      one.reads[at] = row.count(1 + at);
                      one.writes[at] = row.count(1 + SizeHistogram::classes + at);
                  }
              });
    return sizes;
}

}  // namespace fathom::jobs
