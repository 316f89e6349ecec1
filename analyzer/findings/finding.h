// The rules that look for what made a job slow, a row and a file each, and what they all look at.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

struct Scene;  // a job with the sums that several rules need (scene.h)

struct FindingRule {
    std::string_view id;
    std::string_view looks_for;  // for documentation: what it finds, in a few words
    std::optional<report::Finding> (*look)(const Scene& scene);
};

std::span<const FindingRule> finding_rules();

// What the rules found, the costliest first. Empty for a job that does well.
std::vector<report::Finding> findings_of(const Job& job);

}  // namespace fathom
