// Which runs a job is laid beside, what the database has of both, and the causes in words.
#include "analyzer/slowdown/slowdown.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <set>

#include "analyzer/document/printable.h"
#include "analyzer/document/units.h"
#include "analyzer/history/circumstances.h"
#include "analyzer/history/course.h"
#include "analyzer/history/read.h"
#include "analyzer/history/report/sections.h"
#include "analyzer/jobs/entry/identity.h"
#include "analyzer/jobs/schema/schema.h"
#include "analyzer/jobs/schema/table.h"
#include "analyzer/jobs/store/keys.h"
#include "analyzer/methods/rate.h"
#include "analyzer/neighbours/beside.h"
#include "analyzer/neighbours/words.h"
#include "analyzer/slowdown/explain.h"

namespace fathom::slowdown {
namespace {

using history::Course;
using history::KindRun;
using jobs::Number;
using report::format_bytes;
using report::format_count;
using report::printable;

// More are not laid beside a run: the last ones.
constexpr std::size_t most_runs = 200;
// A level is above the one before where it is by this; each change is beyond chance already.
constexpr double clearly_above = 1.02;

double seconds_of(Number nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}
double seconds_of(const jobs::Known& nanoseconds)
{
    return nanoseconds ? seconds_of(*nanoseconds) : RunNumbers::not_known;
}

// In the order of the ids; what the database lacks stays unknown.
std::vector<RunNumbers> numbers_of(jobs::Database& database, std::span<const Number> ids)
{
    jobs::Values keys;
    std::map<Number, RunNumbers> runs;
    for (const Number id : ids) keys.emplace_back(id);
    const auto take = [&]<class Row>(Row, std::string_view key, auto&& store) {
        const jobs::TableWords& words = jobs::words_of(Row::table);
        jobs::each_of(database, jobs::select_from(words) + fmt::format(" where {} in (@keys)", key), keys,
                      jobs::types_of(words),
                      [&](std::span<const jobs::Value> row) { store(jobs::row_of<Row>(row)); });
    };
    take(jobs::Job(), "id", [&](const jobs::Job& job) {
        RunNumbers& run = runs[job.id];
        run.run = seconds_of(job.run);
        run.io = seconds_of(job.slowest_time);
        if (job.rate_window && *job.rate_window > 0)
            run.window = static_cast<double>(job.bytes) / mebibyte / *job.rate_window;
        run.data[0].seconds = seconds_of(job.read_time);
        run.data[1].seconds = seconds_of(job.write_time);
        run.data[0].bytes = static_cast<double>(job.bytes_read);
        run.data[1].bytes = static_cast<double>(job.bytes_written);
        run.metadata_seconds = seconds_of(job.metadata_time);
        if (job.accesses > 0)
            run.sequential = static_cast<double>(job.sequential) / static_cast<double>(job.accesses);
    });
    take(jobs::Layer(), "job", [&](const jobs::Layer& layer) {
        if (layer.layer == "mpiio") return;  // its requests arrive in those beneath
        RunNumbers& run = runs[layer.job];
        run.data[0].requests += static_cast<double>(layer.reads);
        run.data[1].requests += static_cast<double>(layer.writes);
        run.syncs += static_cast<double>(layer.syncs);
    });
    take(jobs::Environment(), "job", [&](const jobs::Environment& one) {
        runs[one.job].metadata_calls = static_cast<double>(one.metadata_calls);
        runs[one.job].core_wait = seconds_of(one.core_wait);
    });
    std::vector<RunNumbers> in_order;
    for (const Number id : ids) in_order.push_back(runs[id]);
    return in_order;
}

// Runs that the job is laid beside.
struct Reference {
    std::vector<const KindRun*> runs;
    bool before_a_change = false;
    Number since = 0;
    std::size_t since_runs = 0;
};

Reference reference_of(const Course& course, std::size_t run)
{
    Reference found;
    const auto add = [&](std::size_t at) { found.runs.push_back(course.runs[at]); };
    const history::Level& level = course.level_of(run);
    const auto judged = history::judge(course.seconds[run], course.others_of(run));
    const bool slow = judged && judged->slow;
    if (!slow && level.from > 0) {
        const history::Level& before = course.level_of(level.from - 1);
        if (level.median > clearly_above * before.median) {
            for (std::size_t at = before.from; at < before.to; ++at) add(at);
            found.before_a_change = true;
            found.since = course.runs[level.from]->start;
            found.since_runs = level.to - level.from;
        }
    }
    if (found.runs.empty())
        for (const std::size_t at : course.others_beside(run)) add(at);
    if (found.runs.size() > most_runs)
        found.runs.erase(found.runs.begin(), found.runs.end() - static_cast<std::ptrdiff_t>(most_runs));
    return found;
}

// A kind with its course, which refers to it.
struct Runs {
    history::Kind kind;
    Course course;
    std::size_t place = 0;  // of the job in the course
    history::Match match;

