// Reads jobs by their starts, keeps those that may still meet others, and closes each once nobody else can.
#include "analyzer/neighbours/site.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "analyzer/jobs/schema/table.h"
#include "analyzer/methods/not_finite.h"
#include "analyzer/neighbours/beside.h"

namespace fathom::neighbours {
namespace {

using jobs::Database;
using jobs::Value;
using jobs::Values;
using jobs::ValueType;

constexpr Number page_size = 2000;
constexpr double least_alone = 0.1;

// A job on a file system, with the stretch of time in which it was active.
struct Member {
    RunningJob job;
    Number from = 0, to = 0;
    bool closed = false;
};

// What runs did beside those of another program: what they lost follows from it and the usual rate.
struct DidBeside {
    Moved own{};
    double process_seconds = 0, process_bytes = 0;  // own, times the processes of the run
    double seconds = 0;
    std::size_t runs = 0, by_runs = 0;
};

void add_to(DidBeside& sum, const DidBeside& did)
{
    sum.own.add(did.own.bytes, did.own.seconds);
    sum.process_seconds += did.process_seconds;
    sum.process_bytes += did.process_bytes;
    sum.seconds += did.seconds;
    sum.runs += did.runs;
    sum.by_runs += did.by_runs;
}

struct FileSystem {
    Place first;  // of the first job that was seen there
    std::deque<Member> members;
};

class Sweep {
  public:
    explicit Sweep(Database& database) : database_(database) { read_sources(); }

    void add_page(std::vector<RunningJob> page);
    // Nobody who is still to come began before that.
    void close_until(Number moment);
    Site finish();

    Site site;

  private:
    void read_sources();
    void add(RunningJob job);
    FileSystem& file_system_of(const Place& place);
    void close(FileSystem& where, Member& member);
    void add_to_pair(const std::string& program, const std::string& by, const DidBeside& did, double usual);
    std::size_t alone_row(const RunningJob& job);

