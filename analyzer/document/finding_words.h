// The words around the numbers of a finding, and their order: the same in every renderer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"

namespace fathom::report {

std::string heading_of(const Finding& finding, std::size_t number);  // "1. Small writes"
std::string cost_words(const Finding& finding);                      // "about 12.3 s or 20 % of the run"
double cost_of(const Finding& finding);                              // s; 0 where it is not known
double expected_cost_of(const Finding& finding);                     // the same; of a range its middle
std::string cost_in_seconds(const Finding& finding);                 // "about 12.3 s", "up to 9 s"
std::string_view confidence_of(const Finding& finding);              // "high"
std::string first_sentence(std::string_view text);                   // with its full stop
std::string as_sentence(std::string_view title);                     // "Small writes."

inline constexpr std::string_view confidence_label = "Confidence";
inline constexpr std::string_view advice_label = "What to do";

struct Labelled {
    std::string_view label, words;
};

// What follows the evidence and comes before the advice; parts without words are left out. Refers to the
// finding.
std::vector<Labelled> explanations_of(const Finding& finding);

}  // namespace fathom::report
