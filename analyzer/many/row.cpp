// Takes each number from where the report's sections take it.
#include "analyzer/many/row.h"

#include "analyzer/findings/finding.h"
#include "analyzer/job/figures.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/who.h"
#include "logformat/job_identity.h"

namespace fathom {
namespace {

// Logs of other tools have no path of it: then it is the first word of the command.
std::string program_of(const Job& job)
{
    const Process* const main = main_process_of(job);
    if (main != nullptr && !main->program.empty()) return std::string(main->program);
    return program_name_of(job);
}

void add_owner(const Log& log, JobRow& row)
{
    const auto fact = [&](std::string_view name) { return std::string(log.fact(name).value_or("")); };
    const auto either = [&](std::string_view name, std::string_view number) {
        return log.fact(name) ? fact(name) : fact(number);
    };
    row.user = either(identity::user_name, identity::user);
    row.group = either(identity::group_name, identity::group);
    row.batch_system = fact(identity::batch_system);
    row.job = fact(identity::job_id);
    row.job_step = fact(identity::job_step);
    row.array_job = fact(identity::array_job);
    row.array_index = fact(identity::array_index);
    row.job_name = fact(identity::job_name);
    row.account = fact(identity::account);
    row.queue = fact(identity::queue);
    row.job_nodes = fact(identity::job_nodes);
}

std::optional<double> if_known(bool known, double value)
{
    return known ? std::optional(value) : std::nullopt;
}

void add_findings(std::span<const report::Finding> found, JobRow& row)
{
    row.findings = found.size();
    if (found.empty()) return;
    row.finding = found.front().id;
    row.finding_title = found.front().title;
    row.finding_cost = std::get<double>(found.front().cost.value);
}

}  // namespace

JobRow row_of(const Job& job, const std::string& path)
{
    return row_of(job, path, findings_of(job));
}

JobRow row_of(const Job& job, const std::string& path, std::span<const report::Finding> found)
{
    JobRow row;
    row.log = path;
    add_owner(job.log, row);
    row.program = program_of(job);
    row.nodes = job.nodes();
    row.processes = processes_of(job);
    row.ranks_missing = missing_ranks_of(job).missing;
    row.start = job.start;
    if (job.start > 0) row.run_time = static_cast<double>(job.run_time()) / 1e9;
    row.bytes_read = job.application_bytes(Direction::read);
    row.bytes_written = job.application_bytes(Direction::write);
    const JobRates rates = rates_of(job);
    row.bytes = rates.job.bytes;
    row.rate = if_known(rates.transfer.has_total, rates.transfer.total);
    row.rate_by_slowest = if_known(rates.job.has_total, rates.job.total);
    row.rate_per_node = if_known(rates.job.defined, rates.job.per_node);
    row.rate_window = if_known(rates.window.has_total, rates.window.total);
    row.reads = modes_at(job, Level::application, Direction::read).mode;
    row.writes = modes_at(job, Level::application, Direction::write).mode;
    const TimeUse use = time_use_of(job);
    if (use.run > 0) row.io_share = use.in_io / use.run;
    add_findings(found, row);
    row.problems = job.log.problems.size();
    if (row.problems > 0) row.problem = job.log.problems.front();
    return row;
}

}  // namespace fathom
