// Sums by path. What is rare goes now and then, since each of very many processes may have paths of its own.
#include "analyzer/record/merge_failed_paths.h"

#include <algorithm>
#include <vector>

#include "logformat/failed_paths.h"

namespace fathom {

void FailedPathMerger::take(Log& other)
{
    constexpr std::size_t most_sums = 4096, left = 2048;
    for (const FailedPath& row : other.rows<FailedPath>()) {
        const auto known = sums_.find(row.path);
        Sum& sum = known != sums_.end() ? known->second : sums_[std::string(row.path)];
        merge(sum.row, row);
        if (row.certain() < sum.certain_of_cause) continue;
        sum.certain_of_cause = row.certain();
        sum.row.cause = row.cause;
    }
    other.rows<FailedPath>().clear();
    if (sums_.size() > most_sums) leave_rare(left);
}

void FailedPathMerger::leave_rare(std::size_t most)
{
    if (sums_.size() <= most) return;
    std::vector<std::uint64_t> calls;
    for (const auto& [path, sum] : sums_) calls.push_back(sum.row.certain());
    const auto last = calls.begin() + static_cast<std::ptrdiff_t>(most - 1);
    std::nth_element(calls.begin(), last, calls.end(), std::greater<>());
    const std::uint64_t least = *last;
    auto equal = static_cast<std::size_t>(
        std::count_if(calls.begin(), calls.end(), [&](std::uint64_t n) { return n > least; }));
    std::erase_if(sums_, [&](const auto& one) {
        const std::uint64_t certain = one.second.row.certain();
        return certain < least || (certain == least && ++equal > most);
    });
}

void FailedPathMerger::settle(Log& log)
{
    leave_rare(most_failed_paths);
    auto& rows = log.rows<FailedPath>();
    for (const auto& [path, sum] : sums_) {
        rows.push_back(sum.row);
        rows.back().path = log.keep(path);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FailedPath& a, const FailedPath& b) { return a.certain() > b.certain(); });
}

}  // namespace fathom
