#include "logformat/series/builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace fathom::series {
namespace {

constexpr std::size_t mixed(std::size_t seed, std::size_t more)
{
    return (seed ^ more) * 0x9e3779b97f4a7c15 + (seed >> 29);
}

Nanoseconds median_step(const std::vector<Sample>& samples)
{
    if (samples.size() < 2) return 0;
    std::vector<Nanoseconds> steps;
    steps.reserve(samples.size() - 1);
    for (std::size_t at = 1; at < samples.size(); ++at)
        steps.push_back(samples[at].end - samples[at - 1].end);
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle;
}

bool ends_first(const Sample& one, const Sample& other)
{
    return std::pair(one.end, other.begin) < std::pair(other.end, one.begin);
}

}  // namespace

std::size_t Builder::ComponentHash::operator()(const Component& component) const
{
    const std::hash<std::string_view> hash;
    std::size_t value = static_cast<std::size_t>(component.type);
    for (const std::string* const text : {&component.system, &component.host, &component.name, &component.on})
        value = mixed(value, hash(*text));
    return value;
}

std::size_t Builder::SeriesHash::operator()(const SeriesKey& key) const
{
    return mixed(key.component, std::hash<std::string_view>()(key.quantity));
}

std::size_t Builder::SeriesHash::operator()(Id id) const
{
    return (*this)(SeriesKey{table->series[id].component, table->series[id].quantity});
}

Builder::Builder(Table& table, const Window& window)
    : table_(table),
      window_(window),
      components_(0, ComponentHash{&table}, SameComponent{&table}),
      series_(0, SeriesHash{&table}, SameSeries{&table})
{}

void Builder::begin_file(std::string name)
{
    say_left_out();
    file_name_ = std::move(name);
    ++file_;
    origin_ = 0;
}

void Builder::totals_count_from(std::string_view origin)
{
    origin_ = std::hash<std::string_view>()(origin);
}

std::uint32_t Builder::component(Component component)
{
    if (component.type == ComponentType::device) component.type = type_of_device(component.name);
    if (const auto found = components_.find(component); found != components_.end()) return *found;
    const auto at = static_cast<std::uint32_t>(table_.components.size());
    table_.components.push_back(std::move(component));
    components_.insert(at);
    return at;
}

void Builder::lives_on(const Component& component, const std::string& host)
{
    Component without = component;
    without.host.clear();
    hosts_[without].insert(host);
}

Builder::Id Builder::series(std::uint32_t component, std::string_view quantity, Kind kind)
{
    if (const auto found = series_.find(SeriesKey{component, quantity}); found != series_.end())
        return *found;
    const auto id = static_cast<Id>(table_.series.size());
    const Quantity* const row = quantity_named(quantity);
    table_.series.push_back({component, row == nullptr ? kind : row->kind, std::string(quantity), {}, 0});
    states_.emplace_back();
    series_.insert(id);
    return id;
}

// The times of series rise within each file.
Builder::State& Builder::state_of(Id id)
{
    State& state = states_[id];
    if (state.file != file_ || state.origin != origin_) {
        const Nanoseconds end = state.file == file_ ? state.end : State{}.end;
        if (state.known)
            runs_[id].push_back({state.first, state.last, state.scale, state.bits, state.origin});
        state = State{};
        state.file = file_;
        state.origin = origin_;
        state.end = end;
    }
    return state;
}

void Builder::say_not_after(Nanoseconds end)
{
    left_out("their times are not after those before them, as if the clock went back", utc_text(end));
}

bool Builder::is_after(State& state, Nanoseconds end, bool same_value_is_quiet)
{
    if (end > state.end) {
        state.end = end;
        return true;
    }
    if (end < state.end || !same_value_is_quiet) say_not_after(end);
    return false;
}

void Builder::keep(Id id, const Sample& sample)
{
    const bool inside = sample.begin == sample.end ? sample.end >= window_.begin && sample.end <= window_.end
                                                   : sample.end > window_.begin && sample.begin < window_.end;
    if (inside) table_.series[id].samples.push_back(sample);
}

