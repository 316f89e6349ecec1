// What is not there and what is not for this viewer get the same answer, to the byte.
#include "analyzer/serve/answer.h"

#include <fmt/format.h>

#include "analyzer/document/renderers/json.h"
#include "analyzer/serve/clock.h"
#include "analyzer/serve/page.h"

namespace fathom::serve {
namespace {

constexpr unsigned seconds_a_question = 10, seconds_to_try_again = 3, seconds_to_be_made = 1;

constexpr std::string_view not_there = "There is no such page, or none for you.";
constexpr std::string_view wrong_inside = "This went wrong inside of the server.";

std::string json_of_sentence(std::string_view sentence)
{
    report::Document document;
    document.title = sentence;
    return report::render_json(document);
}

Reply said(int status, Form form, const std::string& title, const std::string& sentence, unsigned again = 0)
{
    Reply reply;
    reply.status = status;
    if (form == Form::html) {
        reply.type = "text/html; charset=utf-8";
        reply.body = page_of_sentence(title, sentence, again);
    } else if (form == Form::json) {
        reply.type = "application/json";
        reply.body = json_of_sentence(sentence);
    } else {
        reply.body = sentence + "\n";
    }
    if (again > 0) reply.headers.emplace_back("Retry-After", fmt::format("{}", again));
    return reply;
}

Form form_of(std::string_view path)
{
    return path.ends_with(".json") ? Form::json : path.ends_with(".csv") ? Form::csv : Form::html;
}

}  // namespace

void DatabaseWatch::failed(const std::string& why)
{
    if (!away_.exchange(true)) say_(fmt::format("serve: the database does not answer: {}", why));
}

void DatabaseWatch::failed_question(const std::string& why)
{
    say_(fmt::format("serve: a question to the database failed: {}", why));
}

void DatabaseWatch::worked()
{
    if (away_.load(std::memory_order_relaxed) && away_.exchange(false))
        say_("serve: the database answers again");
}

Answerer::Answerer(const std::string& url, Access& access, Shared& shared, DatabaseWatch& watch)
    : sessions_(url, seconds_a_question), access_(access), shared_(shared), watch_(watch)
{}

Reply Answerer::operator()(const Request& request)
{
    Reply reply;
    try {
        reply = answer(request);
    } catch (const std::exception&) {
        reply = said(500, Form::csv, {}, std::string(wrong_inside));
    }
    for (const auto& [name, value] :
         {std::pair<const char*, std::string>{"Content-Security-Policy",
                                              content_policy() + "; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cache-Control", "no-store"}})
        reply.headers.emplace_back(name, value);
    return reply;
}

Reply Answerer::answer(const Request& request)
{
    const Form form = form_of(request.path);
    const auto viewer = access_.viewer_of(request);
    if (const auto* const refusal = std::get_if<Refusal>(&viewer))
        return said(refusal->status, form, "Not for you", refusal->sentence);
    if (request.method != "GET" && request.method != "HEAD") {
        Reply reply =
            said(405, form, "Only read", "Nothing can be changed here: GET and HEAD alone are answered.");
        reply.headers.emplace_back("Allow", "GET, HEAD");
        return reply;
    }
    try {
        return answer(request, std::get<Viewer>(viewer));
    } catch (const NotThere&) {
        return said(404, form, "Not here", std::string(not_there));
    } catch (const BadAddress& error) {
        return said(400, form, "This cannot be asked", error.what());
    } catch (const NotYet& error) {
        return said(503, form, "Not yet", error.what(), seconds_to_be_made);
    } catch (const jobs::DatabaseError& error) {
        const std::string why = error.what();
        if (why.find("statement timeout") != std::string::npos)
            return said(
                503, form, "Too much at once",
                fmt::format(
                    "The database took longer than {} s for this: choose a shorter time, or fewer jobs.",
                    seconds_a_question));
        if (sessions_.can_open()) {  // then it is what was asked
            watch_.failed_question(why);
            return said(500, form, "This went wrong", std::string(wrong_inside));
        }
        watch_.failed(why);
        return said(503, form, "The database does not answer",
                    "The job database does not answer now. This page comes by itself once it does.",
                    seconds_to_try_again);
    }
}

Reply Answerer::answer(const Request& request, const Viewer& viewer)
{
    const Found found = find_route(request.path);
    if (found.route == nullptr) throw NotThere();
    View view;
    const Asked asked{request, viewer, sessions_, shared_, found.id, unix_now()};
    view = sessions_.with([&](Sessions&) { return found.route->make(asked, found.form); });
    watch_.worked();
    Reply reply;
    if (found.form == Form::html) {
        reply.type = "text/html; charset=utf-8";
        reply.body = page_of(view, asked, *found.route);
    } else if (found.form == Form::json) {
        reply.type = "application/json";
        reply.body = report::render_json(view.document);
    } else {
        reply.type = "text/csv; charset=utf-8";
        reply.body = view.csv.value_or("");
    }
    return reply;
}

}  // namespace fathom::serve
