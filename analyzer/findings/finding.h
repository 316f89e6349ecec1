// The rules that look for what made a job slow, a row and a file each, and what they all look at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/job/job.h"

namespace fathom {

// What costs less than this part of the run, or less than so many seconds, is not worth anybody's time.
inline constexpr double worthy_share = 0.04, worthy_seconds = 0.05;
// s, of a run of so many seconds: of short ones it is more, as nobody feels a twentieth of a second.
double least_worthy(double run);
// The same in words: "4 % of the run" or "120 ms".
std::string least_worthy_in_words(double run);

struct Found;  // a finding of one rule (rules.h)
struct Scene;  // a job with the sums that several rules need (scene.h)

// What a rule cannot do without, where logs of other tools may lack it.
struct RuleNeeds {
    std::string_view without;               // in words: what is not looked for
    bool (*has)(const Job& job) = nullptr;  // none: every log has it
};

struct FindingRule {
    std::string_view id;
    std::string_view looks_for;  // for documentation: what it finds, in a few words
    std::optional<Found> (*look)(const Scene& scene);
    // Its cost is the time of writes, beyond what it should have been: less sure where syncs are among them.
    bool rests_on_writes = false;
    // Its cost is a part of the slowest rank's time. Rules that reckon by single ranks have no use for that.
    bool rests_on_slowest = true;
    RuleNeeds needs{};
};

std::span<const FindingRule> finding_rules();

// What the rules found, the costliest first, of ranges by their middle. Empty for a job that does well.
std::vector<report::Finding> findings_of(const Job& job);
std::vector<report::Finding> findings_of(const Scene& scene);
// The costliest of what is not worth anybody's time; nothing where no rule finds any cost.
std::optional<report::Finding> costliest_below(const Scene& scene);

}  // namespace fathom
