// A table of assumptions, and means of what was measured.
#include "analyzer/timing/measure/estimate.h"

#include <algorithm>

namespace fathom::measure {
namespace {

constexpr double micro = 1e-6, mega = 1e6;
// What goes on around each run: threads, positions, checks, rows of results.
constexpr double around_run = 0.005;
constexpr double fill_rate = 200 * mega, read_rate = 500 * mega;

// By state and operation.
constexpr Pace paces[3][2] = {
    {{0.3 * micro, 10'000 * mega}, {0.2 * micro, 1e15}},
    {{1 * micro, 5'000 * mega}, {2 * micro, 2'000 * mega}},
    {{200 * micro, read_rate}, {300 * micro, fill_rate}},
};

// What cached writes leave in the page cache is written to the device after each run.
double seconds_to_settle(const Configuration& one, std::uint64_t operations)
{
    if (one.state != State::cached || one.operation != Operation::write) return 0;
    const std::uint64_t pieces = one.file == Layout::off0 ? 1 : operations;
    return static_cast<double>(pieces * one.size) / fill_rate;
}

}  // namespace

Pace assumed_pace(State state, Operation operation)
{
    return paces[static_cast<std::size_t>(state)][static_cast<std::size_t>(operation)];
}

Expectation expected(const Configuration& one, const Limits& limits)
{
    const Pace pace = assumed_pace(one.state, one.operation);
    const double each = pace.seconds + static_cast<double>(one.size) / pace.bytes_per_second;
    std::uint64_t operations = planned_operations(one, limits);
    if (limits.seconds > 0) {
        const auto in_time = static_cast<std::uint64_t>(std::min(limits.seconds / each, 1e15));
        operations = std::min(operations, std::max({in_time, limits.least, std::uint64_t{1}}));
    }
    return {operations,
            around_run + each * static_cast<double>(operations) + seconds_to_settle(one, operations)};
}

double seconds_to_fill(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / fill_rate;
}

double seconds_to_read(std::uint64_t bytes)
{
    return static_cast<double>(bytes) / read_rate;
}

Outlook::Key Outlook::key_of(const Configuration& one)
{
    return {one.state, one.operation, one.size, one.threads};
}

Outlook::Outlook(std::span<const Configuration> all, const Limits& limits)
{
    for (const Configuration& one : all) {
        Kind& kind = kinds_[key_of(one)];
        ++kind.left;
        kind.expected = expected(one, limits).seconds;
    }
}

void Outlook::done(const Configuration& one, double seconds)
{
    Kind& kind = kinds_[key_of(one)];
    kind.left -= kind.left > 0 ? 1 : 0;
    ++kind.done;
    kind.taken += seconds;
}

double Outlook::seconds_left() const
{
    double left = 0;
    for (const auto& [key, kind] : kinds_)
        left += static_cast<double>(kind.left) *
                (kind.done > 0 ? kind.taken / static_cast<double>(kind.done) : kind.expected);
    return left;
}

}  // namespace fathom::measure
