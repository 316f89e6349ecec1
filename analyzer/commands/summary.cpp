// The numbers of the one line are those of the report.
#include "analyzer/commands/summary.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/job.h"
#include "analyzer/job/missing_ranks.h"

namespace fathom {

namespace {

std::string early_endings(std::size_t processes)
{
    if (processes == 0) return "";
    return processes == 1 ? "1 process ended before its time; "
                          : fmt::format("{} processes ended before their time; ", processes);
}

std::string missing_ranks(const MissingRanks& ranks)
{
    return ranks.any() ? ranks.in_words() + " recorded; " : "";
}

}  // namespace

std::string summary_of(const Log& log, const std::string& path)
{
    const Job job(log);
    std::uint64_t moved[2] = {};
    for (const Member& member : job.ranks)
        for (const Direction direction : directions)
            moved[static_cast<std::size_t>(direction)] += member.application_bytes(direction);
    const Rate rate = rates_of(job).window;
    return fmt::format(
        "{} written, {} read{}; {}{}log: {}", report::format_bytes(moved[1]), report::format_bytes(moved[0]),
        rate.defined ? ", " + report::format_rate(rate.total) + " while I/O was under way" : "",
        missing_ranks(missing_ranks_of(job)), early_endings(early_endings_of(job)), path);
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
