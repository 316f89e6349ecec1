// Lines the ranks' accounts of a call up, by one clock.
#include "analyzer/job/collective_parts.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/job/node_clocks.h"

namespace fathom {
namespace {

// When it was, by the clock of the first node.
struct Account {
    std::int64_t process = 0, before = 0, start = 0, end = 0;
    std::uint64_t file = 0, call = 0, ranks = 0, direction = 0, beneath = 0;

    auto which() const { return std::tie(file, ranks, call, direction); }
};

std::vector<Account> accounts_of(const Job& job)
{
    const std::map<std::string_view, std::int64_t> leads = clock_leads_of(job);
    std::unordered_map<std::int64_t, std::int64_t> lead_of;
    for (const Member& rank : job.ranks)
        if (const auto found = leads.find(rank.process.host); found != leads.end())
            lead_of.emplace(rank.process.process, found->second);
    std::vector<Account> accounts;
    for (const CollectiveCall& row : job.log.rows<CollectiveCall>()) {
        const auto lead = lead_of.find(row.process);
        if (lead == lead_of.end() || row.end < row.start || row.start < row.before) continue;
        const auto common = [&](std::uint64_t instant) {
            return instant == 0 ? 0 : static_cast<std::int64_t>(instant) - lead->second;
        };
        accounts.push_back({row.process, common(row.before), common(row.start), common(row.end), row.file,
                            row.call, row.ranks, row.direction, row.beneath});
    }
    std::sort(accounts.begin(), accounts.end(), [](const Account& a, const Account& b) {
        return std::tuple(a.which(), a.process) < std::tuple(b.which(), b.process);
    });
    return accounts;
}

// Each rank once, and all of them.
bool is_whole(std::span<const Account> call)
{
    return call.size() == call.front().ranks && call.size() > 1 &&
           std::adjacent_find(call.begin(), call.end(), [](const Account& a, const Account& b) {
               return a.process == b.process;
           }) == call.end();
}

void add(std::span<const Account> call, CollectiveParts& to)
{
    const Account& last = *std::max_element(
        call.begin(), call.end(), [](const Account& a, const Account& b) { return a.start < b.start; });
    double inside = 0, waiting = 0;
    std::uint64_t longest_beneath = 0;
    for (const Account& one : call) {
        inside += static_cast<double>(one.end - one.start);
        // While the last rank is in its own call before this one, they wait for what goes on there.
        const std::int64_t from = std::max(one.start, last.before), until = std::min(last.start, one.end);
        waiting += static_cast<double>(std::max<std::int64_t>(until - from, 0));
        longest_beneath = std::max(longest_beneath, one.beneath);
    }
    const auto ranks = static_cast<double>(call.size());
    ++to.calls;
    to.mean += inside / ranks;
    to.waiting += waiting / ranks;
    to.file_system += static_cast<double>(longest_beneath);
}

}  // namespace

std::map<std::pair<std::uint64_t, Direction>, CollectiveParts> collective_parts_of(const Job& job)
{
    std::map<std::pair<std::uint64_t, Direction>, CollectiveParts> parts;
    const std::vector<Account> accounts = accounts_of(job);
    for (auto from = accounts.begin(); from != accounts.end();) {
        const auto to = std::find_if(from, accounts.end(),
                                     [&](const Account& one) { return one.which() != from->which(); });
        const std::span<const Account> call(from, to);
        if (is_whole(call))
            add(call, parts[{from->file, from->direction == 0 ? Direction::read : Direction::write}]);
        from = to;
    }
    return parts;
}

}  // namespace fathom
