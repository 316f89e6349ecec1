// An address with .json or .csv at its end is the same in that form.
#include "analyzer/serve/routes.h"

#include <charconv>
#include <fmt/format.h>

#include "analyzer/jobs/list/choice.h"

namespace fathom::serve {
namespace {

constexpr Route route_table[] = {
    {"/", "those of /jobs", "the same as /jobs", jobs_view},
    {"/jobs", "filters; sort, columns, top, page, all", "jobs, a row each; what runs now, above them",
     jobs_view, true, "Jobs"},
    {"/jobs/{id}", "", "the page of one job, from what the database keeps of it", job_view},
    {"/jobs/{id}/report", "", "the whole report, from the job's log where that is still there", report_view},
    {"/jobs/{id}/history", "match, since, until",
     "the runs of its kind over time, and why this one was slower", history_view},
    {"/jobs/{id}/neighbours", "", "who ran beside it on its file system, and what that cost",
     neighbours_view},
    {"/jobs/{id}/servers", "", "its bins above those of the servers and devices that it used", servers_view},
    {"/running", "job, user", "jobs that run now on all nodes, or one of them, a row a node", running_view},
    {"/programs", "since, until", "programs, with what they moved and what their findings cost",
     programs_view, true, "Programs"},
    {"/program", "name, since, until", "one program: its runs over time, levels and changes", program_view},
    {"/users", "since, until", "users, with what they moved and what their findings cost", users_view, true,
     "Users"},
    {"/user", "name, since, until", "one user: what of their programs became slower, and their last jobs",
     user_view},
    {"/site", "since, until, by", "the study of all jobs, as `fathom study` has it", site_view, false,
     "Site"},
    {"/file-systems", "since, until", "file systems, with what jobs moved on them", file_systems_view, true,
     "File systems"},
    {"/file-system", "mount, type, source, since, until",
     "one file system: its load over time, and whose jobs made it", file_system_view},
    {"/minute", "mount, type, source, at", "one minute of a file system: jobs, nodes, servers", minute_view},
};

}  // namespace

std::span<const Route> routes()
{
    return route_table;
}

Found find_route(std::string_view path)
{
    Found found;
    for (const auto& [ending, form] :
         {std::pair<std::string_view, Form>{".json", Form::json}, {".csv", Form::csv}})
        if (path.ends_with(ending)) {
            path.remove_suffix(ending.size());
            found.form = form;
            break;
        }
    for (const Route& route : route_table) {
        constexpr std::string_view number = "{id}";
        const std::size_t at = route.path.find(number);
        bool fits = route.path == path;
        if (at != std::string_view::npos && path.starts_with(route.path.substr(0, at))) {
            const std::string_view rest = path.substr(at), behind = route.path.substr(at + number.size());
            const std::size_t digits = std::min(rest.find('/'), rest.size());
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + digits, found.id);
            fits = error == std::errc() && end == rest.data() + digits && found.id > 0 &&
                   rest.substr(digits) == behind;
        }
        if (!fits || (found.form == Form::csv && !route.with_csv)) continue;
        if (found.form != Form::html && route.path == "/") continue;
        found.route = &route;
        return found;
    }
    return found;
}

std::string routes_as_markdown()
{
    std::string text = "| address | also as | parameters | what it is |\n|---|---|---|---|\n";
    for (const Route& route : route_table)
        text += fmt::format("| `{}` | {} | {} | {} |\n", route.path,
                            route.path == "/" ? ""
                            : route.with_csv  ? "`.json`, `.csv`"
                                              : "`.json`",
                            route.parameters, route.meaning);
    text += "\n| filter | value | jobs |\n|---|---|---|\n";
    for (const jobs::Filter& filter : jobs::filters())
        text += fmt::format("| `{}` | {} | {} |\n", filter.name + 2, filter.argument, filter.meaning);
    return text;
}

}  // namespace fathom::serve
