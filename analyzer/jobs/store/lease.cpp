#include "analyzer/jobs/store/lease.h"

#include <algorithm>
#include <cstdlib>

namespace fathom::jobs {
namespace {

constexpr Number second = 1'000'000'000;

}  // namespace

// Logs of some tools have whole seconds, and do not begin where others do: at MPI_Init.
bool were_together(Number start, Number end, Number other_start, Number other_end)
{
    const Number both = std::min(end, other_end) - std::max(start, other_start) + second;
    const Number shorter = std::min(end - start, other_end - other_start);
    return both > 0 && both >= shorter / 2;
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