void Builder::amount(Id id, Nanoseconds begin, Nanoseconds end, double value)
{
    if (begin >= end) return say_not_after(end);
    if (!std::isfinite(value) || value < 0) {
        left_out("their amounts are below 0 or no numbers", utc_text(end));
        return;
    }
    State& state = state_of(id);
    const bool again = state.last.time == end && state.last.value == value;
    const Nanoseconds covered = state.end;
    if (!is_after(state, end, again)) return;
    state.last = {end, value};
    if (begin < covered) {
        value *= static_cast<double>(end - covered) / static_cast<double>(end - begin);
        begin = covered;
    }
    keep(id, {begin, end, value});
}

void Builder::level(Id id, Nanoseconds begin, Nanoseconds end, double value)
{
    if (!std::isfinite(value)) {
        left_out("their values are no numbers", utc_text(end));
        return;
    }
    if (begin > end) return say_not_after(end);
    State& state = state_of(id);
    const bool again = state.last.time == end && state.last.value == value;
    if (begin < end) begin = std::max(begin, state.end);
    if (!is_after(state, end, again)) return;
    state.last = {end, value};
    keep(id, {begin, end, value});
}

void Builder::between(Id id, const Point& from, const Point& to, double scale, int bits)
{
    long double difference = to.value - from.value;
    if (difference < 0) {
        const long double all = std::ldexp(1.0L, bits);
        if (bits >= 64 || -difference <= all / 2) return;
        difference += all;
    }
    keep(id, {from.time, to.time, static_cast<double>(difference) * scale});
}

void Builder::total(Id id, Nanoseconds time, long double value, double scale, int bits)
{
    if (!std::isfinite(value) || value < 0) {
        left_out("their totals are below 0 or no numbers", utc_text(time));
        return;
    }
    State& state = state_of(id);
    const bool again = state.known && (state.zeros.empty() ? state.last.value == value : value == 0);
    if (!is_after(state, time, again)) return;
    state.scale = scale;
    state.bits = bits;
    const Point now{time, value};
    if (!state.known) {
        state.known = true;
        state.first = state.last = now;
        return;
    }
    const bool wraps = bits < 64 && state.last.value > std::ldexp(1.0L, bits - 1);
    if (value == 0 && state.last.value > 0 && !wraps) {
        state.zeros.push_back(time);
        return;
    }
    Point from = state.last;
    if (!state.zeros.empty() && value < state.last.value) {
        from = {state.zeros.front(), 0};
        for (const Nanoseconds zero : state.zeros)
            if (zero > from.time) {
                between(id, from, {zero, 0}, scale, bits);
                from.time = zero;
            }
    }
    state.zeros.clear();
    between(id, from, now, scale, bits);
    state.last = now;
}

void Builder::left_out(std::string_view why, std::string_view place, std::uint64_t samples)
{
    const auto found = std::ranges::find(left_out_, why, &LeftOut::why);
    if (found == left_out_.end()) {
        left_out_.push_back({std::string(why), std::string(place), std::string(place), samples});
        return;
    }
    found->last = place;
    found->number += samples;
}

void Builder::say_left_out()
{
    for (const LeftOut& some : std::exchange(left_out_, {}))
        problem(fmt::format("{} {} left out: {} ({}{}{})", some.number,
                            some.number == 1 ? "sample is" : "samples are", some.why, some.first,
                            some.first == some.last ? "" : " to ", some.first == some.last ? "" : some.last));
}

void Builder::problem(const std::string& text)
{
    if (table_.problems.size() < most_problems)
        table_.problems.push_back(file_name_.empty() ? text : fmt::format("{}: {}", file_name_, text));
    else
        ++problems_left_out_;
}

void Builder::put_in_order(Series& series)
{
    std::vector<Sample>& samples = series.samples;
    if (!std::is_sorted(samples.begin(), samples.end(), ends_first))
        std::sort(samples.begin(), samples.end(), ends_first);
    std::size_t kept = 0;
    for (const Sample& sample : samples) {
        const bool first = kept == 0;
        if (!first && (sample.end == samples[kept - 1].end || sample.begin < samples[kept - 1].end)) continue;
        samples[kept++] = sample;
    }
    samples.resize(kept);
    samples.shrink_to_fit();
    series.usual_interval = median_step(samples);
}

