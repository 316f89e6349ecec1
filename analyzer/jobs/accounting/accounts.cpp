#include "analyzer/jobs/accounting/accounts.h"

#include <algorithm>

#include "analyzer/jobs/store/lease.h"

namespace fathom::jobs {
namespace {

constexpr std::size_t lines_at_once = 8192;
constexpr Number one_second = 1'000'000'000, one_minute = 60 * one_second;

bool within(Number instant, Number start, Number end)
{
    return instant >= start - one_second && instant <= end_or_open(end);
}

// Two ends, of which 0 is none yet.
Number later(Number one, Number other)
{
    return one == 0 || other == 0 ? 0 : std::max(one, other);
}

// What the steps alone say of an allocation.
void widen(Listed& allocation, const Listed& step)
{
    const bool first = allocation.job.empty();
    allocation.job = step.job;
    allocation.array_job = step.array_job;
    allocation.array_index = step.array_index;
    allocation.start = first ? step.start : std::min(allocation.start, step.start);
    allocation.end = first ? step.end : later(allocation.end, step.end);
    if (allocation.cluster.empty()) allocation.cluster = step.cluster;
    if (allocation.account.empty()) allocation.account = step.account;
    if (allocation.user.empty()) allocation.user = step.user;
    if (step.nodes && (!allocation.nodes || *allocation.nodes < *step.nodes)) allocation.nodes = step.nodes;
}

}  // namespace

bool is_older(const Listed& listed, const Listed& other)
{
    return listed.end == 0 && other.end != 0;
}

// A start does not change once a job has one, so that one with another start is another allocation, unless
// the start was only known from steps. Two that have ended were not both under way. Of one that had not ended
// when it was listed, all that is known is its start.
bool is_same_allocation(Number start, Number end, Number other_start, Number other_end)
{
    const Number apart = std::max(start, other_start) - std::min(start, other_start);
    if (apart <= one_second) return true;
    if (end == 0 && other_end == 0) return apart <= one_minute;
    if (end == 0) return within(start, other_start, other_end);
    if (other_end == 0) return within(other_start, start, end);
    const Number both = std::min(end, other_end) - std::max(start, other_start);
    return both > 0 && both >= std::min(end - start, other_end - other_start) / 2;
}

// sacct lists a job, then its steps; a dictionary has them in any order. Where a job was started again, both
// have the same number.
Account& Accounts::account_of(const Listed& listed)
{
    std::vector<std::size_t>& same_number = by_job_[listed.cluster + "/" + listed.job];
    for (auto at = same_number.rbegin(); at != same_number.rend(); ++at) {
        Account& account = accounts_[*at];
        const Listed& other = account.allocation;
        if (listed.is_step() ? !account.listed || within(listed.start, other.start, other.end)
                             : is_same_allocation(listed.start, listed.end, other.start, other.end))
            return account;
    }
    if (listed.is_step() && !same_number.empty()) return accounts_[same_number.back()];
    same_number.push_back(accounts_.size());
    return accounts_.emplace_back();
}

void Accounts::take(Listed&& listed)
{
    if (lines_ >= lines_at_once && listed.job != last_job_) write();
    ++lines_;
    last_job_ = listed.job;
    Account& account = account_of(listed);
    if (listed.is_step()) {
        if (!account.listed) widen(account.allocation, listed);
        if (listed.is_program()) account.steps.push_back(std::move(listed));
    } else if (!account.listed || !is_older(listed, account.allocation)) {
        account.allocation = std::move(listed);
        account.listed = true;
    }
}

void Accounts::write()
{
    if (accounts_.empty()) return;
    WriteTransaction transaction(database_);
    store_accounts(database_, accounts_, count_);
    transaction.commit();
    accounts_.clear();
    by_job_.clear();
    lines_ = 0;
}

}  // namespace fathom::jobs
