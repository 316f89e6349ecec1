// Moments as `fathom jobs list --since` takes them.
#include "analyzer/serve/choose.h"

#include <charconv>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/named_rules.h"
#include "analyzer/jobs/list/when.h"
#include "analyzer/many/csv.h"

namespace fathom::serve {

jobs::Choice filters_in(const Asked& asked)
{
    jobs::Choice choice;
    for (const jobs::Filter& filter : jobs::filters()) {
        const std::string said = asked.request.parameter(filter.name + 2);
        if (said.empty()) continue;
        try {
            jobs::add_filter(filter, filter.kind == jobs::FilterKind::finding ? rules_named(said) : said,
                             asked.now, choice);
        } catch (const std::invalid_argument& error) {
            throw BadAddress(error.what());
        }
    }
    return choice;
}

TimeSpan span_in(const Asked& asked, const std::string& usual)
{
    std::string since = asked.request.parameter("since");
    const std::string until = asked.request.parameter("until");
    if (since.empty() && until.empty()) since = usual;
    TimeSpan span;
    const auto moment = [&](const char* name, const std::string& said, auto of) -> jobs::Known {
        if (said.empty()) return {};
        try {
            return of(said, asked.now);
        } catch (const std::invalid_argument& error) {
            throw BadAddress(fmt::format("{} {}", name, error.what()));
        }
    };
    span.since = moment("since", since, jobs::moment_of);
    span.before = moment("until", until, jobs::end_of_moment);
    const auto words = [](const std::string& said, const jobs::Known& at) {
        return said.starts_with('@') && at && *at > 0
                   ? report::format_instant(static_cast<std::uint64_t>(*at))
                   : said;
    };
    if (!since.empty()) span.words = "since " + words(since, span.since);
    if (!until.empty())
        span.words += fmt::format("{}until {}", since.empty() ? "" : ", ", words(until, span.before));
    if (span.words.empty()) span.words = "of all time";
    return span;
}

jobs::Choice starts_in(const TimeSpan& span)
{
    jobs::Choice choice;
    if (span.since) choice.add("start_ns >= ?", {*span.since});
    if (span.before) choice.add("start_ns < ?", {*span.before});
    return choice;
}

std::uint64_t number_in(const Asked& asked, const std::string& name, std::uint64_t usual, std::uint64_t most)
{
    const std::string said = asked.request.parameter(name);
    if (said.empty()) return usual;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), number);
    if (error != std::errc() || end != said.data() + said.size() || number < 1 || number > most)
        throw BadAddress(
            fmt::format("{} {}: say a number from 1 to {}", name, said, report::format_count(most)));
    return number;
}

std::string csv_of_table(const report::Document& document)
{
    const auto* const table = std::get_if<report::DataTable>(&document.sections.front().blocks.front());
    return table == nullptr ? std::string() : csv_of(*table);
}

report::Document slow_document(const Asked& asked, std::string_view what, unsigned fresh_seconds, Reach reach,
                               std::function<report::Document(Sessions&, const Viewer&)> make)
{
    const Viewer viewer = asked.viewer;
    const std::string key = fmt::format("{}\n{}\n{}", what, asked.request.query, viewer.key());
    const Made made = asked.shared.slow.get(
        key, std::chrono::seconds(fresh_seconds), reach,
        [make = std::move(make), viewer](Sessions& sessions) { return make(sessions, viewer); });
    if (made.error) std::rethrow_exception(made.error);
    if (!made.document) throw NotYet("This is being made of many jobs, and comes by itself in a moment.");
    report::Document document = *made.document;
    const auto age = static_cast<double>(std::max<std::int64_t>(asked.now - made.at, 0)) / 1e9;
    document.subtitle += fmt::format("{}as of {}", document.subtitle.empty() ? "" : "; ",
                                     age < 1 ? "now" : fmt::format("{:.0f} s ago", age));
    return document;
}

Reach reach_of(const Viewer& viewer)
{
    return viewer.everything || !viewer.projects.empty() ? Reach::all_jobs : Reach::some_jobs;
}

}  // namespace fathom::serve
