// Sums over the layers that the program itself called.
#include "analyzer/findings/rank_work.h"

#include <algorithm>
#include <unordered_set>

namespace fathom {

namespace {

// ns. Collective calls of MPI-IO, opens and views among them, hold a rank until the others have come: what it
// did itself is beneath.
double time_at_work(const Member& member)
{
    TimeSplit above, beneath;
    above.add(member.in(Layer::mpiio, Scope::direct));
    for (const Layer layer : {Layer::posix, Layer::stdio})
        beneath.add(member.in(layer, Scope::beneath_mpiio));
    const std::uint64_t all = member.time().total();
    return static_cast<double>(beneath.total() > 0 ? all - above.total() + beneath.total() : all);
}

}  // namespace

bool are_tasks(const Job& job)
{
    std::unordered_set<std::int64_t> tasks;
    for (const Member& member : job.ranks) {
        const Process& process = member.process;
        if (process.task < 0 || process.tasks != job.ranks.size() ||
            process.program != job.ranks[0].process.program)
            return false;
        tasks.insert(process.task);
    }
    return tasks.size() == job.ranks.size() && tasks.size() > 1;
}

std::vector<RankWork> movers_of(const Job& job)
{
    std::vector<RankWork> all;
    if (!job.mpi && !are_tasks(job)) return all;
    double most = 0;
    for (std::size_t at = 0; at < job.ranks.size(); ++at) {
        const Member& member = job.ranks[at];
        RankWork work{.rank = at, .time = time_at_work(member)};
        for (const Direction direction : directions)
            work.bytes += static_cast<double>(member.application_bytes(direction));
        for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) {
            const Totals& totals = member.in(layer, Scope::direct);
            work.calls += static_cast<double>(totals.opens + totals.reads + totals.writes + totals.syncs);
        }
        for (const Layer layer : {Layer::posix, Layer::stdio}) {
            const Totals& beneath = member.in(layer, Scope::beneath_mpiio);
            work.for_others += static_cast<double>(beneath.bytes_read + beneath.bytes_written);
        }
        most = std::max(most, work.bytes);
        all.push_back(work);
    }
    std::erase_if(all, [most](const RankWork& work) { return work.bytes <= 0 || work.bytes < most / 100; });
    return all;
}

double median_of(const std::vector<RankWork>& work, double RankWork::*number)
{
    std::vector<double> values;
    for (const RankWork& one : work) values.push_back(one.*number);
    if (values.empty()) return 0;
    // Of an even number the lower of the two: of two ranks, one is the slow one.
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace fathom
