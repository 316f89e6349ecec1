// The verdict and the numbers are those of the report.
#include "analyzer/commands/summary.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/book/first_page.h"
#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/job.h"
#include "analyzer/job/missing_ranks.h"

namespace fathom {

namespace {

// "96 MiB written at 300 MiB/s"
std::string moved(const Job& job, const Rate& rate, Direction direction)
{
    return fmt::format("{} {}{}", report::format_bytes(job.application_bytes(direction)),
                       direction == Direction::read ? "read" : "written",
                       rate.has_total ? " at " + report::format_rate(rate.total) : "");
}

std::string early_endings(std::size_t processes)
{
    return processes == 0
               ? ""
               : fmt::format("; {} ended early", report::counted(processes, "process", "processes"));
}

std::string missing_ranks(const MissingRanks& ranks)
{
    return ranks.any() ? fmt::format("; {} recorded", ranks.in_words()) : "";
}

}  // namespace

std::string summary_of(const Log& log, const std::string& path)
{
    const Job job(log);
    const JobRates rates = rates_of(job);
    if (job.ranks.empty()) return fmt::format("log: {}", path);
    return fmt::format("{}\nfathom: {}, {}{}{}\nfathom: log: {}", verdict_on(job),
                       moved(job, rates.direction[1], Direction::write),
                       moved(job, rates.direction[0], Direction::read), missing_ranks(missing_ranks_of(job)),
                       early_endings(early_endings_of(job)), path);
}

std::string still_running(const std::vector<User>& users, const std::string& spool)
{
    constexpr std::size_t most_named = 3;
    std::string names;
    for (std::size_t at = 0; at < std::min(users.size(), most_named); ++at)
        names += (at == 0 ? "" : ", ") + users[at].name();
    if (users.size() > most_named) names += fmt::format(" and {} more", users.size() - most_named);
    return fmt::format(
        "still running: {}; the log has what {} did so far, and for all of it, later: fathom recover {} -o "
        "FILE",
        names, users.size() == 1 ? "it" : "they", spool);
}

}  // namespace fathom
