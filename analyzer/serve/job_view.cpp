// One job: its page, its report, its history, its neighbours.
#include <filesystem>
#include <fmt/format.h>
#include <mutex>

#include "analyzer/book/book.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/report.h"
#include "analyzer/jobs/list/page.h"
#include "analyzer/jobs/list/rows.h"
#include "analyzer/jobs/store/paths.h"
#include "analyzer/neighbours/documents.h"
#include "analyzer/neighbours/spread.h"
#include "analyzer/serve/routes.h"
#include "analyzer/slowdown/slowdown.h"
#include "parsers/open.h"

namespace fathom::serve {
namespace {

// That the viewer may see it. Throws NotThere.
void must_see(const Asked& asked)
{
    const jobs::Value there = asked.database().one(
        "select 1 from jobs where id = ?", std::vector<jobs::Value>{asked.id}, jobs::ValueType::integer);
    if (there.index() == 0) throw NotThere();
}

struct Side {
    std::string_view words, behind;
};
constexpr Side sides[] = {
    {"Page", ""}, {"Whole report", "/report"}, {"History", "/history"}, {"Neighbours", "/neighbours"}};

View view_on(const Asked& asked, std::string_view here)
{
    View view;
    for (const Side& side : sides)
        view.beside.push_back(
            {std::string(side.words), fmt::format("/jobs/{}{}", asked.id, side.behind), side.behind == here});
    return view;
}

// Of this size and below a log is read in a moment.
constexpr std::uintmax_t largest_log = std::uintmax_t{64} << 20;

std::optional<std::string> log_of(jobs::Database& database, Number id)
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
    if (const auto path = log_of(database, asked.id)) {
        static std::mutex one_at_a_time;  // a report takes memory
        const std::unique_lock lock(one_at_a_time, std::try_to_lock);
        if (!lock) throw NotYet("Another report is being made; this one comes in a moment.");
        try {
            const Log log = open_dataset(*path);
            fathom::Job job(log);
            // Whoever can write where it lay may have put another one there.
            if (slowdown::job_of_log(database, job) != asked.id)
                throw std::runtime_error("the log of another job");
            const Slowdown slowdown = slowdown::slowdown_of(asked.database(Scope::beside), asked.id);
            job.slowdown = &slowdown;
            view.document = make_report(job, {});
            return view;
        } catch (const jobs::DatabaseError&) {
            throw;
        } catch (const std::runtime_error&) {  // damaged, or not ours to read: what the database has remains
        }
    }
    view.document = jobs::page_of(database, asked.id);
    view.document.sections.insert(view.document.sections.begin(),
                                  {"no_log",
                                   "Its log",
                                   {report::Note{report::Weight::information,
                                                 "Its log is gone, is another one now, is larger than 64 MiB "
                                                 "or cannot be read here: this is what "
                                                 "the database keeps of it."}}});
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

}  // namespace fathom::serve
