// Staff has the tables themselves; all others have views.
#include "analyzer/serve/sessions.h"

#include <fmt/format.h>

#include "analyzer/jobs/schema/schema.h"

namespace fathom::serve {
namespace {

constexpr std::size_t of_staff = 2;

// A server that went away without a word is noticed.
std::string with_timeouts(const std::string& said)
{
    constexpr std::string_view prefix = "postgres";
    std::string url = said;
    if (!said.starts_with(prefix) || said.find("://") == std::string::npos) return url;
    for (const auto& [name, value] :
         {std::pair{"connect_timeout", "5"}, std::pair{"tcp_user_timeout", "10000"}})
        if (url.find(name) == std::string::npos)
            url += fmt::format("{}{}={}", url.find('?') == std::string::npos ? '?' : '&', name, value);
    return url;
}

}  // namespace

Sessions::Sessions(const std::string& url, unsigned seconds) : url_(with_timeouts(url)), seconds_(seconds)
{}

bool Sessions::any_open() const
{
    for (const Session& one : sessions_)
        if (one.database) return true;
    return false;
}

bool Sessions::can_open() const
{
    try {
        jobs::open_jobs(url_, jobs::Access::read);
        return true;
    } catch (const jobs::DatabaseError&) {
        return false;
    }
}

void Sessions::close()
{
    for (Session& one : sessions_) one = {};
}

jobs::Database& Sessions::of(const Viewer& viewer, Scope scope)
{
    Session& session = sessions_[viewer.everything ? of_staff : static_cast<std::size_t>(scope)];
    const bool with_projects = !viewer.everything && !viewer.projects.empty();
    if (session.with_projects != with_projects) session = {};
    if (!session.database) {
        auto database = jobs::open_jobs(url_, jobs::Access::read);
        if (database->dialect().prefix.empty())
            database->run(fmt::format("pragma busy_timeout = {}", seconds_ * 1000));
        else
            database->run(fmt::format("set statement_timeout = '{}s'", seconds_));
        if (!viewer.everything) make_views(*database, scope, with_projects);
        session = {std::move(database), "\n", with_projects};
    }
    if (const std::string key = viewer.key(); !viewer.everything && session.viewer != key) {
        session.viewer = "\n";  // where the next one fails
        set_viewer(*session.database, viewer);
        session.viewer = key;
    }
    return *session.database;
}

}  // namespace fathom::serve
