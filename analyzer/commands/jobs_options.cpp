// Where the job database is.
#include "analyzer/commands/jobs_options.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace fathom {
namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

const char* const help_on_databases = R"(
DATABASE
  --db FILE                      a file of SQLite; it is made where there is none
  --db postgresql://HOST/NAME    PostgreSQL; the password comes from ~/.pgpass or
                                 PGPASSWORD, so that no list of processes shows it
  FATHOM_DB says which one where --db does not, and without both it is
  ~/.local/share/fathom/jobs.db. docs/DATABASE.md has its tables and views.
)";

std::int64_t unix_now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

CommandOption database_option(std::string& url)
{
    return {"--db", "URL", "the job database (see below)", &url};
}

std::string database_url(const std::string& said)
{
    if (!said.empty()) return said;
    if (const std::string url = variable("FATHOM_DB"); !url.empty()) return url;
    const std::string data = variable("XDG_DATA_HOME"), home = variable("HOME");
    const std::filesystem::path folder =
        (data.empty() ? std::filesystem::path(home.empty() ? "." : home) / ".local/share"
                      : std::filesystem::path(data)) /
        "fathom";
    std::error_code ignored;  // opening the file says what is wrong
    std::filesystem::create_directories(folder, ignored);
    return (folder / "jobs.db").string();
}

std::vector<std::string> files_of_database(const std::string& said)
{
    const std::string url = database_url(said);
    return {url, url + "-journal"};
}

}  // namespace fathom
