#include "analyzer/jobs/store/lease.h"

#include <algorithm>
#include <cstdlib>

namespace fathom::jobs {

// Logs of some tools do not begin where others do: at MPI_Init.
bool were_together(Number start, Number end, Number other_start, Number other_end, Number slack)
{
    const Number both = std::min(end, other_end) - std::max(start, other_start) + slack;
    const Number shorter = std::min(end - start, other_end - other_start);
    return both > 0 && both >= shorter / 2;
}

Number slack_between(Number start, Number end, Number other_start, Number other_end)
{
    constexpr Number second = 1'000'000'000, next_to_nothing = 1'000'000;
    const auto whole = [](Number from, Number to) { return from % second == 0 && to % second == 0; };
    return whole(start, end) || whole(other_start, other_end) ? second_of_slack : next_to_nothing;
}

Number distance(Number start, Number end, Number other_start, Number other_end)
{
    return std::abs(start - other_start) / 2 + std::abs(end - other_end) / 2;
}

// A project that rules have made of the account stays.
void lend(const Lease& lease, Job& job)
{
    job.allocation = lease.id;
    job.cluster = lease.cluster;
    if (!lease.account.empty() && job.account != lease.account) job.account = job.project = lease.account;
    if (job.user.empty()) job.user = lease.user;
    job.cores = lease.cores;
}

}  // namespace fathom::jobs
