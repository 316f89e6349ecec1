// Which of several models explains how long an operation took.
//
// Source: Kunkel, "Identifying Relevant Factors in the I/O-Path using Statistical Methods" (2015), section
// 4.2, which names both rules, the second as the one that was used.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace fathom {

// `predicted` has what each model says for the size of the operation, in seconds, nothing where it says
// nothing. The result is the number of a model; of two that are alike, the first. Nothing where no model says
// anything, or `duration`, in seconds, is not a number of 0 or more. Both take time in proportion to the
// models.

// The model whose time is nearest, by how many times as long the one is as the other. A model that says 0 is
// passed over, and a duration of 0 is nearest to the least.
std::optional<std::size_t> nearest_model(std::span<const std::optional<double>> predicted, double duration);

// Of models that say how long an operation takes at most: the one with the least time that is no less than
// the duration. As many as there are models: the operation took longer than any of them says.
std::optional<std::size_t> first_limit(std::span<const std::optional<double>> predicted, double duration);

}  // namespace fathom
