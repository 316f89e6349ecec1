// Reads modules whose records are a fixed row of counters.
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "parsers/darshan/module_reader.h"
#include "parsers/darshan/versions.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {
namespace {

// Whether a record has all of these counters one behind the other, as those of the newest versions do.
bool is_in_a_row(const std::vector<WordPlan::From>& counters)
{
    for (std::size_t at = 0; at < counters.size(); ++at)
        if (!counters[at].there || counters[at].word != counters[0].word + at) return false;
    return !counters.empty();
}

}  // namespace

Problem read_counters(ModuleReader& module, const std::function<bool(const CounterRecord&)>& visit)
{
    const Counters* const counters = counters_of(module.region().module);
    const auto plan = plan_of(module.region().module, module.region().version);
    if (counters == nullptr || !plan) return module.version_problem();
    std::vector<std::int64_t> numbers(plan->numbers.size());
    std::vector<double> times(plan->times.size());
    const bool in_a_row = is_in_a_row(plan->numbers) && is_in_a_row(plan->times) && !module.swapped();
    while (const std::byte* const bytes = module.take(plan->words * 8)) {
        const auto word = [&](std::size_t at) { return module.number<std::int64_t>(bytes + at * 8); };
        if (plan->drop_if_positive && word(*plan->drop_if_positive) > 0) {
            module.count_record();
            continue;
        }
        CounterRecord record;
        record.id = static_cast<std::uint64_t>(word(0));
        record.rank = word(1);
        if (plan->has_container) record.container = static_cast<std::uint64_t>(word(2));
        if (in_a_row) {
            std::memcpy(numbers.data(), bytes + plan->numbers.front().word * 8, numbers.size() * 8);
            std::memcpy(times.data(), bytes + plan->times.front().word * 8, times.size() * 8);
        }
        for (std::size_t at = 0; !in_a_row && at < numbers.size(); ++at) {
            const auto& from = plan->numbers[at];
            numbers[at] = from.there ? word(from.word) : from.otherwise;
        }
        for (std::size_t at = 0; !in_a_row && at < times.size(); ++at) {
            const auto& from = plan->times[at];
            times[at] = from.there ? module.number<double>(bytes + from.word * 8)
                                   : static_cast<double>(from.otherwise);
        }
        if (plan->add_to_opens) {
            const auto opens = static_cast<std::size_t>(
                std::find(counters->numbers.begin(), counters->numbers.end(), "OPENS") -
                counters->numbers.begin());
            numbers[opens] = static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers[opens]) +
                                                       static_cast<std::uint64_t>(word(*plan->add_to_opens)));
        }
        record.numbers = numbers;
        record.times = times;
        module.count_record();
        if (!visit(record)) return {};
    }
    return module.problem();
}

}  // namespace fathom::darshan
