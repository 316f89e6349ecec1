// The slowest model of a state: a rate that requests reach in any case.
#include "analyzer/timing/models/rates.h"

namespace fathom {
namespace {

constexpr double large_request = 4 << 20;

MeasuredTimes::Lines lines_of(const ModelFile& file, std::string_view state, std::string_view operation)
{
    MeasuredTimes::Lines slowest;
    double longest = 0;
    for (const IoModel& model : file.models) {
        if (model.state != state || model.operation != operation) continue;
        const TwoLines& lines = model.typical.any() ? model.typical : model.limit;
        const auto time = lines.at(large_request);
        if (!time || !(*time > longest) || !lines.large) continue;
        longest = *time;
        const Line large = *lines.large, small = lines.small.value_or(large);
        slowest = {true, {small.intercept, small.slope}, {large.intercept, large.slope}};
    }
    return slowest;
}

}  // namespace

MeasuredRates rates_of(const ModelFile& file, std::string_view name)
{
    MeasuredRates rates{.of = {}, .name = std::string(name), .where = file.made.host};
    if (!file.made.file_system.empty())
        rates.where += (rates.where.empty() ? "" : ", ") + file.made.file_system;
    constexpr std::string_view operations[] = {"read", "write"};
    for (std::size_t at = 0; at < rates.of.size(); ++at)
        rates.of[at] = {lines_of(file, cached_state, operations[at]),
                        lines_of(file, uncached_state, operations[at])};
    return rates;
}

}  // namespace fathom
