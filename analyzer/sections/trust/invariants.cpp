// Whether the log holds together, and what is missing from it.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/sections/sections.h"
#include "analyzer/sections/trust/invariant_checks.h"
#include "analyzer/sections/trust/missing.h"

namespace fathom {
namespace {

using namespace report;

struct Broken {
    const InvariantCheck* check;
    Outcome outcome;
};

struct Checked {
    std::size_t rules = 0;
    std::uint64_t times = 0;
    std::vector<Broken> broken;
};

Checked check_all(const Job& job)
{
    Checked all;
    for (const auto checks : {record_checks(), total_checks(), timing_checks()})
        for (const InvariantCheck& check : checks) {
            Outcome outcome = check.check(job);
            if (outcome.checked == 0) continue;  // the log has nothing of that kind
            ++all.rules;
            all.times += outcome.checked;
            if (outcome.failed > 0) all.broken.push_back({&check, std::move(outcome)});
        }
    return all;
}

DataTable table_of(const std::vector<Broken>& broken)
{
    DataTable table{.id = "broken_invariants", .title = "What does not hold"};
    table.columns = {{"rule", "what must hold", Measure::text},
                     {"checked", "checked", Measure::count},
                     {"failed", "failed", Measure::count}};
    for (const Broken& one : broken)
        table.rows.push_back({text(one.check->holds), count(one.outcome.checked), count(one.outcome.failed)});
    return table;
}

}  // namespace

Blocks invariants(const Job& job, const SectionChoice&)
{
    Blocks blocks;
    const Checked all = check_all(job);
    const std::size_t held = all.rules - all.broken.size();
    if (all.rules > 0)
        blocks.push_back(Entries{{{"checked", "rules checked", count(all.rules),
                                   fmt::format("on {} records, processes and rows", format_count(all.times))},
                                  {"held", "held", count(held),
                                   all.broken.empty() ? "all of them: the log agrees with itself" : ""}}});
    if (!all.broken.empty()) {
        blocks.push_back(table_of(all.broken));
        for (const Broken& one : all.broken)
            blocks.push_back(
                Note{Weight::warning, fmt::format("It does not hold that {}: {}. The first: {}.",
                                                  one.check->holds, one.check->means, one.outcome.example)});
    }
    const std::vector<std::string> missing = missing_from(job);
    if (missing.empty())
        blocks.push_back(Paragraph{"Nothing is known to be missing from the log."});
    else
        for (const std::string& sentence : missing) blocks.push_back(Paragraph{sentence});
    return blocks;
}

}  // namespace fathom