    std::size_t others() const { return course.runs.size() - 1; }
};

std::unique_ptr<Runs> runs_alike(jobs::Database& database, const KindRun& job, const history::Match& match)
{
    auto runs = std::make_unique<Runs>();
    runs->match = match;
    runs->kind = history::kind_of(job, history::runs_in(database, history::choice_like(job, match)), match);
    runs->course = history::course_of(runs->kind);
    const auto found = std::ranges::find(runs->course.runs, job.id, &KindRun::id);
    if (found == runs->course.runs.end()) return nullptr;
    runs->place = static_cast<std::size_t>(found - runs->course.runs.begin());
    return runs;
}

std::unique_ptr<Runs> choose_runs(jobs::Database& database, const KindRun& job,
                                  const std::optional<history::Match>& asked)
{
    auto runs = runs_alike(database, job, asked.value_or(history::Match{}));
    if (asked || !runs || runs->others() >= history::fewest_to_judge) return runs;
    auto more = runs_alike(database, job, {.files = false, .bytes = false});
    return more->others() >= std::min(2 * runs->others() + 1, history::fewest_to_judge) ? std::move(more)
                                                                                        : std::move(runs);
}

// What is the case of this run, of none of the others, and of which most of these agree.
struct News {
    std::vector<std::string> causes, hints;
};
News news_of(jobs::Database& database, const KindRun& job, const std::vector<const KindRun*>& others)
{  // What the numbers tell, and what says nothing of the storage.
    static constexpr std::string_view passed_over[] = {"requests", "request_size", "recorder", "tool",
                                                       "processes"};
    constexpr double most = 0.8;
    std::vector<const KindRun*> runs = others;
    runs.push_back(&job);
    const history::Circumstances all = history::circumstances_of(database, runs);
    News found;
    for (std::size_t aspect = 0; aspect < history::aspects().size(); ++aspect) {
        const history::Aspect& what = history::aspects()[aspect];
        if (std::ranges::find(passed_over, what.id) != std::end(passed_over)) continue;
        const std::string& own = all.of_run.back()[aspect];
        std::map<std::string, std::size_t> seen;
        std::size_t known = 0;
        for (std::size_t run = 0; run + 1 < all.of_run.size(); ++run)
            if (const std::string& value = all.of_run[run][aspect]; !value.empty()) {
                ++seen[value];
                ++known;
            }
        if (own.empty() || known == 0 || seen.contains(own)) continue;
        const auto commonest = std::ranges::max_element(seen, {}, [](const auto& one) { return one.second; });
        if (static_cast<double>(commonest->second) < most * static_cast<double>(known)) continue;
        (what.id == "command" ? found.hints : found.causes)
            .push_back(
                fmt::format("{}: {}, before {}", what.words, printable(own), printable(commonest->first)));
    }
    return found;
}

std::string who_of(const neighbours::RunningJob& job)
{
    return fmt::format("job {} ({}{})", job.name(),
                       job.program.empty() ? "a program" : printable(job.program),
                       job.user.empty() ? "" : " of " + printable(job.user));
}

// Jobs that ran on nodes of this one at the time, whatever file system they used.
std::vector<std::string> others_on_its_nodes(jobs::Database& database, const neighbours::RunningJob& job)
{
    std::vector<std::string> found;
    if (job.start <= 0 || job.end <= job.start) return found;
    const auto nodes_of = [&](std::span<const jobs::Value> keys, auto&& visit) {
        using enum jobs::ValueType;
        jobs::each_of(database, "select job, node_names from job_environment where job in (@keys)", keys,
                      std::vector{integer, text}, [&](std::span<const jobs::Value> row) {
                          Number id = 0;
                          std::string names;
                          jobs::fetch(row[0], id);
                          jobs::fetch(row[1], names);
                          std::set<std::string> nodes;
                          for (std::size_t from = 0; from < names.size();) {
                              const std::size_t to = std::min(names.find(", ", from), names.size());
                              nodes.insert(names.substr(from, to - from));
                              from = to + 2;
                          }
                          visit(id, nodes);
                      });
    };
    std::set<std::string> own;
    nodes_of(jobs::Values{job.id}, [&](Number, const std::set<std::string>& nodes) { own = nodes; });
    if (own.empty()) return found;
    const std::vector<neighbours::RunningJob> others =
        neighbours::jobs_between(database, job.start, job.end, job.id);
    std::map<Number, std::string> shared;
    jobs::Values keys;
    for (const neighbours::RunningJob& other : others) keys.emplace_back(other.id);
    nodes_of(keys, [&](Number id, const std::set<std::string>& nodes) {
        for (const std::string& node : nodes)
            if (own.contains(node)) shared.try_emplace(id, node);
    });
    for (const neighbours::RunningJob& other : others)
        if (const auto at = shared.find(other.id); at != shared.end())
            found.push_back(fmt::format("{} on {}", who_of(other), printable(at->second)));
    return found;
}

std::string rate_words(double bytes_a_second)
{
    return format(neighbours::rate_cell(bytes_a_second));
}

double rate_of(const LoadGroup& group)
{
    return group.known > 0 ? (group.read + group.written) / group.known : 0;
}

// The group with most of the job's bytes of those that moved clearly less than beside earlier runs; nullptr:
// there is none.
const LoadGroup* slow_group(const SystemLoad* load)
{
    constexpr double clearly_less = 0.8;
    const LoadGroup* found = nullptr;
    const auto bytes = [](const LoadGroup& group) { return group.job_all_read + group.job_all_written; };
    if (load != nullptr)
        for (const LoadGroup& group : load->groups)
            if (group.usual_runs >= history::fewest_of_a_history && group.known > 0 &&
                rate_of(group) < clearly_less * group.usual_rate &&
                (found == nullptr || bytes(group) > bytes(*found)))
                found = &group;
    return found;
}

struct Words {
    const neighbours::Beside& beside;
    const SystemLoad* load;
    const std::vector<std::string>& circumstances;
    std::size_t runs;

