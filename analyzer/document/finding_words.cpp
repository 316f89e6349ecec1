// Labels of the parts of a finding.
#include "analyzer/document/finding_words.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>

#include "analyzer/document/units.h"

namespace fathom::report {

std::string heading_of(const Finding& finding, std::size_t number)
{
    return fmt::format("{}. {}", number, finding.title);
}

namespace {

// Where both ends are nearly the same, there is no range.
bool is_range(const Finding& finding)
{
    constexpr double nearly = 0.95;
    return finding.cost_least && *finding.cost_least < nearly * std::get<double>(finding.cost.value);
}

// Where the lower end says next to nothing, it is left out.
bool from_nothing(const Finding& finding)
{
    return *finding.cost_least < std::get<double>(finding.cost.value) / 20;
}

}  // namespace

double cost_of(const Finding& finding)
{
    const double* const cost = std::get_if<double>(&finding.cost.value);
    return cost == nullptr ? 0 : *cost;
}

double expected_cost_of(const Finding& finding)
{
    const double most = cost_of(finding);
    return (finding.cost_least.value_or(most) + most) / 2;
}

std::string cost_in_seconds(const Finding& finding)
{
    if (!finding.cost.known()) return "cost not known";
    if (!is_range(finding)) return "about " + format(finding.cost);
    return (from_nothing(finding) ? "up to " : format_seconds(*finding.cost_least) + " to ") +
           format(finding.cost);
}

std::string cost_words(const Finding& finding)
{
    const std::string cost = cost_in_seconds(finding);
    if (!finding.cost.known() || !finding.share.known()) return cost;
    return fmt::format("{}{}{} of the run", cost,
                       is_range(finding) && !from_nothing(finding) ? ", at most " : " or ",
                       format(finding.share));
}

std::string first_sentence(std::string_view text)
{
    // A sentence ends before a word that begins with a capital: not behind "e.g." or in "file.h".
    for (std::size_t at = text.find(". "); at != std::string_view::npos; at = text.find(". ", at + 1))
        if (at + 2 < text.size() && std::isupper(static_cast<unsigned char>(text[at + 2])) != 0)
            return std::string(text.substr(0, at + 1));
    return std::string(text);
}

std::string as_sentence(std::string_view title)
{
    return std::string(title) + (title.ends_with('.') ? "" : ".");
}

std::string_view confidence_of(const Finding& finding)
{
    const auto at = static_cast<std::size_t>(finding.confidence);
    return confidence_names[std::min(at, std::size(confidence_names) - 1)];
}

std::vector<Labelled> explanations_of(const Finding& finding)
{
    std::vector<Labelled> parts = {
        {"Cost estimate", finding.cost_basis}, {"Why it is slow", finding.why}, {"Caveats", finding.doubt}};
    std::erase_if(parts, [](const Labelled& part) { return part.words.empty(); });
    return parts;
}

}  // namespace fathom::report
