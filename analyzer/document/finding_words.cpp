// Labels of the parts of a finding.
#include "analyzer/document/finding_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "analyzer/document/units.h"

namespace fathom::report {

std::string heading_of(const Finding& finding, std::size_t number)
{
    return fmt::format("{}. {}", number, finding.title);
}

std::string cost_words(const Finding& finding)
{
    if (!finding.cost.known()) return "cost not known";
    const std::string share = finding.share.known() ? format(finding.share) + " of the run" : "";
    if (!finding.cost_least) return "about " + format(finding.cost) + (share.empty() ? "" : " or " + share);
    const bool from_nothing = *finding.cost_least < std::get<double>(finding.cost.value) / 20;
    return (from_nothing ? "up to " : format_seconds(*finding.cost_least) + " to ") + format(finding.cost) +
           (share.empty()  ? ""
            : from_nothing ? " or " + share
                           : ", at most " + share);
}

std::string_view confidence_of(const Finding& finding)
{
    const auto at = static_cast<std::size_t>(finding.confidence);
    return confidence_names[std::min(at, std::size(confidence_names) - 1)];
}

std::vector<Labelled> explanations_of(const Finding& finding)
{
    std::vector<Labelled> parts = {{"How the cost was estimated", finding.cost_basis},
                                   {"Why it is slow", finding.why},
                                   {"What would make this wrong", finding.doubt}};
    std::erase_if(parts, [](const Labelled& part) { return part.words.empty(); });
    return parts;
}

}  // namespace fathom::report