    Database& database_;
    Sources sources_;
    std::deque<FileSystem> file_systems_;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, FileSystem*> known_places_;
    std::map<std::tuple<std::string, std::string, double>, std::size_t> rows_;
    std::map<std::pair<std::string, std::string>, PairRow> pairs_;  // of runs with a rate of their own
    // Of the others, by row of site.alone: their usual rate is not known before the end.
    std::map<std::pair<std::size_t, std::string>, DidBeside> waiting_;
    std::vector<std::size_t> waiting_runs_;  // by that row
};

void Sweep::read_sources()
{
    constexpr ValueType words = ValueType::text;
    database_.each("select distinct mount, type, source from job_mounts where source <> ''", {},
                   std::vector{words, words, words}, [&](std::span<const Value> row) {
                       Place place;
                       jobs::fetch(row[0], place.mount);
                       jobs::fetch(row[1], place.type);
                       jobs::fetch(row[2], place.source);
                       sources_.add(place);
                   });
}

FileSystem& Sweep::file_system_of(const Place& place)
{
    FileSystem*& known = known_places_[{place.mount, place.type, place.source, place.cluster}];
    if (known != nullptr) return *known;
    for (FileSystem& one : file_systems_)
        if (compare(one.first, place, sources_.is_one_at(place)) == Sameness::same) return *(known = &one);
    file_systems_.push_back({place, {}});
    return *(known = &file_systems_.back());
}

std::size_t Sweep::alone_row(const RunningJob& job)
{
    // The direction with a mode; where both have one, that of the writes.
    const std::string mode = !job.writes_mode.empty() ? job.writes_mode + " writes"
                             : job.reads_mode.empty() ? ""
                                                      : job.reads_mode + " reads";
    const auto [row, is_new] = rows_.try_emplace({job.program, mode, job.processes}, site.alone.size());
    if (is_new) site.alone.push_back({job.program, mode, job.processes, 0, {}, {}});
    return row->second;
}

void Sweep::add(RunningJob job)
{
    ++site.runs;
    ++site.lacking[static_cast<std::size_t>(job.lack)];
    if (job.lack != Lack::nothing) return;
    if (job.places.empty() || job.places[0].share < most_of_it) {
        ++site.several_places;
        return;
    }
    if (!is_shared_type(job.places[0].type)) {
        ++site.own_place;
        return;
    }
    ++site.timed;
    if (site.first == 0) site.first = job.start;
    site.last = job.start;
    const auto length = static_cast<Number>(job.bins.length);
    const Number from = static_cast<Number>(job.bins.bins.front().number) * length,
                 to = static_cast<Number>(job.bins.bins.back().number + 1) * length;
    FileSystem& where = file_system_of(job.places[0]);
    where.members.push_back({std::move(job), from, to});
}

void Sweep::add_page(std::vector<RunningJob> page)
{
    for (RunningJob& job : page) add(std::move(job));
}

void Sweep::close(FileSystem& where, Member& member)
{
    std::vector<const ActiveBins*> bins;
    std::vector<const Member*> others;
    for (const Member& other : where.members) {
        if (&other == &member || other.to <= member.from || other.from >= member.to) continue;
        others.push_back(&other);
        bins.push_back(&other.job.bins);
    }
    const Disturbance seen = disturbance_of(member.job.bins, bins, nan);
    const std::size_t place = alone_row(member.job);
    AloneRow& row = site.alone[place];
    ++row.runs;
    row.alone.add(seen.alone.bytes, seen.alone.seconds);
    row.beside.add(seen.beside.bytes, seen.beside.seconds);
    if (seen.parts.empty()) return;
    const double processes = std::max(member.job.processes, 1.0);
    std::map<std::string_view, DidBeside> did;
    for (const NeighbourPart& part : seen.parts) {
        DidBeside& one = did[others[part.neighbour]->job.program];
        one.own.add(part.own.bytes, part.own.seconds);
        one.seconds += part.seconds;
        ++one.by_runs;
    }
    const bool own_rate = seen.alone.bytes > 0 && seen.alone.seconds >= seen.beside.seconds;
    if (!own_rate) {
        waiting_runs_.resize(std::max(waiting_runs_.size(), place + 1));
        ++waiting_runs_[place];
    }
    for (auto& [by, one] : did) {
        one.runs = 1;
        one.process_seconds = one.own.seconds * processes;
        one.process_bytes = one.own.bytes * processes;
        if (own_rate)
            add_to_pair(row.program, std::string(by), one, seen.alone.rate());
        else
            add_to(waiting_[{place, std::string(by)}], one);
    }
}

void Sweep::add_to_pair(const std::string& program, const std::string& by, const DidBeside& did, double usual)
{
    PairRow& pair = pairs_[{program, by}];
    pair.program = program;
    pair.by = by;
    pair.runs += did.runs;
    pair.by_runs += did.by_runs;
    pair.seconds += did.seconds;
    pair.lost += did.own.seconds - did.own.bytes / usual;
    pair.process_seconds += did.process_seconds - did.process_bytes / usual;
    pair.beside.add(did.own.bytes, did.own.seconds);
    pair.usual_bytes += did.own.seconds * usual;
}

void Sweep::close_until(Number moment)
{
    for (FileSystem& one : file_systems_) {
        Number first_open = moment;
        for (Member& member : one.members) {
            // Bins of one that comes may begin a bin before its start.
            if (!member.closed && member.to + static_cast<Number>(member.job.bins.length) < moment) {
                close(one, member);
                member.closed = true;
            }
            if (!member.closed) first_open = std::min(first_open, member.from);
        }
        std::erase_if(one.members, [&](const Member& member) {
            return member.closed && member.to + static_cast<Number>(member.job.bins.length) < first_open;
        });
    }
}

Site Sweep::finish()
{
    close_until(std::numeric_limits<Number>::max());
    // The row's rate counts where a tenth of its time was without neighbours, or more.
    const auto usual_of = [&](std::size_t place) {
        const AloneRow& row = site.alone[place];
        return row.alone.bytes > 0 && row.alone.seconds >= least_alone * row.beside.seconds ? row.alone.rate()
                                                                                            : nan;
    };
    for (const auto& [key, did] : waiting_)
        if (const double usual = usual_of(key.first); usual > 0)
            add_to_pair(site.alone[key.first].program, key.second, did, usual);
    for (std::size_t place = 0; place < waiting_runs_.size(); ++place)
        if (!(usual_of(place) > 0)) site.without_rate += waiting_runs_[place];
    for (auto& [names, pair] : pairs_) site.pairs.push_back(std::move(pair));
    std::ranges::sort(site.pairs, [](const PairRow& a, const PairRow& b) {
        return std::tuple(-a.process_seconds, a.program, a.by) <
               std::tuple(-b.process_seconds, b.program, b.by);
    });
    std::ranges::sort(site.alone, [](const AloneRow& a, const AloneRow& b) {
        return std::tuple(-(a.alone.bytes + a.beside.bytes), a.program, a.mode, a.processes) <
               std::tuple(-(b.alone.bytes + b.beside.bytes), b.program, b.mode, b.processes);
    });
    return std::move(site);
}

}  // namespace

Site site_of(Database& database, const SiteChoice& choice, const Tick& tick)
{
    const Number since = choice.since.value_or(1),
                 before = choice.before.value_or(std::numeric_limits<Number>::max());
    Number all = 0;
    jobs::fetch(database.one("select count(*) from jobs where start_ns >= ? and start_ns < ?",
                             Values{since, before}, ValueType::integer),
                all);
    Sweep sweep(database);
    Number start = since, id = -1;
    std::uint64_t done = 0;
    for (;;) {
        std::vector<RunningJob> page;
        database.each(
            fmt::format("select {} from jobs where start_ns >= ? and start_ns < ? and (start_ns > ? "
                        "or id > ?) order by start_ns, id limit {}",
                        running_columns, page_size),
            Values{start, before, start, id}, running_types(),
            [&](std::span<const Value> row) { page.push_back(running_job(row)); });
        if (page.empty()) break;
        start = page.back().start;
        id = page.back().id;
        done += page.size();
        tell_progress(tick, done, static_cast<std::uint64_t>(std::max<Number>(all, 1)));
        std::erase_if(page, [&](const RunningJob& job) {
            if (job.lack == Lack::log) ++sweep.site.lacking[static_cast<std::size_t>(job.lack)];
            return job.lack == Lack::log;
        });
        std::vector<RunningJob*> pointers;
        for (RunningJob& job : page) pointers.push_back(&job);
        add_places(database, pointers);
        add_bins(database, pointers);
        sweep.add_page(std::move(page));
        sweep.close_until(start);
    }
    Site site = sweep.finish();
    site.lacking[0] = 0;
    return site;
}

}  // namespace fathom::neighbours
