// A job database of rows that tests make up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/document/renderers/renderers.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "tests/analyzer/history/made_history.h"
#include "tests/analyzer/temporary.h"

namespace fathom::testing {

struct MadeDatabase {
    std::vector<jobs::Job> runs;
    std::vector<jobs::Details> details;
    std::vector<jobs::Environment> environments;
    std::vector<jobs::OnMount> mounts;
    std::vector<jobs::InPhase> phases;

    // A run a day.
    jobs::Job& run(std::string program, double io_seconds)
    {
        jobs::Job& job = runs.emplace_back();
        job.id = static_cast<jobs::Number>(runs.size());
        job.recorded = 1;
        job.tool = "fathom";
        job.program = std::move(program);
        job.user = "anna";
        job.start = first_day + job.id * day_ns;
        job.run = 3600 * second_ns;
        job.end = job.start + *job.run;
        job.slowest_time = std::llround(io_seconds * 1e9);
        job.processes = 64;
        job.files = 12;
        job.bytes_read = job.bytes_written = jobs::Number{1} << 30;
        job.bytes = job.bytes_read + job.bytes_written;
        return job;
    }
    jobs::Environment& environment(jobs::Number job)
    {
        environments.emplace_back().job = job;
        return environments.back();
    }

    std::unique_ptr<jobs::Database> in(const Temporary& folder, const std::string& name = "jobs.db") const
    {
        auto database = jobs::open_jobs(folder.path(name), jobs::Access::write);
        jobs::WriteTransaction transaction(*database);
        put(*database, runs);
        put(*database, details);
        put(*database, environments);
        put(*database, mounts);
        put(*database, phases);
        transaction.commit();
        return database;
    }

  private:
    template <class Row>
    static void put(jobs::Database& database, const std::vector<Row>& rows)
    {
        jobs::Values cells;
        for (const Row& row : rows) jobs::append(row, cells);
        jobs::insert(database, Row::table, cells);
    }
};

inline std::string rendered(const report::Document& document, std::string_view format,
                            std::size_t width = 200)
{
    return report::renderer_of_format(format)->render(document, {width, true});
}

}  // namespace fathom::testing
