// The list of jobs: `fathom jobs list` in a page, with what runs now above it.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "analyzer/document/markup.h"
#include "analyzer/document/units.h"
#include "analyzer/jobs/list/table.h"
#include "analyzer/many/csv.h"
#include "analyzer/serve/address.h"
#include "analyzer/serve/choose.h"
#include "analyzer/serve/routes.h"

namespace fathom::serve {
namespace {

using report::escape;

constexpr std::uint64_t rows_of_a_page = 50, most_rows = 10'000, last_page = 200;
constexpr unsigned seconds_to_look_again = 5;

constexpr std::string_view usual_order = "date:desc";

// Fields for all filters, the order, and how many.
std::string filter_form(const Asked& asked)
{
    std::string fields;
    const auto field = [&](std::string_view name, std::string_view hint, std::string_view label) {
        fields += fmt::format("<label>{}<input name=\"{}\" value=\"{}\" placeholder=\"{}\"></label>\n", label,
                              name, escape(asked.request.parameter(std::string(name))), escape(hint));
    };
    for (const jobs::Filter& filter : jobs::filters())
        if (filter.kind == jobs::FilterKind::since || filter.kind == jobs::FilterKind::until) {
            // The span above has these.
            if (const std::string said = asked.request.parameter(filter.name + 2); !said.empty())
                fields += fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", filter.name + 2,
                                      escape(said));
        } else {
            field(filter.name + 2, filter.argument, filter.name + 2);
        }
    const std::string order = asked.request.parameter("sort");
    std::string choices;
    for (const JobColumn& column : job_columns()) {
        if (column.shown == Shown::to_programs) continue;
        const bool chosen =
            order.substr(0, order.find(':')) == column.name || (order.empty() && column.name == "date");
        choices += fmt::format("<option value=\"{}\"{}>{}</option>\n", column.name, chosen ? " selected" : "",
                               escape(column.heading));
    }
    fields += fmt::format("<label>in the order of<select name=\"sort\">\n{}</select></label>\n", choices);
    field("top", fmt::format("{}", rows_of_a_page), "rows");
    const bool said = std::ranges::any_of(jobs::filters(), [&](const jobs::Filter& one) {
        return !asked.request.parameter(one.name + 2).empty();
    });
    return fmt::format(
        "<details{}><summary>Filters</summary><form method=\"get\" action=\"/jobs\" "
        "class=\"filters\">\n{}<div><button>Show</button> <a href=\"/jobs\">all</a></div></form></details>\n",
        said ? " open" : "", fields);
}

std::string words_of_filters(const Asked& asked)
{
    std::string words;
    for (const jobs::Filter& filter : jobs::filters())
        if (const std::string said = asked.request.parameter(filter.name + 2); !said.empty())
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", filter.name + 2, said);
    return words;
}

std::string remark(std::uint64_t page, std::size_t rows, const RowOrder& order)
{
    return fmt::format("In the order of {}{}. Page {}: {}.", order.column->heading,
                       order.descending ? ", the largest first" : "", page,
                       report::counted(rows, "row", "rows"));
}

// What nodes tell, and of the user who runs this server what they do not.
std::vector<report::Section> what_runs(const Asked& asked)
{
    std::set<std::string> told;
    std::vector<report::Section> sections{running_jobs(asked.database(), told)};
    if (asked.viewer.runs_here)
        if (report::Section here = asked.shared.running.section(told); !here.blocks.empty()) {
            if (sections.front().blocks.empty()) sections.clear();
            sections.push_back(std::move(here));
        }
    if (sections.front().blocks.empty())
        sections.front().blocks.push_back(report::Paragraph{
            asked.viewer.runs_here
                ? "Nothing of yours is recorded on this node now, and no monitor reports a job of yours."
                : "No monitor reports a job that you may see."});
    return sections;
}

}  // namespace

View jobs_view(const Asked& asked, Form form)
{
    View view;
    view.with_span = true;
    const std::uint64_t top = number_in(asked, "top", form == Form::html ? rows_of_a_page : 1000,
                                        form == Form::html ? 1000 : most_rows);
    const std::uint64_t page = number_in(asked, "page", 1, last_page);
    std::string said = asked.request.parameter("sort");
    if (said.empty()) said = usual_order;
    jobs::Choice choice = filters_in(asked);
    choice.of_few = !asked.viewer.everything && asked.viewer.projects.empty();
    if (asked.request.parameter("all").empty()) choice.add("recorded = 1");
    RowOrder order{};
    std::vector<const JobColumn*> columns;
    const std::string names = asked.request.parameter("columns");
    try {
        order = parse_order(said);
        columns = jobs::parse_columns(names, form == Form::html ? jobs::Room::page : jobs::Room::all);
    } catch (const std::invalid_argument& error) {
        throw BadAddress(error.what());
    }
    const jobs::ChosenRows chosen =
        jobs::rows_of(asked.database(), choice, order, top, (page - 1) * top,
                      form == Form::html && names.empty() ? jobs::Texts::finding : jobs::Texts::all);
    if (form == Form::csv) {
        view.csv.emplace();
        csv_of(chosen.rows, columns, [&](std::string_view line) { *view.csv += line; });
        return view;
    }
    const std::string about = words_of_filters(asked);
    view.document = jobs::list_document(chosen, order, columns, !names.empty() || form == Form::json, about);
    view.document.title = "Jobs";
    if (about.empty())
        view.document.subtitle = asked.viewer.everything ? "of all users" : "of " + asked.viewer.user;
    auto& table = std::get<report::DataTable>(view.document.sections.front().blocks.front());
    table.remark = remark(page, chosen.rows.size(), order);
    if (chosen.rows.empty()) view.document.sections.front().blocks = {report::Paragraph{"No job fits."}};
    // The section stands there also where nothing runs: something may begin.
    if (form == Form::html && page == 1) {
        std::vector<report::Section> running = what_runs(asked);
        view.document.sections.insert(view.document.sections.begin(),
                                      std::make_move_iterator(running.begin()),
                                      std::make_move_iterator(running.end()));
        view.refresh = seconds_to_look_again;
    }
    const auto to_page = [&](std::uint64_t number) {
        return address_with("/jobs", asked.request.parameters,
                            {{"page", number == 1 ? "" : fmt::format("{}", number)}});
    };
    if (page > 1) view.pages.push_back({"Page before", to_page(page - 1)});
    if (chosen.more && page < last_page) view.pages.push_back({"Next page", to_page(page + 1)});
    view.form = filter_form(asked);
    return view;
}

View running_view(const Asked& asked, Form)
{
    View view;
    view.refresh = seconds_to_look_again;
    if (const std::string job = asked.request.parameter("job"); !job.empty()) {
        auto document = running_job(asked.database(), job, asked.request.parameter("user"));
        if (!document) throw NotThere();
        view.document = std::move(*document);
        return view;
    }
    view.document.title = "Running now";
    view.document.sections = what_runs(asked);
    if (view.document.sections.front().id == "running_jobs")
        view.document.sections.front().title = "On all nodes";
    return view;
}

}  // namespace fathom::serve
