// From all that ran at the time to those on the same file system, and from these to numbers.
#include "analyzer/neighbours/beside.h"

#include <algorithm>
#include <cmath>

#include "analyzer/methods/not_finite.h"

namespace fathom::neighbours {
namespace {

constexpr std::size_t most_alike = 3, tried_alike = 6;
constexpr double half = 0.5, twentieth = 0.05, one_second = 1, computes_below = 0.8;

// How two jobs' places are to each other: the one with most bytes on which both were, if there is one.
struct Meeting {
    Sameness same = Sameness::different;
    const Place* first = nullptr;
    const Place* second = nullptr;
};

Meeting meeting_of(const RunningJob& first, const RunningJob& second, const Sources& sources)
{
    Meeting meeting;
    for (const Place& a : first.places)
        for (const Place& b : second.places) {
            if (!(a.bytes > 0 && b.bytes > 0)) continue;
            const Sameness same = compare(a, b, sources.is_one_at(a));
            if (same > meeting.same) meeting = {same, &a, &b};
        }
    return meeting;
}

struct Found {
    std::vector<Neighbour> neighbours;
    std::size_t elsewhere = 0, unsure = 0;
    std::array<std::size_t, std::size(lack_words)> lacking{};
    std::vector<Place> unsure_places;
};

Found neighbours_of(SeenJobs& seen, const RunningJob& job)
{
    Found found;
    if (job.lack == Lack::log || job.lack == Lack::time) return found;
    std::vector<RunningJob> others = seen.between(job.start, job.end, job.id);
    Sources sources;
    for (const Place& place : job.places) sources.add(place);
    for (const RunningJob& other : others)
        for (const Place& place : other.places) sources.add(place);
    for (RunningJob& other : others) {
        if (other.lack == Lack::log) {
            ++found.lacking[static_cast<std::size_t>(other.lack)];
            continue;
        }
        const Meeting meeting = meeting_of(job, other, sources);
        if (meeting.same == Sameness::different) {
            ++found.elsewhere;
        } else if (meeting.same == Sameness::not_known) {
            ++found.unsure;
            if (std::ranges::find(found.unsure_places, meeting.first->mount, &Place::mount) ==
                found.unsure_places.end())
                found.unsure_places.push_back(*meeting.first);
        } else {
            Neighbour neighbour;
            neighbour.place = *meeting.first;
            neighbour.share_there = meeting.second->share;
            neighbour.bytes_there = meeting.second->bytes;
            neighbour.job = std::move(other);
            found.neighbours.push_back(std::move(neighbour));
        }
    }
    std::vector<RunningJob*> pointers;
    for (Neighbour& one : found.neighbours) pointers.push_back(&one.job);
    seen.add_bins(pointers);
    for (Neighbour& one : found.neighbours) {
        ++found.lacking[static_cast<std::size_t>(one.job.lack)];
        one.timed =
            one.job.lack == Lack::nothing && one.place.share >= most_of_it && one.share_there >= most_of_it;
    }
    found.lacking[0] = 0;
    return found;
}

std::vector<const ActiveBins*> timed_bins(const std::vector<Neighbour>& neighbours)
{
    static const ActiveBins none;
    std::vector<const ActiveBins*> bins;
    for (const Neighbour& one : neighbours) bins.push_back(one.timed ? &one.job.bins : &none);
    return bins;
}

// A neighbour of whose activity nothing is known may have been active in any bin, if it was there.
bool all_are_timed(const std::vector<Neighbour>& neighbours)
{
    return std::ranges::all_of(neighbours, &Neighbour::timed);
}

double total_of(const ActiveBins& bins)
{
    double bytes = 0;
    for (const ActiveBin& bin : bins.bins) bytes += bin.bytes;
    return bytes;
}

}  // namespace

UsualRate usual_rate(SeenJobs& seen, const RunningJob& job, const Moved& alone, const Moved& beside)
{
    const double active = alone.seconds + beside.seconds;
    const UsualRate own{UsualRate::From::own_bins, alone.rate(), alone.seconds, 0};
    if (alone.bytes > 0 && alone.seconds >= half * active) return own;
    std::vector<double> rates;
    double seconds = 0;
    for (const Number id : runs_alike(seen.database(), job, tried_alike)) {
        if (rates.size() == most_alike) break;
        RunningJob other = job_of(seen.database(), id);
        if (other.places.empty() || other.places[0].share < most_of_it) continue;
        seen.add_bins({&other});
        if (other.lack != Lack::nothing) continue;
        const Found found = neighbours_of(seen, other);
        if (!all_are_timed(found.neighbours)) continue;
        const Disturbance there = disturbance_of(other.bins, timed_bins(found.neighbours), nan);
        if (!(there.alone.bytes > 0) ||
            there.alone.seconds < half * (there.alone.seconds + there.beside.seconds))
            continue;
        rates.push_back(there.alone.rate());
        seconds += there.alone.seconds;
    }
    if (!rates.empty()) {
        std::ranges::sort(rates);
        const std::size_t middle = rates.size() / 2;
        const double median = rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
        return {UsualRate::From::runs_alike, median, seconds, rates.size()};
    }
    if (alone.bytes > 0 && alone.seconds >= std::max(twentieth * active, one_second)) return own;
    return {UsualRate::From::nothing, nan, 0, 0};
}

ActiveSpan span_of(const ActiveBins& bins)
{
    if (bins.bins.empty()) return {};
    const double length = static_cast<double>(bins.length) / 1e9;
    double active = 0;
    for (const ActiveBin& bin : bins.bins) active += bin.bytes > 0 || bin.processes > 0 ? length : 0;
    const double seconds =
        static_cast<double>(bins.bins.back().number + 1 - bins.bins.front().number) * length;
    return {static_cast<double>(bins.bins.front().number * bins.length) / 1e9, seconds, active / seconds};
}

ModelledPair model_of(const RunningJob& first, const UsualRate& first_usual, const RunningJob& second,
                      const UsualRate& second_usual, const PairOverlap& pair)
{
    ModelledPair model;
    const std::array spans = {span_of(first.bins), span_of(second.bins)};
    const std::array sides = {&pair.first, &pair.second};
    const std::array rates = {first_usual.rate, second_usual.rate};
    const std::array bytes = {total_of(first.bins), total_of(second.bins)};
    std::array<Contender, 2> contenders{};
    for (std::size_t at = 0; at < 2; ++at) {
        model.processes[at] = std::max(sides[at]->processes, 1.0);
        model.observed[at] = spans[at].seconds;
        model.alone[at] = rates[at] > 0 ? bytes[at] / rates[at] : nan;
        contenders[at] = {model.alone[at], model.processes[at], spans[at].start - spans[0].start};
    }
    const auto predicted = seconds_side_by_side(contenders);
    const bool nodes_known = first.nodes > 0 && second.nodes > 0;
    contenders[0].processes = first.nodes;
    contenders[1].processes = second.nodes;
    const auto by_nodes = seconds_side_by_side(contenders);
    for (std::size_t at = 0; at < 2; ++at) {
        model.predicted[at] = predicted[at];
        model.by_nodes[at] = nodes_known ? by_nodes[at] : nan;
        model.alone_predicted[at] = seconds_alone(sides[at]->apart.seconds, sides[at]->together.seconds,
                                                  model.processes[at], model.processes[1 - at]);
    }
    if (!(rates[0] > 0 && rates[1] > 0))
        model.lack = ModelledPair::Lack::usual_rate;
    else if (spans[0].share < computes_below || spans[1].share < computes_below)
        model.lack = ModelledPair::Lack::computes;
    return model;
}

Beside look_beside(jobs::Database& database, Number id, std::size_t with_model)
{
    Beside beside;
    SeenJobs seen(database);
    RunningJob& job = beside.job = job_of(database, id);
    seen.add_bins({&job});
    Found found = neighbours_of(seen, job);
    beside.elsewhere = found.elsewhere;
    beside.unsure = found.unsure;
    beside.lacking = found.lacking;
    beside.unsure_places = std::move(found.unsure_places);
    beside.neighbours = std::move(found.neighbours);
    beside.usual.rate = nan;
    beside.disturbance.lost = nan;
    if (job.lack != Lack::nothing) return beside;
    const auto bins = timed_bins(beside.neighbours);
    beside.disturbance = disturbance_of(job.bins, bins, nan);
    if (!job.places.empty() && job.places[0].share >= most_of_it)
        beside.usual = usual_rate(seen, job, beside.disturbance.alone, beside.disturbance.beside);
    if (beside.usual.rate > 0) beside.disturbance = disturbance_of(job.bins, bins, beside.usual.rate);
    for (Neighbour& one : beside.neighbours) one.part.lost = beside.usual.rate > 0 ? 0 : nan;
    for (const NeighbourPart& part : beside.disturbance.parts) beside.neighbours[part.neighbour].part = part;
    beside.disturbance.parts.clear();  // each neighbour has its own
    std::erase_if(beside.neighbours, [&](const Neighbour& one) {
        const bool never = one.timed && !(one.part.seconds > 0);
        beside.apart += never;
        return never;
    });
    // A sum of what is not known is not known; then those that moved most come first.
    std::ranges::sort(beside.neighbours, [](const Neighbour& a, const Neighbour& b) {
        const auto order = [](const Neighbour& one) {
            return std::tuple(!one.timed, std::isfinite(one.part.lost) ? -one.part.lost : 0, -one.part.bytes,
                              -one.bytes_there, one.job.id);
        };
        return order(a) < order(b);
    });
    std::size_t modelled = 0;
    for (Neighbour& one : beside.neighbours) {
        if (!one.timed) continue;
        one.pair = overlap_of(job.bins, one.job.bins);
        if (modelled == with_model) continue;
        ++modelled;
        const Found theirs = neighbours_of(seen, one.job);
        const Disturbance around = disturbance_of(one.job.bins, timed_bins(theirs.neighbours), nan);
        one.usual = usual_rate(seen, one.job, around.alone, around.beside);
        one.model = model_of(job, beside.usual, one.job, one.usual, one.pair);
        // The model has two jobs: nobody else was active for longer than a tenth of their time.
        const auto others = [&](const Disturbance& all, Number but, const std::vector<Neighbour>& who) {
            double seconds = 0;
            for (const NeighbourPart& part : all.parts)
                if (who[part.neighbour].job.id != but) seconds = std::max(seconds, part.seconds);
            return seconds;
        };
        double third = others(around, job.id, theirs.neighbours);
        for (const Neighbour& other : beside.neighbours)
            if (other.job.id != one.job.id) third = std::max(third, other.part.seconds);
        if (one.model->lack == ModelledPair::Lack::nothing &&
            third > 0.1 * std::max(one.model->observed[0], one.model->observed[1]))
            one.model->lack = ModelledPair::Lack::others;
    }
    return beside;
}

}  // namespace fathom::neighbours
