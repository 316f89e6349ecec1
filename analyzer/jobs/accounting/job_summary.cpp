// A row a job: "4472230.edison" is a job and the system it ran on, which Slurm's accounting calls the
// cluster. No row says anything of steps.
#include <fmt/format.h>

#include "analyzer/jobs/accounting/sources.h"
#include "analyzer/jobs/schema/database.h"
#include "analyzer/jobs/schema/table.h"

namespace fathom::jobs {
namespace {

constexpr ValueType whole_number = ValueType::integer, some_text = ValueType::text;

Listed summary_of(std::span<const Value> row)
{
    std::string id;
    Listed listed;
    Number start = 0, end = 0;
    fetch(row[0], id);
    fetch(row[1], listed.cluster);
    fetch(row[2], start);
    fetch(row[3], end);
    fetch(row[4], listed.nodes);
    listed.nodes = unless_none(listed.nodes);
    const std::size_t dot = std::min(id.find('.'), id.size());
    set_id(std::string_view(id).substr(0, dot), "", listed);
    if (listed.cluster.empty() && dot < id.size()) listed.cluster = id.substr(dot + 1);
    listed.cluster = stored_text(listed.cluster);
    if (start < 0 || end < 0) throw Unusable(fmt::format("job {} has a time before 1970", listed.job));
    listed.start = time_of_seconds(static_cast<std::uint64_t>(start));
    listed.end = time_of_seconds(static_cast<std::uint64_t>(end));
    return listed;
}

struct Stopped {};

}  // namespace

bool is_job_summary(const std::string& path, std::string_view first_bytes)
{
    if (!first_bytes.starts_with(std::string_view("SQLite format 3\0", 16))) return false;
    try {
        Database database(path, Access::read);
        const Value name =
            database.one(database.dialect().tables_named, Values{std::string("summary")}, some_text);
        if (name.index() == 0) return false;
        database.one("select count(stepid) from summary where start is null or completion is null", {},
                     whole_number);
        return true;
    } catch (const DatabaseError&) {
        return false;
    }
}

void read_job_summary(const std::string& path, const Reading& reading)
{
    std::uint64_t number = 0;
    try {
        Database database(path, Access::read);
        database.each("select stepid, hostname, start, completion, numnodes from summary", {},
                      std::vector{some_text, some_text, whole_number, whole_number, whole_number},
                      [&](std::span<const Value> row) {
                          ++number;
                          try {
                              give(summary_of(row), reading);
                          } catch (const Unusable& why) {
                              reading.complain(fmt::format("row {}", number),
                                               fmt::format("{}; it is left out", why.what()));
                          }
                          if (!reading.go_on(0)) throw Stopped();
                      });
    } catch (const Stopped&) {
        return;
    }
}

}  // namespace fathom::jobs
