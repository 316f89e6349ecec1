#include "analyzer/serve/job_log.h"

#include <filesystem>

#include "analyzer/job/job.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/store/paths.h"
#include "analyzer/slowdown/slowdown.h"
#include "parsers/open.h"

namespace fathom::serve {
namespace {

// Of this size and below a log is read in a moment.
constexpr std::uintmax_t largest_log = std::uintmax_t{64} << 20;

std::optional<std::string> path_of_log(jobs::Database& database, jobs::Number id)
{
    for (const std::string& stored : jobs::logs_of(database, id)) {
        const std::string path = jobs::path_of_stored(stored);
        std::error_code error;
        if (std::filesystem::is_regular_file(path, error))
            if (const std::uintmax_t size = std::filesystem::file_size(path, error);
                !error && size <= largest_log)
                return path;
    }
    return {};
}

}  // namespace

std::optional<Log> log_of_job(jobs::Database& database, jobs::Number id)
{
    const auto path = path_of_log(database, id);
    if (!path) return {};
    try {
        Log log = open_dataset(*path);
        // Whoever can write where it lay may have put another one there.
        if (slowdown::job_of_log(database, fathom::Job(log)) != id) return {};
        return log;
    } catch (const jobs::DatabaseError&) {
        throw;
    } catch (const std::runtime_error&) {  // damaged, or not ours to read
        return {};
    }
}

}  // namespace fathom::serve
