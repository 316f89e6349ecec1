// One job: its page, its report, its history, its neighbours.
#include <fmt/format.h>
#include <limits>
#include <mutex>

#include "analyzer/book/book.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/report.h"
#include "analyzer/jobs/list/page.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/spread.h"
#include "analyzer/serve/choose.h"
#include "analyzer/serve/job_log.h"
#include "analyzer/serve/routes.h"
#include "analyzer/serve/servers.h"
#include "analyzer/slowdown/slowdown.h"

namespace fathom::serve {
namespace {

// That the viewer may see it. Throws NotThere.
void must_see(const Asked& asked)
{
    const jobs::Value there = asked.database().one_again(
        "select 1 from jobs where id = ?", std::vector<jobs::Value>{asked.id}, jobs::ValueType::integer);
    if (there.index() == 0) throw NotThere();
}

struct Side {
    std::string_view words, behind;
};
constexpr Side sides[] = {{"Page", ""},
                          {"Whole report", "/report"},
                          {"History", "/history"},
                          {"Neighbours", "/neighbours"},
                          {"Servers", "/servers"}};

View view_on(const Asked& asked, std::string_view here)
{
    View view;
    for (const Side& side : sides)
        if (side.behind != "/servers" || !asked.shared.series.empty())
            view.beside.push_back({std::string(side.words), fmt::format("/jobs/{}{}", asked.id, side.behind),
                                   side.behind == here});
    return view;
}

}  // namespace

View job_view(const Asked& asked, Form)
{
    must_see(asked);
    View view = view_on(asked, "");
    view.document = jobs::page_of(asked.database(), asked.id);
    return view;
}

View report_view(const Asked& asked, Form)
{
    must_see(asked);
    View view = view_on(asked, "/report");
    jobs::Database& database = asked.database();
    {
        static std::mutex one_at_a_time;  // a report takes memory
        const std::unique_lock lock(one_at_a_time, std::try_to_lock);
        if (!lock) throw NotYet("Another report is being made; this one comes in a moment.");
        if (const auto log = log_of_job(database, asked.id)) {
            fathom::Job job(*log);
            const Slowdown slowdown = slowdown::slowdown_of(asked.database(Scope::beside), asked.id);
            job.slowdown = &slowdown;
            view.document = make_report(job, {});
            return view;
        }
    }
    view.document = jobs::page_of(database, asked.id);
    view.document.sections.insert(
        view.document.sections.begin(),
        {"no_log",
         "Its log",
         {report::Note{report::Weight::information,
                       fmt::format("{}: this is what the database keeps of it.", no_log)}}});
    return view;
}

View history_view(const Asked& asked, Form)
{
    must_see(asked);
    View view = view_on(asked, "/history");
    const auto run = history::run_in(asked.database(), asked.id);
    history::HistoryChoice choice;
    std::optional<history::Match> match;
    if (const std::string said = asked.request.parameter("match"); !said.empty()) {
        try {
            match = choice.match = history::parse_match(said);
        } catch (const std::invalid_argument& error) {
            throw BadAddress(error.what());
        }
    }
    if (!run || run->start <= 0) {
        view.document.title = fmt::format("The history of job {}", asked.id);
        view.document.sections.push_back(
            {"summary",
             "In short",
             {report::Paragraph{"There is no log of this job, or it does not say when it ran: it has no "
                                "place in a history."}}});
        return view;
    }
    // Within a stretch of time, and this run in any case.
    if (const TimeSpan span = span_in(asked, ""); span.since || span.before)
        choice.only.add(
            "(id = ? or (start_ns >= ? and start_ns < ?))",
            {asked.id, span.since.value_or(0), span.before.value_or(std::numeric_limits<Number>::max())});
    view.with_span = true;
    const Slowdown why = slowdown::slowdown_of(asked.database(Scope::beside), asked.id, match);
    view.document = history::report_on(asked.database(), *run, {}, choice, &why).document;
    return view;
}

View neighbours_view(const Asked& asked, Form form)
{
    must_see(asked);
    View view = view_on(asked, "/neighbours");
    constexpr std::size_t with_model = 3, most_rows = 20;
    jobs::Database& database = asked.database(Scope::beside);
    neighbours::Beside beside = neighbours::look_beside(database, asked.id, with_model);
    neighbours::add_spreads(database, beside);
    view.document =
        neighbours::document_of(beside, form == Form::html ? most_rows : beside.neighbours.size());
    return view;
}

View servers_view(const Asked& asked, Form)
{
    must_see(asked);
    View view = view_on(asked, "/servers");
    if (asked.shared.series.empty()) {
        view.document.title = fmt::format("Servers and devices of job {}", asked.id);
        view.document.sections.push_back(
            {"system",
             "Servers and devices",
             {report::Paragraph{"This server does not know where the site's series lie: `fathom serve "
                                "--series FOLDER` says it."}}});
        return view;
    }
    constexpr unsigned fresh_seconds = 600;
    const Number id = asked.id;
    const std::vector<std::string>& places = asked.shared.series;
    view.document = slow_document(
        asked, fmt::format("servers {}", id), fresh_seconds, Reach::all_jobs,
        [id, &places](Sessions& sessions, const Viewer& viewer) {
            jobs::Database& database = sessions.of(viewer, Scope::own);
            report::Document document;
            if (const auto log = log_of_job(database, id)) {
                fathom::Job job(*log);
                document = servers_document(job, places, slowdown::earlier_io(database, id));
            } else {
                document.sections.push_back(
                    {"system",
                     "Servers and devices",
                     {report::Note{report::Weight::information,
                                   fmt::format("{}: which servers it used is not known.", no_log)}}});
            }
            document.title = fmt::format("Servers and devices of job {}", id);
            return document;
        });
    return view;
}

}  // namespace fathom::serve
