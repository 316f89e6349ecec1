// The table of aspects; each takes its text from the rows of a job.
#include "analyzer/history/circumstances.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "analyzer/document/units.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "logformat/log/words.h"

namespace fathom::history {
namespace {

struct JobRows {
    jobs::Job job;
    std::string program_path, command;
    jobs::Environment environment;
    std::map<std::string, Number> bytes_on;  // by type of file system
};

std::string count_words(const Known& number)
{
    return number && *number >= 0 ? report::format_count(static_cast<std::uint64_t>(*number)) : "";
}

std::string interfaces_of(const jobs::Job& job)
{
    std::string all;
    if (job.posix != 0) add_to_list(all, "POSIX");
    if (job.stdio != 0) add_to_list(all, "stdio");
    if (job.mpiio != 0) add_to_list(all, "MPI-IO");
    if (job.hdf5 != 0) add_to_list(all, "HDF5");
    if (job.pnetcdf != 0) add_to_list(all, "PnetCDF");
    return all;
}

// Those with data, most bytes first.
std::string file_systems_of(const JobRows& rows)
{
    if (!rows.environment.storage.empty()) return rows.environment.storage;
    std::vector<std::pair<Number, std::string>> order;
    for (const auto& [type, bytes] : rows.bytes_on)
        if (bytes > 0 && !type.empty()) order.emplace_back(-bytes, type);
    std::sort(order.begin(), order.end());
    std::string all;
    for (const auto& [bytes, type] : order) add_to_list(all, type);
    return all;
}

// Requests of a kind of run differ a little from run to run: two digits do.
std::string requests_of(const jobs::Job& job)
{
    if (job.accesses <= 0) return "";
    auto rounded = static_cast<std::uint64_t>(job.accesses);
    std::uint64_t unit = 1;
    while (rounded >= 100) {
        rounded = (rounded + 5) / 10;
        unit *= 10;
    }
    return "about " + report::format_count(rounded * unit);
}

// So many digits of a build id tell builds apart; a size and a time have blanks.
std::string build_of(const std::string& build)
{
    constexpr std::size_t digits = 12;
    return build.find(' ') == std::string::npos ? build.substr(0, digits) : build;
}

struct AspectRow {
    Aspect aspect;
    std::string (*of)(const JobRows& rows);
};
constexpr AspectRow aspect_rows[] = {
    {{"program_path", "path of the program"}, [](const JobRows& rows) { return rows.program_path; }},
    {{"build", "build of the program"}, [](const JobRows& rows) { return build_of(rows.environment.build); }},
    {{"command", "command"}, [](const JobRows& rows) { return rows.command; }},
    {{"mpi", "MPI library"}, [](const JobRows& rows) { return rows.environment.mpi; }},
    {{"kernel", "kernel"}, [](const JobRows& rows) { return rows.environment.kernel; }},
    {{"recorder", "recorded by"}, [](const JobRows& rows) { return rows.environment.recorder; }},
    {{"tool", "log of"}, [](const JobRows& rows) { return rows.job.tool; }},
    {{"processes", "processes"}, [](const JobRows& rows) { return count_words(rows.job.processes); }},
    {{"nodes", "compute nodes"}, [](const JobRows& rows) { return count_words(rows.job.nodes); }},
    {{"node_names", "nodes that it ran on"}, [](const JobRows& rows) { return rows.environment.node_names; }},
    {{"cluster", "cluster"}, [](const JobRows& rows) { return rows.job.cluster; }},
    {{"queue", "queue"}, [](const JobRows& rows) { return rows.job.queue; }},
    {{"file_systems", "file systems of the data"}, file_systems_of},
    {{"striping", "files striped over"}, [](const JobRows& rows) { return rows.environment.striping; }},
    {{"interfaces", "interfaces"}, [](const JobRows& rows) { return interfaces_of(rows.job); }},
    {{"reads_mode", "I/O mode of reads"}, [](const JobRows& rows) { return rows.job.reads_mode; }},
    {{"writes_mode", "I/O mode of writes"}, [](const JobRows& rows) { return rows.job.writes_mode; }},
    {{"requests", "reads and writes of POSIX"}, [](const JobRows& rows) { return requests_of(rows.job); }},
    {{"request_size", "commonest size of a request"},
     [](const JobRows& rows) {
         return rows.job.key_size && *rows.job.key_size > 0
                    ? report::format_bytes(static_cast<std::uint64_t>(*rows.job.key_size))
                    : std::string();
     }},
};

// As many before as after a change are looked at.
constexpr std::size_t runs_looked_at = 8;
constexpr double most_of_them = 0.8;

// Whether four of five known ones of these have the value.
bool holds_value(const Circumstances& all, std::size_t aspect, std::size_t from, std::size_t to,
                 const std::string& value)
{
    std::size_t same = 0, known = 0;
    for (std::size_t run = from; run < to; ++run) {
        known += !all.of_run[run][aspect].empty();
        same += all.of_run[run][aspect] == value;
    }
    return known > 0 && static_cast<double>(same) >= most_of_them * static_cast<double>(known);
}

}  // namespace

std::span<const Aspect> aspects()
{
    static const std::vector<Aspect> all = [] {
        std::vector<Aspect> list;
        for (const AspectRow& row : aspect_rows) list.push_back(row.aspect);
        return list;
    }();
    return all;
}

Circumstances circumstances_of(jobs::Database& database, std::span<const KindRun* const> runs)
{
    jobs::Values ids;
    std::map<Number, JobRows> rows;
    for (const KindRun* const run : runs) ids.emplace_back(run->id);
    const auto take = [&]<class Row>(Row, auto&& store) {
        const jobs::TableWords& words = jobs::words_of(Row::table);
        const std::string key = Row::table == jobs::Job::table ? "id" : "job";
        jobs::each_of(database, jobs::select_from(words) + fmt::format(" where {} in (@keys)", key), ids,
                      jobs::types_of(words),
                      [&](std::span<const jobs::Value> row) { store(jobs::row_of<Row>(row)); });
    };
    take(jobs::Job(), [&](jobs::Job job) { rows[job.id].job = std::move(job); });
    // Not the time bins, which are long.
    using enum jobs::ValueType;
    jobs::each_of(database, "select job, program_path, command from job_details where job in (@keys)", ids,
                  std::vector{integer, text, text}, [&](std::span<const jobs::Value> row) {
                      Number job = 0;
                      jobs::fetch(row[0], job);
                      jobs::fetch(row[1], rows[job].program_path);
                      jobs::fetch(row[2], rows[job].command);
                  });
    take(jobs::OnMount(), [&](const jobs::OnMount& mount) {
        rows[mount.job].bytes_on[mount.type] = mount.bytes_read + mount.bytes_written;
    });
    take(jobs::Environment(), [&](jobs::Environment one) { rows[one.job].environment = std::move(one); });
    Circumstances found;
    std::vector<bool> any(std::size(aspect_rows), false);
    for (const KindRun* const run : runs) {
        std::vector<std::string>& texts = found.of_run.emplace_back();
        for (std::size_t at = 0; at < std::size(aspect_rows); ++at) {
            texts.push_back(aspect_rows[at].of(rows[run->id]));
            if (!texts.back().empty()) any[at] = true;
        }
    }
    for (std::size_t at = 0; at < any.size(); ++at)
        if (!any[at]) found.unknown.push_back(at);
    return found;
}

std::vector<LastingChange> lasting_changes(const Circumstances& all)
{
    std::vector<LastingChange> found;
    const std::size_t runs = all.of_run.size();
    for (std::size_t aspect = 0; aspect < std::size(aspect_rows); ++aspect) {
        std::size_t last = runs;  // the last one of which it is known
        for (std::size_t run = 0; run < runs; ++run) {
            const std::string& value = all.of_run[run][aspect];
            if (value.empty()) continue;
            if (last < runs && all.of_run[last][aspect] != value) {
                const std::string& before = all.of_run[last][aspect];
                if (holds_value(all, aspect, run - std::min(run, runs_looked_at), run, before) &&
                    holds_value(all, aspect, run, std::min(runs, run + runs_looked_at), value))
                    found.push_back({aspect, run, before, value});
            }
            last = run;
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const LastingChange& a, const LastingChange& b) { return a.run < b.run; });
    return found;
}

std::vector<LastingChange> changes_near(const std::vector<LastingChange>& all, std::size_t run)
{
    constexpr std::size_t near = 2;
    std::vector<LastingChange> found;
    for (const LastingChange& one : all)
        if (one.run + near >= run && one.run <= run + near) found.push_back(one);
    return found;
}

}  // namespace fathom::history