void Builder::join_hosts()
{
    const auto without_host = [](Component component) {
        component.host.clear();
        return component;
    };
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max(), several = none - 1;
    std::map<Component, std::uint32_t> with_host;  // which it is
    bool lacks = !hosts_.empty();
    for (const Component& component : table_.components) lacks = lacks || component.host.empty();
    if (!lacks) return;
    for (std::uint32_t at = 0; at < table_.components.size(); ++at) {
        if (table_.components[at].host.empty()) continue;
        const auto [place, is_new] = with_host.emplace(without_host(table_.components[at]), at);
        if (!is_new) place->second = several;
    }
    std::vector<std::uint32_t> place_of(table_.components.size());
    std::vector<Component> joined;
    const auto fact = [&](const Component& component) {
        const auto known = hosts_.find(component);
        return known != hosts_.end() && known->second.size() == 1 ? *known->second.begin() : std::string();
    };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;
    for (std::uint32_t at = 0; at < table_.components.size(); ++at) {
        Component component = table_.components[at];
        place_of[at] = none;
        if (component.host.empty()) {
            const auto other = with_host.find(component);
            if (other != with_host.end() && other->second != several) {
                same.emplace_back(at, other->second);
                continue;
            }
            if (other == with_host.end()) component.host = fact(component);
        }
        place_of[at] = static_cast<std::uint32_t>(joined.size());
        joined.push_back(std::move(component));
    }
    for (const auto& [at, other] : same) place_of[at] = place_of[other];
    std::set<Component> told;
    for (const Component& component : joined) told.insert(without_host(component));
    for (const auto& [component, hosts] : hosts_)
        if (!told.contains(component)) {
            joined.push_back(component);
            joined.back().host = fact(component);
        }
    table_.components = std::move(joined);
    // Two series of what is one component now.
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> seen;
    std::vector<Series> kept;
    for (Series& series : table_.series) {
        series.component = place_of[series.component];
        if (!same.empty()) {
            const auto [found, is_new] =
                seen.emplace(std::pair(series.component, series.quantity), kept.size());
            if (!is_new) {
                auto& samples = kept[found->second].samples;
                samples.insert(samples.end(), series.samples.begin(), series.samples.end());
                continue;
            }
        }
        kept.push_back(std::move(series));
    }
    table_.series = std::move(kept);
}

void Builder::finish()
{
    say_left_out();
    for (auto& [id, runs] : runs_) {
        const State& state = states_[id];
        if (state.known) runs.push_back({state.first, state.last, state.scale, state.bits, state.origin});
        std::ranges::sort(runs, {}, [](const Run& run) { return run.first.time; });
        Point last = runs.front().last;
        std::size_t origin = runs.front().origin;
        for (const Run& run : runs) {
            if (run.first.time > last.time && run.origin == origin)
                between(id, last, run.first, run.scale, run.bits);
            if (run.last.time <= last.time) continue;
            last = run.last;
            origin = run.origin;
        }
    }
    std::uint64_t once = 0;
    for (Id id = 0; id < states_.size(); ++id)
        if (states_[id].known && states_[id].first.time == states_[id].last.time && !runs_.contains(id))
            ++once;
    components_.clear();
    series_.clear();
    states_ = {};
    runs_.clear();
    join_hosts();
    std::erase_if(table_.series, [](const Series& series) { return series.samples.empty(); });
    for (Series& series : table_.series) put_in_order(series);
    file_name_.clear();
    if (once > 0)
        problem(fmt::format("{} {} once alone: an amount is the difference of two, so take a second sample",
                            once, once == 1 ? "total came" : "totals came"));
    if (problems_left_out_ > 0)
        table_.problems.push_back(fmt::format("{} more of this kind", problems_left_out_));
}

}  // namespace fathom::series
