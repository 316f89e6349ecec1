// How much of the run was I/O, and the one cause that stands out.
#include "analyzer/book/verdict.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "analyzer/document/finding_words.h"
#include "analyzer/document/units.h"
#include "analyzer/findings/finding.h"
#include "analyzer/job/datasets.h"
#include "analyzer/job/endings.h"
#include "analyzer/job/source.h"
#include "analyzer/job/who.h"
#include "logformat/hdf5_names.h"
#include "logformat/runtimes.h"

namespace fathom {
namespace {

using namespace report;

// Less of the run than this is no reason for it to be slow.
constexpr double hardly_any = 0.02;

// The rank that all others wait for, where it spent far more than the mean; empty where none did.
std::string on_the_slowest(const Job& job, const TimeUse& use)
{
    constexpr double far_more = 1.5;
    const double least =
        use.slowest ? static_cast<double>(use.slowest->least) : static_cast<double>(use.all.largest);
    if (job.ranks.size() < 2 || !job.mpi || least < far_more * use.all.mean) return {};
    const std::string rank = !use.slowest                  ? job.rank_name(use.all.where)
                             : use.slowest->least_rank < 0 ? "the slowest rank"
                                                           : job.process_name(use.slowest->least_rank);
    return fmt::format(" in the mean, and {}{} on {}",
                       use.slowest && !use.slowest->exact() ? "at least " : "", format_seconds(least / 1e9),
                       rank);
}

// Data of the program that is in no file: input, output, pipes.
std::string through_streams(const Job& job)
{
    std::uint64_t bytes = 0;
    for (const Member& member : job.ranks)
        for (const Layer layer : {Layer::posix, Layer::stdio}) {
            const Totals& totals = member.in(layer, Scope::streams);
            bytes += totals.bytes_read + totals.bytes_written;
        }
    return bytes == 0
               ? ""
               : fmt::format("; {} went through standard streams, pipes and devices", format_bytes(bytes));
}

// The share of the process with most of the I/O, where it is far from that of all: a shell waits for what it
// starts.
std::string of_the_busiest(const Job& job, const TimeUse& use)
{
    constexpr double far_more = 1.5, most = 0.5;
    if (use.slowest || static_cast<double>(use.all.largest) < most * use.in_io) return {};
    const Member& busiest = job.ranks[use.all.where];
    const auto run = static_cast<double>(busiest.run_time()),
               share = static_cast<double>(use.all.largest) / run;
    if (!(run > 0) || share < far_more * use.in_io / use.run || share > 1 || busiest.process.program.empty())
        return {};
    return fmt::format("; {} of {}'s time", format_share(share),
                       busiest.process.program.substr(busiest.process.program.rfind('/') + 1));
}

std::string share_of_run(const Job& job, const TimeUse& use)
{
    const auto all = static_cast<double>(std::max<std::size_t>(job.ranks.size(), 1));
    if (!job.mpi && job.ranks.size() > 1)
        return fmt::format("I/O took {} of the {} that {} ran ({}{})", format_seconds(use.in_io / 1e9),
                           format_seconds(use.run / 1e9), counted(processes_of(job), "process", "processes"),
                           format_share(use.in_io / use.run), of_the_busiest(job, use));
    const std::string run = format_seconds(use.run / all / 1e9);
    return fmt::format("I/O took {} of {} ({}){}", format_seconds(use.in_io / all / 1e9),
                       job.ranks.size() > 1 ? fmt::format("the {} that a rank ran", run) : run,
                       format_share(use.in_io / use.run), on_the_slowest(job, use));
}

// `own`: ns of all ranks beside their I/O calls; empty where that is next to nothing.
std::string took_another(const Job& job, const TimeUse& use, std::string_view who, double own)
{
    if (own <= 0 || own < hardly_any * use.run) return {};
    const bool by_rank = job.mpi && job.ranks.size() > 1;
    return fmt::format("; {} took another {}{}", who,
                       format_seconds(own / (by_rank ? static_cast<double>(job.ranks.size()) : 1) / 1e9),
                       by_rank ? " a rank" : "");
}

// What HDF5, PnetCDF and netCDF spent themselves, which is in no I/O call.
std::string in_libraries(const Job& job, const TimeUse& use)
{
    constexpr std::string_view names[] = {"HDF5", "PnetCDF", "netCDF"};
    std::array<double, std::size(names)> of{};  // logs of other tools do not know them
    const auto add = [&](std::uint64_t library, std::uint64_t own) {
        of[std::clamp<std::uint64_t>(library, 1, of.size()) - 1] += static_cast<double>(own);
    };
    DatasetUse dataset;
    for (const DatasetRecord& record : job.log.rows<DatasetRecord>()) {
        dataset.sums = record;
        add(record.library, dataset.own_time());
    }
    DataFileUse file;
    for (const DataFileRecord& record : job.log.rows<DataFileRecord>()) {
        file.sums = record;
        add(record.library, file.own_time());
    }
    const double own = std::accumulate(of.begin(), of.end(), 0.0);
    if (own <= 0 && std::any_of(job.ranks.begin(), job.ranks.end(), [](const Member& member) {
            return member.process.libraries.ends_with(hdf5_inside);
        }))
        return fmt::format(
            "; HDF5's own work is not known, since it is linked statically ({} -shlib links it "
            "dynamically, so that its calls are recorded)",
            job.mpi ? "h5pcc" : "h5cc");
    std::string who;
    for (std::size_t at = 0; at < of.size(); ++at)
        if (of[at] > 0) who += (who.empty() ? "" : " and ") + std::string(names[at]);
    return took_another(job, use, who + (who.find(' ') == std::string::npos ? " itself" : " themselves"),
                        own);
}

// The same of Fortran's statements.
std::string in_statements(const Job& job, const TimeUse& use)
{
    double own = 0;
    for (const Member& member : job.ranks) {
        const TimeSplit calls = member.time();
        own += std::max(
            static_cast<double>(member.process.fortran_time) - static_cast<double>(calls.read + calls.write),
            0.0);
    }
    return took_another(job, use, "Fortran's read and write statements", own);
}

// What a program does in /usr or /proc is not recorded, as the log says.
std::string_view outside_of_the_system(const Job& job)
{
    return job.log.fact("excluded") ? " outside of the system's folders (/usr, /etc and the like)" : "";
}

std::string cause(const Job& job, const TimeUse& use, const std::vector<Finding>& findings)
{
    const Finding& first = findings.front();
    const double in_io = job.mpi && !use.slowest ? static_cast<double>(use.all.largest) : use.in_io;
    double others = 0;  // what they cost overlaps
    for (std::size_t at = 1; at < findings.size(); ++at) others = std::max(others, cost_of(findings[at]));
    const std::string cost =
        cost_in_seconds(first) +
        (in_io > 0 && cost_of(first) > in_io / 1e9 ? ", not all of it in I/O calls" : "");
    const std::string title = as_sentence(first.title);
    if (first.confidence == Confidence::low)
        return fmt::format("A possible cause, {}, with low confidence: {}", cost, title);
    if (findings.size() == 1) return fmt::format("One cause is known, {}: {}", cost, title);
    if (others <= cost_of(first) / 2)
        return fmt::format("Most of what can be saved has one cause, {}: {}", cost, title);
    return fmt::format("The costliest of {} causes, {}: {}", findings.size(), cost, title);
}

// Of programs whose calls nobody saw nothing is known.
std::string not_seen(const Job& job)
{
    for (const Member& member : job.ranks)
        if (member.process.libraries == go_runtime)
            return fmt::format(
                "{} is written in Go, whose programs make system calls of their own: their I/O "
                "is not recorded",
                member.process.program.substr(member.process.program.rfind('/') + 1));
    if (job.log.fact("not_recorded"))
        return "Some programs were not recorded (below): what they did is not known";
    if (has_php(job)) return "What PHP's extensions did is not known (below)";
    return {};
}

}  // namespace

std::string verdict_of(const Job& job, const TimeUse& use, const std::vector<Finding>& findings,
                       const std::string& largest_part)
{
    if (job.ranks.empty()) return "The log has no process: nothing was recorded, or that part is lost.";
    if (!(use.in_io > 0) && job.log.fact("not_decoded")) return "The log has no I/O that is decoded.";
    const std::string unseen = not_seen(job);
    if (!(use.in_io > 0) && !unseen.empty()) return unseen + ".";
    if (!(use.in_io > 0))
        return fmt::format("The program did no I/O on files{}{}.{}", outside_of_the_system(job),
                           through_streams(job), findings.empty() ? "" : " " + cause(job, use, findings));
    if (!(use.run > 0))
        return fmt::format("I/O took {}; how long the run took is not known.",
                           format_seconds(use.in_io / 1e9));
    if (use.impossible)
        return fmt::format("The log has {} in I/O for a run of {}: times in it cannot be right{}.",
                           format_seconds(use.in_io / 1e9), format_seconds(use.run / 1e9),
                           source_of(job.log).own ? "" : ", unless threads did I/O side by side");
    if (use.in_io > use.run)
        return fmt::format("Threads did I/O side by side: {} in all, in a run of {}.{}",
                           format_seconds(use.in_io / 1e9),
                           format_seconds(static_cast<double>(job.run_time()) / 1e9),
                           findings.empty() ? "" : " " + cause(job, use, findings));
    const std::string libraries = in_libraries(job, use) + in_statements(job, use),
                      io = share_of_run(job, use) + libraries;
    const std::string rest = largest_part.empty() ? "" : " " + largest_part;
    if (!findings.empty()) return fmt::format("{}. {}{}", io, cause(job, use, findings), rest);
    if (use.in_io < hardly_any * use.run && libraries.empty() &&
        layer_sums_of(job).posix.async_unseen + job.calls_missed() == 0)
        return unseen.empty() ? fmt::format("{}: these calls are not what made this run slow.", io)
                              : fmt::format("{}. {}.", io, unseen);
    const std::string no_problem = "No known problem cost " +
                                   least_worthy_in_words(static_cast<double>(job.run_time()) / 1e9) +
                                   " or more";
    return fmt::format("{}. {}.{}", io, unseen.empty() ? no_problem : unseen, rest);
}

}  // namespace fathom
