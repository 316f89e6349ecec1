// Finds the hidden Markov model that makes measured values likeliest, from the values alone.
//
// Source: METHODS section 7; Wan et al. (2017), sections III.B.1 and IV.B. Steps that each make a model
// better end at one that small changes do not make better; which one, the start decides. So several starts
// are tried: the rules are ours.
#pragma once

#include <cstddef>
#include <optional>

#include "analyzer/methods/fit_hidden_markov.h"

namespace fathom {

// The states ascend by mu. Starts, a few steps each: from the cuts of start_labels.h; from equal parts of the
// values; and from one state, of which one at a time is cut in two, the one whose parts make the values
// likeliest. The likeliest goes on. Nothing where there are fewer different values than states, or no time
// passes between any two.
std::optional<Fit> fit_hidden_markov(const Observations& seen, std::size_t states,
                                     const FitChoice& choice = {});

}  // namespace fathom
