// Bins come for many jobs at once, and each is added up as it comes.
#include "analyzer/serve/load.h"

#include <algorithm>
#include <map>

#include "analyzer/jobs/entry/bins.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"

namespace fathom::serve {
namespace {

using jobs::Value;
using jobs::ValueType;

std::size_t count_between(jobs::Database& database, Number start, Number end)
{
    Number count = 0;
    jobs::fetch(
        database.one("select count(*) from (select 1 from jobs where start_ns >= ? and start_ns <= ? "
                     "limit ?) as first_ones",
                     std::vector<Value>{start, end, static_cast<Number>(most_jobs + 1)}, ValueType::integer),
        count);
    return static_cast<std::size_t>(count);
}

void add_bin(const jobs::Bin& bin, Number length, const Load& load, JobLoad& job)
{
    // Since the start, in whole ns: as a double, UNIX time is by 256 of them wrong.
    const std::uint64_t whole = static_cast<std::uint64_t>(length),
                        since = bin.number * whole - static_cast<std::uint64_t>(load.start);
    const double from = static_cast<double>(static_cast<Number>(since)) / 1e9,
                 to = static_cast<double>(static_cast<Number>(since + whole)) / 1e9,
                 all = static_cast<double>(load.end - load.start) / 1e9;
    if (to <= 0 || from >= all) return;
    job.most_processes =
        std::max(job.most_processes, static_cast<double>(std::max(bin.readers, bin.writers)));
    const auto first = static_cast<std::size_t>(std::max(from, 0.0) / load.slice);
    for (std::size_t at = first; at < job.read.size(); ++at) {
        const double begin = static_cast<double>(at) * load.slice;
        const double both = std::min(to, std::min(begin + load.slice, all)) - std::max(from, begin);
        if (both <= 0) break;
        const double part = both / (to - from) * job.share;
        job.read[at] += static_cast<double>(bin.bytes_read) * part;
        job.written[at] += static_cast<double>(bin.bytes_written) * part;
    }
}

}  // namespace

Load load_of(jobs::Database& database, const FileSystem& place, Number start, Number end, std::size_t slices)
{
    if (const std::size_t jobs = count_between(database, start, end); jobs > most_jobs) throw TooMany{jobs};
    Load load{start, end, static_cast<double>(end - start) / 1e9 / static_cast<double>(slices), {}, {},
              {},    0};
    load.read.resize(slices);
    load.written.resize(slices);
    std::vector<neighbours::RunningJob> running = neighbours::jobs_between(database, start, end, 0);
    if (running.size() > most_jobs) throw TooMany{running.size()};
    std::map<Number, JobLoad> there;
    jobs::Values keys;
    for (neighbours::RunningJob& job : running)
        for (const neighbours::Place& one : job.places) {
            if (one.mount != place.mount || one.type != place.type || one.source != place.source) continue;
            const Number id = job.id;
            JobLoad& added = there[id];
            added.share = one.share;
            added.read.resize(slices);
            added.written.resize(slices);
            added.job = std::move(job);
            keys.emplace_back(id);
            break;
        }
    load.without_bins = there.size();
    neighbours::each_packed_bins(database, keys,
                                 [&](Number id, jobs::Known length, const std::string& packed) {
                                     if (length.value_or(0) <= 0 || packed.empty()) return;
                                     std::vector<jobs::Bin> bins;
                                     try {
                                         bins = jobs::unpack(packed);
                                     } catch (const std::runtime_error&) {  // damaged ones tell nothing
                                         return;
                                     }
                                     --load.without_bins;
                                     for (const jobs::Bin& bin : bins)
                                         add_bin(bin, *length, load, there.at(id));
                                 });
    for (auto& [id, job] : there) {
        for (std::size_t at = 0; at < slices; ++at) {
            job.bytes_read += job.read[at];
            job.bytes_written += job.written[at];
            load.read[at] += job.read[at];
            load.written[at] += job.written[at];
        }
        if (job.bytes() >= 1) load.jobs.push_back(std::move(job));
    }
    std::ranges::sort(load.jobs, [](const JobLoad& a, const JobLoad& b) {
        return std::pair(-a.bytes(), a.job.id) < std::pair(-b.bytes(), b.job.id);
    });
    return load;
}

}  // namespace fathom::serve
