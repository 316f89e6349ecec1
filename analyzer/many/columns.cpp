// The table of columns.
#include "analyzer/many/columns.h"

#include "analyzer/document/units.h"

namespace fathom {
namespace {

using report::Cell;
using report::Measure;

Cell words(const std::string& text, Measure measure = Measure::text)
{
    return text.empty() ? report::unknown(measure) : Cell{measure, text};
}
Cell number(const std::optional<double>& value, Measure measure)
{
    return value ? Cell{measure, *value} : report::unknown(measure);
}
Cell mode(Mode mode)
{
    return report::text(mode_names[static_cast<std::size_t>(mode)]);
}
Cell file_name(const std::string& path)
{
    return words(path.substr(path.find_last_of('/') + 1));
}

// Of a job without a log.
Cell if_recorded(const JobRow& row, const Cell& cell)
{
    return row.recorded ? cell : report::unknown(cell.measure);
}

constexpr std::size_t to_the_minute = 16;  // letters of an instant

Cell if_any(std::uint64_t number)
{
    return number > 0 ? report::count(number) : report::unknown(Measure::count);
}

constexpr JobColumn column_rows[] = {
    {"id", "id", "id", Measure::count, Shown::where_known, [](const JobRow& row) { return if_any(row.id); },
     "number of the job in the job database"},
    {"job", "job", "job", Measure::text, Shown::where_known, [](const JobRow& row) { return words(row.job); },
     "id that the batch system gave the job"},
    {"user", "user", "user", Measure::text, Shown::where_known,
     [](const JobRow& row) { return words(row.user); }, "who ran it, by name or else by number"},
    {"program", "program", "program", Measure::text, Shown::always,
     [](const JobRow& row) { return file_name(row.program); }, "file name of what ran"},
    {"date", "date", "date", Measure::text, Shown::always,
     [](const JobRow& row) {
         return row.start > 0 ? words(report::format_instant(row.start).substr(0, to_the_minute)) : words("");
     },
     "when it began, to the minute, UTC"},
    {"run_time", "run_time_seconds", "run time", Measure::seconds, Shown::always,
     [](const JobRow& row) { return number(row.run_time, Measure::seconds); },
     "from its beginning to its end"},
    {"processes", "processes", "ranks", Measure::count, Shown::always,
     [](const JobRow& row) { return row.id > 0 ? if_any(row.processes) : report::count(row.processes); },
     "MPI ranks; all processes where there are none"},
    {"nodes", "nodes", "nodes", Measure::count, Shown::to_programs,
     [](const JobRow& row) { return if_any(row.nodes); }, "compute nodes"},
    {"io_share", "io_share", "in I/O", Measure::share, Shown::always,
     [](const JobRow& row) { return number(row.io_share, Measure::share); },
     "part of the run time that was spent in I/O, over all processes"},
    {"cost", "cost_seconds", "cost", Measure::seconds, Shown::always,
     [](const JobRow& row) { return number(row.finding_cost, Measure::seconds); },
     "seconds of the run that the worst finding took"},
    {"worst_finding", "worst_finding", "worst finding", Measure::text, Shown::always,
     [](const JobRow& row) { return words(row.finding_title); }, "the costliest of what made the job slow"},
    {"state", "state", "log is", Measure::text, Shown::where_known,
     [](const JobRow& row) { return row.problems > 0 ? report::text("partial") : report::unknown(); },
     "\"partial\" where part of the log is damaged or missing"},
    {"log", "log", "log", Measure::path, Shown::always,
     [](const JobRow& row) { return report::path(row.log); }, "path of the log, as it was named"},
    {"executable", "executable", "executable", Measure::path, Shown::to_programs,
     [](const JobRow& row) { return words(row.program, Measure::path); }, "what ran, with its folder"},
    {"bytes", "bytes", "moved", Measure::bytes, Shown::to_programs,
     [](const JobRow& row) { return if_recorded(row, report::bytes(row.bytes)); },
     "each byte counted once, at the lowest layer: the rates are of these"},
    {"bytes_read", "bytes_read", "read", Measure::bytes, Shown::to_programs,
     [](const JobRow& row) { return if_recorded(row, report::bytes(row.bytes_read)); },
     "bytes read, as the program asked for them"},
    {"bytes_written", "bytes_written", "written", Measure::bytes, Shown::to_programs,
     [](const JobRow& row) { return if_recorded(row, report::bytes(row.bytes_written)); },
     "bytes written, as the program asked for them"},
    {"rate", "rate_mib_per_second", "rate", Measure::rate, Shown::to_programs,
     [](const JobRow& row) { return number(row.rate, Measure::rate); },
     "bytes / time in which any process was inside a read, a write or a sync"},
    {"rate_by_slowest", "rate_by_slowest_mib_per_second", "by slowest", Measure::rate, Shown::to_programs,
     [](const JobRow& row) { return number(row.rate_by_slowest, Measure::rate); },
     "bytes / time in I/O of the slowest process, or the most that can have been"},
    {"rate_per_node", "rate_per_node_mib_per_second", "per node", Measure::rate, Shown::to_programs,
     [](const JobRow& row) { return number(row.rate_per_node, Measure::rate); }, "that rate / compute nodes"},
    {"rate_window", "rate_window_mib_per_second", "during I/O", Measure::rate, Shown::to_programs,
     [](const JobRow& row) { return number(row.rate_window, Measure::rate); },
     "bytes / time in which any process was moving them"},
    {"read_mode", "read_mode", "reads", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return mode(row.reads); }, "how processes shared the files that they read"},
    {"write_mode", "write_mode", "writes", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return mode(row.writes); }, "how processes shared the files that they wrote"},
    {"finding", "finding", "rule", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.finding); }, "rule that found the costliest"},
    {"findings", "findings", "findings", Measure::count, Shown::to_programs,
     [](const JobRow& row) { return if_recorded(row, report::count(row.findings)); },
     "how many things made it slow"},
    {"start", "start_unix_seconds", "start", Measure::instant, Shown::to_programs,
     [](const JobRow& row) {
         return row.start > 0 ? report::instant(row.start) : report::unknown(Measure::instant);
     },
     "when it began"},
    {"group", "group", "group", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.group); }, "group of who ran it"},
    {"batch_system", "batch_system", "batch system", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.batch_system); }, "batch system that the job was of"},
    {"job_step", "job_step", "job step", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.job_step); }, "step of the job"},
    {"array_job", "array_job", "array job", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.array_job); }, "id of the array that the job is one of"},
    {"array_index", "array_index", "array index", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.array_index); }, "which of the array's jobs it is"},
    {"job_name", "job_name", "job name", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.job_name); }, "name that the job was given"},
    {"project", "project", "project", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.project); }, "project, as the job database has it"},
    {"account", "account", "account", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.account); }, "account or project that the job is charged to"},
    {"queue", "queue", "queue", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.queue); }, "queue or partition"},
    {"job_nodes", "job_nodes", "job nodes", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.job_nodes); }, "nodes of the allocation"},
    {"ranks_missing", "ranks_missing", "missing ranks", Measure::count, Shown::to_programs,
     [](const JobRow& row) { return report::count(row.ranks_missing); },
     "ranks, or tasks, that were started and of which the log has nothing"},
    {"problems", "problems", "problems", Measure::count, Shown::to_programs,
     [](const JobRow& row) { return report::count(row.problems); },
     "how many parts of the log are damaged or missing"},
    {"problem", "problem", "problem", Measure::text, Shown::to_programs,
     [](const JobRow& row) { return words(row.problem); }, "the first of these"},
};

}  // namespace

std::span<const JobColumn> job_columns()
{
    return column_rows;
}

}  // namespace fathom
