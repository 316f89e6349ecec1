// `fathom serve`: the job database as pages in a browser.
#include <fmt/format.h>
#include <memory>
#include <pwd.h>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/jobs_options.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/output/message.h"
#include "analyzer/output/stop_signals.h"
#include "analyzer/serve/answer.h"
#include "analyzer/serve/http/front.h"
#include "parsers/series/clock.h"

namespace fathom {
namespace {

constexpr const char* serve_help = R"(
WHAT IT DOES
  Shows the job database in a browser: jobs, the page of each, its history and its
  neighbours, programs, users, the study of the site, the load of file systems and
  whose jobs made it; and what runs now. Every page has an address that can
  be sent to a colleague, and the same as JSON (docs/API.md). Nothing can be changed
  through it, and nothing is loaded from elsewhere.

WHO SEES WHAT
  You see your own jobs, from this machine alone: the kernel says whose process is at
  the other end, so that other users of this node see nothing. From your desk:
    ssh -L 8080:127.0.0.1:8080 login.site.org      then http://127.0.0.1:8080/

  For a site a proxy in front of it logs users in, has the certificate, and says in a
  header who asks. --user-header names it, --proxy each address from which it is
  trusted; share/nginx has an example. Everybody sees their own jobs; --staff and
  --staff-group name those who see all, --projects-are-groups shows a project's jobs
  to the members of the system's group of that name.

  What runs now shows of all nodes where their monitors leave it in the database
  (`fathom monitor --jobs`), and of this node what of yours is under record. With
  --series a job's page leads to the load of the servers and devices that it used.

EXAMPLES
  fathom serve --db jobs.db
  fathom serve --db jobs.db --series /var/log/fathom-series
  fathom serve --db postgresql://db.site.org/jobs --user-header X-Remote-User \
    --proxy 127.0.0.1 --proxy-user www-data --staff-group hpc-admins

EXIT STATUS
  0 ended by a signal, 1 it cannot listen there or the database cannot be read, 2 bad
  usage)";

struct ServeOptions {
    std::string url, listen = "127.0.0.1:8080";
    unsigned threads = 4;
    bool routes = false;
    std::vector<std::string> series;
    std::string time_zone;
    std::vector<std::string> proxy_users;
    serve::AccessRules rules;
};

uid_t user_named(const std::string& name)
{
    const passwd* const entry = getpwnam(name.c_str());
    if (entry == nullptr) throw BadUsage(fmt::format("serve: --proxy-user {}: there is no such user", name));
    return entry->pw_uid;
}

series::ZoneInUse zone_of(const std::string& said)
{
    try {
        return series::ZoneInUse(said);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("serve: --time-zone {}", error.what()));
    }
}

int run_serve(ServeOptions& options)
{
    if (options.routes) {
        fmt::print("{}", serve::routes_as_markdown());
        return exit_done;
    }
    const bool for_a_site = !options.rules.user_header.empty();
    if (for_a_site == options.rules.proxies.empty())
        throw BadUsage("serve: --user-header and --proxy go together: whose header is trusted");
    if (for_a_site && options.rules.everything)
        throw BadUsage("serve: --all is for your own use; --staff names who sees all jobs of a site");
    for (const std::string& name : options.proxy_users) options.rules.proxy_users.push_back(user_named(name));
    serve::ListenAt at;
    try {
        at = serve::parse_listen(options.listen);
    } catch (const std::invalid_argument& error) {
        throw BadUsage(fmt::format("serve: --listen {}", error.what()));
    }
    const std::string url = database_url(options.url);
    jobs::open_jobs(url, jobs::Access::read);                   // says what is wrong with it at once
    const series::ZoneInUse zone = zone_of(options.time_zone);  // before there are threads
    serve::SlowDocuments slow(url);
    serve::Running running;
    serve::Shared shared{slow, running, options.series};
    serve::Access access(options.rules);
    serve::DatabaseWatch watch(tell);
    const StopSignals signals;
    serve::Front front(at, {}, options.threads, [&] {
        return serve::Http::Answer([answerer = std::make_shared<serve::Answerer>(url, access, shared, watch)](
                                       const serve::Request& request) { return (*answerer)(request); });
    });
    if (!for_a_site && !front.on_loopback())
        throw BadUsage(
            fmt::format("serve: --listen {}: other machines reach that, and nobody would say who asks; "
                        "name 127.0.0.1 or ::1, or a proxy (--user-header)",
                        options.listen));
    tell(fmt::format("serve: http://{}/ shows {}", front.address(), database::without_password(url)));
    front.run(signals.came());
    return exit_done;
}

}  // namespace

CommandLine serve_line()
{
    const auto options = std::make_shared<ServeOptions>();
    serve::AccessRules& rules = options->rules;
    return {
        {
            database_option(options->url),
            {"--listen", "ADDRESS:PORT", "where it can be asked (default: 127.0.0.1:8080; port 0: any)",
             &options->listen},
            {"--all", "", "show jobs of all users: you can read them in the database anyway",
             &rules.everything},
            {"--user-header", "NAME", "the proxy's header that says who asks", &rules.user_header},
            {"--proxy", "ADDRESS", "a proxy whose header is trusted (again for several)", &rules.proxies},
            {"--proxy-user", "NAME",
             "the user as whom a proxy on this machine runs (again for several; root and you are trusted "
             "anyway)",
             &options->proxy_users},
            {"--staff", "NAME", "a user who sees all jobs (again for several)", &rules.staff},
            {"--staff-group", "NAME", "a group of the system whose members see all jobs (again for several)",
             &rules.staff_groups},
            {"--projects-are-groups", "",
             "members of a system's group see the jobs of the project of its name",
             &rules.projects_are_groups},
            {"--series", "FILE|FOLDER",
             "what servers and devices did: files of fathom monitor, LMT and others, or the URL of a "
             "database "
             "(again for several)",
             &options->series},
            {"--time-zone", "NAME", "of local times in --series (default: this machine's)",
             &options->time_zone},
            {"--threads",
             "N",
             "answer so many requests at once (default: 4)",
             &options->threads,
             {.bounds = Bounds{1, 256}}},
            {"--list-routes", "", "print the addresses, as docs/API.md has them, and end", &options->routes},
        },
        std::string(help_on_databases) + serve_help,
        [options] { return run_serve(*options); }};
}

}  // namespace fathom
