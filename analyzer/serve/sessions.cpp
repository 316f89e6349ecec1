// Staff has the tables themselves; all others have views.
#include "analyzer/serve/sessions.h"

#include <fmt/format.h>

#include "analyzer/jobs/schema/schema.h"

namespace fathom::serve {
namespace {

constexpr std::size_t of_staff = 2;

}  // namespace

Sessions::Sessions(const std::string& url, unsigned seconds, Questions questions)
    : url_(database::with_timeouts(url)), seconds_(seconds), questions_(questions)
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
        database->give_up_after(seconds_);
        if (!database->dialect().prefix.empty())
            database->run(questions_ == Questions::small
                              ? "set max_parallel_workers_per_gather = 0"
                              : "select set_config('parallel_setup_cost', '20000', false), "
                                "set_config('work_mem', '64MB', false)");
        if (!viewer.everything) make_views(*database, scope, with_projects);
        database->keep_plans();
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