    std::string of(const Part& part) const
    {
        const auto bytes = [](double value) { return format_bytes(static_cast<std::uint64_t>(value)); };
        const auto count = [](double value) { return format_count(static_cast<std::uint64_t>(value + 0.5)); };
        const double times = part.own / part.others;
        const char* const verb = part.which == 0 ? "read" : "wrote";
        const char* const nouns[] = {"reads", "writes", "metadata calls"};
        switch (part.cause) {
            case Cause::outside_io:
                return "outside of I/O";
            case Cause::cores:
                return fmt::format("because it waited for a core that others had ({}, usually {})",
                                   report::format_seconds(part.own), report::format_seconds(part.others));
            case Cause::bytes:
                return fmt::format("because it {} {:.2g} times the bytes ({}, usually {})", verb, times,
                                   bytes(part.own), bytes(part.others));
            case Cause::metadata_calls:
                return fmt::format("because it made {:.2g} times the metadata calls ({}, usually {})", times,
                                   count(part.own), count(part.others));
            case Cause::neighbour: {
                const neighbours::Neighbour& one = beside.neighbours[part.which];
                return fmt::format("while {} moved {}{}", who_of(one.job),
                                   rate_words(one.part.bytes / one.part.seconds),
                                   one.place.mount.empty() ? "" : " on " + printable(one.place.mount));
            }
            case Cause::server: {
                std::string names;
                for (const IllServer& ill : load->ill)
                    names += fmt::format("{}{}", names.empty() ? "" : ", ",
                                         printable(load->groups[ill.group].members[ill.member].name));
                return fmt::format("because {} served it at {} of the rate of the others", names,
                                   report::format_share(load->ill.front().share));
            }
            case Cause::storage: {
                const LoadGroup& group = *slow_group(load);
                return fmt::format("because {} moved {} for all, {} beside {} like it",
                                   printable(group.members.size() == 1 ? group.members[0].name : group.name),
                                   rate_words(rate_of(group)), rate_words(group.usual_rate),
                                   report::counted(group.usual_runs, "earlier run", "earlier runs"));
            }
            case Cause::requests:
                return fmt::format("because its {} were of {} in the mean, usually {}", nouns[part.which],
                                   bytes(part.own), bytes(part.others));
            case Cause::order:
                return fmt::format("because {} of its requests were sequential, usually {}",
                                   report::format_share(part.own), report::format_share(part.others));
            case Cause::syncs:
                return fmt::format("because it synced {} times, usually {}", count(part.own),
                                   count(part.others));
            case Cause::circumstance:
                return fmt::format("that came with {}", fmt::join(circumstances, "; "));
            case Cause::slower: {
                std::string slower;
                for (std::size_t at = 0; at < std::size(nouns); ++at)
                    if ((part.which >> at & 1) != 0)
                        slower += fmt::format("{}{}",
                                              slower.empty()                ? ""
                                              : part.which >> (at + 1) != 0 ? ", "
                                                                            : " and ",
                                              nouns[at]);
                return fmt::format(
                    "because as many {} took {:.2g} times as long, and the database does not know why",
                    slower, times);
            }
            case Cause::few_runs:
                return fmt::format("not explained, and {} are too few to know how much they usually differ",
                                   report::counted(runs, "run", "runs"));
            case Cause::usual:
                break;
        }
        return "within their usual spread";
    }
};

// In the order of Cause.
struct CauseName {
    std::string_view id, label;
};
constexpr CauseName cause_names[] = {{"outside_io", "outside of I/O"},
                                     {"cores", "waiting for a core"},
                                     {"bytes", "bytes"},
                                     {"metadata_calls", "metadata calls"},
                                     {"neighbour", "neighbour"},
                                     {"server", "ill server"},
                                     {"storage", "storage"},
                                     {"requests", "size of requests"},
                                     {"order", "order of requests"},
                                     {"syncs", "syncs"},
                                     {"circumstance", "new with this run"},
                                     {"not_explained", "not explained"},
                                     {"few_runs", "too few runs"},
                                     {"usual", "usual spread"}};
static_assert(std::size(cause_names) == static_cast<std::size_t>(Cause::usual) + 1);

Slowdown not_known(std::string job, std::string why)
{
    Slowdown made;
    made.job = std::move(job);
    made.why_not = std::move(why);
    return made;
}

}  // namespace

Slowdown slowdown_of(jobs::Database& database, Number id, const std::optional<history::Match>& match,
                     const SystemLoad* load)
{
    const std::string name = neighbours::job_of(database, id).name();
    const auto job = history::run_in(database, id);
    if (!job || !job->io_time || job->start <= 0)
        return not_known(name, "When it ran, or its time in I/O, is not known.");
    const auto runs = choose_runs(database, *job, match);
    const std::size_t others = runs ? runs->others() : 0;
    if (others + 1 < history::fewest_of_a_history)
        return not_known(name,
                         fmt::format("{} no history: there is nothing to compare it with.",
                                     others == 0 ? "One run of its kind is" : "Two runs of its kind are"));
    const Reference reference = reference_of(runs->course, runs->place);
    std::vector<Number> keys{id};
    for (const KindRun* const run : reference.runs) keys.push_back(run->id);
    const std::vector<RunNumbers> numbers = numbers_of(database, keys);
    News news = news_of(database, *job, reference.runs);
    const neighbours::Beside beside = neighbours::look_beside(database, id, 0);
    Outside outside;
    for (const neighbours::Neighbour& one : beside.neighbours)
        outside.neighbours.push_back(one.timed && std::isfinite(one.part.lost) ? one.part.lost : 0);
    outside.active = beside.disturbance.alone.seconds + beside.disturbance.beside.seconds;
    if (load != nullptr)
        for (const IllServer& ill : load->ill) outside.servers += ill.lost;
    if (const LoadGroup* const slow = slow_group(load)) outside.storage = rate_of(*slow) / slow->usual_rate;
    outside.circumstance = !news.causes.empty();
    const auto explained = explain(numbers[0], std::span(numbers).subspan(1), outside);
    if (!explained) return not_known(name, "The time in I/O of the others of its kind is not known.");

    Slowdown made;
    made.job = name;
    made.kind = words_of(runs->match);
    made.runs = reference.runs.size();
    made.of_run_time = explained->of_run_time;
    made.seconds = explained->seconds;
    made.median = explained->median;
    made.limit = explained->limit.value_or(0);
    const bool few = !explained->limit;
    const bool longer = explained->difference() > 0;
    made.state = !longer                     ? Slowdown::State::usual
                 : reference.before_a_change ? Slowdown::State::since
                 : explained->slow || few    ? Slowdown::State::slower
                                             : Slowdown::State::usual;
    if (made.state == Slowdown::State::since) {
        made.since = history::day_words(reference.since);
        made.since_runs = reference.since_runs;
    }
    if (made.state == Slowdown::State::usual) return made;
    const Words words{beside, load, news.causes, made.runs};
    bool unexplained = false;
    for (const Part& part : explained->parts) {
        const CauseName& cause = cause_names[static_cast<std::size_t>(part.cause)];
        made.parts.push_back({std::string(cause.id), std::string(cause.label), words.of(part), part.seconds});
        unexplained = unexplained || part.cause == Cause::slower || part.cause == Cause::outside_io ||
                      part.cause == Cause::cores || part.cause == Cause::few_runs;
    }
    const bool circumstance_named = std::ranges::any_of(
        explained->parts, [](const Part& part) { return part.cause == Cause::circumstance; });
    if (!circumstance_named) news.hints.insert(news.hints.begin(), news.causes.begin(), news.causes.end());
    if (!news.hints.empty())
        made.notes.push_back(fmt::format("New with this run, as a hint: {}.", fmt::join(news.hints, "; ")));
    if (unexplained) {
        const std::vector<std::string> busy = others_on_its_nodes(database, beside.job);
        constexpr std::size_t most = 3;
        if (!busy.empty())
            made.notes.push_back(
                fmt::format("On its nodes ran meanwhile {}{}.",
                            fmt::join(std::span(busy).first(std::min(most, busy.size())), ", "),
                            busy.size() > most ? fmt::format(" and {} more", busy.size() - most) : ""));
        const std::size_t unknown = beside.unsure +
                                    beside.lacking[static_cast<std::size_t>(neighbours::Lack::log)] +
                                    static_cast<std::size_t>(std::ranges::count(
                                        beside.neighbours, false, &neighbours::Neighbour::timed));
        if (unknown > 0)
            made.notes.push_back(fmt::format("What {} did to it is not known (`fathom neighbours {}`).",
                                             report::counted(unknown, "other job", "other jobs"), id));
        if (beside.job.lack != neighbours::Lack::nothing)
            made.notes.push_back("Its activity over time is not known, so nothing is given to neighbours.");
        else if (beside.disturbance.beside.seconds > 0 && !std::isfinite(beside.disturbance.lost))
            made.notes.push_back("It ran beside neighbours, but how fast it is alone is not known.");
        if (load == nullptr)
            made.notes.push_back("What its servers did was not looked at (`fathom report LOG --system`).");
    }
    return made;
}

std::optional<Number> job_of_log(jobs::Database& database, const fathom::Job& job)
{
    const jobs::Value id = database.one("select job from logs where identity = ? and job is not null",
                                        jobs::Values{jobs::identity_of(job)}, jobs::ValueType::integer);
    const Number* const known = std::get_if<Number>(&id);
    return known != nullptr ? std::optional(*known) : std::nullopt;
}

std::vector<std::vector<series::Window>> earlier_io(jobs::Database& database, Number id)
{
    constexpr std::size_t most_looked_at = 20;
    constexpr Number a_week = Number{7} * 86'400'000'000'000;
    std::vector<std::vector<series::Window>> all;
    const auto job = history::run_in(database, id);
    const auto runs = job && job->io_time && job->start > 0 ? choose_runs(database, *job, {}) : nullptr;
    if (!runs) return all;
    const Reference reference = reference_of(runs->course, runs->place);
    for (std::size_t at = reference.runs.size(); at-- > 0 && all.size() < most_looked_at;) {
        if (reference.runs[at]->start < job->start - a_week || reference.runs[at]->start >= job->start)
            continue;
        neighbours::RunningJob run = neighbours::job_of(database, reference.runs[at]->id);
        neighbours::add_bins(database, {&run});
        std::vector<series::Window>& windows = all.emplace_back();
        for (const ActiveBin& bin : run.bins.bins) {
            const auto begin = static_cast<series::Nanoseconds>(bin.number * run.bins.length);
            const auto end = begin + static_cast<series::Nanoseconds>(run.bins.length);
            if (!windows.empty() && windows.back().end == begin)
                windows.back().end = end;
            else
                windows.push_back({begin, end});
        }
    }
    return all;
}

}  // namespace fathom::slowdown
