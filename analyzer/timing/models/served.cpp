// Judges one operation after the other, and adds up.
#include "analyzer/timing/models/served.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "analyzer/document/units.h"
#include "analyzer/timing/models/measurement.h"

namespace fathom {
namespace {

constexpr std::size_t most_samples = std::size_t{1} << 17;

double sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

// Keeps every so many-th operation: when it is full, every second one of those that it has.
class Sampler {
  public:
    explicit Sampler(ServedSamples& into) : into_(into) {}

    void add(double start, double duration, std::size_t served)
    {
        if (seen_++ % into_.every != 0) return;
        if (into_.starts.size() == most_samples) halve();
        into_.starts.push_back(start);
        into_.durations.push_back(duration);
        into_.served.push_back(served);
    }

  private:
    void halve()
    {
        const std::size_t left = into_.starts.size() / 2;
        for (std::size_t at = 0; at < left; ++at) {
            into_.starts[at] = into_.starts[2 * at];
            into_.durations[at] = into_.durations[2 * at];
            into_.served[at] = into_.served[2 * at];
        }
        into_.starts.resize(left);
        into_.durations.resize(left);
        into_.served.resize(left);
        into_.every *= 2;
    }

    ServedSamples& into_;
    std::uint64_t seen_ = 0;
};

void add(ServedGroup& group, const Verdict& verdict, double duration, double weight)
{
    if (!verdict.served) {
        group.unjudged += weight;
        return;
    }
    group.operations[*verdict.served] += weight;
    group.time[*verdict.served] += weight * duration;
    if (verdict.lost)
        group.lost[*verdict.served] += weight * *verdict.lost;
    else
        group.unknown_loss += weight;
}

// The size that stands for an operation of a class whose own is not known; nothing: none does.
std::optional<double> size_of(const TimedClass& of)
{
    if (of.mean_bytes) return of.mean_bytes;
    if (of.same_size()) return static_cast<double>(*of.least_bytes);
    return std::nullopt;
}

ServedGroup group_of(const TimedClass& of, Judge& judge, const std::string& memory, Sampler& sampler)
{
    ServedGroup group(judge.classes().size());
    group.name = of.name();
    group.counted = of.layer != "MPI-IO";
    const auto size = size_of(of);
    if (!of.durations.empty() && (size || !of.sizes.empty())) {
        const double weight = static_cast<double>(of.operations) / static_cast<double>(of.durations.size());
        for (std::size_t at = 0; at < of.durations.size(); ++at) {
            const double bytes = of.sizes.empty() ? *size : static_cast<double>(of.sizes[at]);
            const Verdict verdict = judge.judge(of.operation, memory, bytes, of.durations[at]);
            add(group, verdict, of.durations[at], weight);
            if (verdict.served && group.counted && !of.starts.empty())
                sampler.add(of.starts[at], of.durations[at], *verdict.served);
        }
        return group;
    }
    if (!size) {
        group.unjudged = static_cast<double>(of.operations);
        return group;
    }
    for (const HistogramBin& bin : of.bins) {
        const double duration = static_cast<double>(middle_of(bin)) / 1e9;
        add(group, judge.judge(of.operation, memory, *size, duration), duration,
            static_cast<double>(bin.operations));
    }
    return group;
}

}  // namespace

double ServedGroup::all_operations() const
{
    return sum(operations);
}
double ServedGroup::all_time() const
{
    return sum(time);
}
double ServedGroup::all_lost() const
{
    return sum(lost);
}

ServedGroup Served::total() const
{
    ServedGroup total(classes.size());
    for (const ServedGroup& group : groups) {
        if (!group.counted) continue;
        for (std::size_t at = 0; at < classes.size(); ++at) {
            total.operations[at] += group.operations[at];
            total.time[at] += group.time[at];
            total.lost[at] += group.lost[at];
        }
        total.unjudged += group.unjudged;
        total.unknown_loss += group.unknown_loss;
    }
    return total;
}

bool Served::knows_states() const
{
    return std::any_of(groups.begin(), groups.end(),
                       [](const ServedGroup& one) { return !one.state.empty(); });
}

Served served_of_measurement(const std::string& path, Judge& judge, const MemoryChoice& memory,
                             const Tick& tick)
{
    using Key = std::tuple<std::string, std::size_t, std::string, std::size_t, std::string, std::string>;
    std::map<Key, ServedGroup> groups;
    Served served;
    served.classes = judge.classes();
    Sampler sampler(served.samples);
    Key last_key;
    ServedGroup* last = nullptr;
    const MeasurementNotes notes = each_measured(
        path,
        [&](const MeasuredOperation& one) {
            if (last == nullptr || std::get<0>(last_key) != one.operation ||
                std::get<2>(last_key) != one.state || std::get<4>(last_key) != one.memory ||
                std::get<5>(last_key) != one.file) {
                last_key = {std::string(one.operation), rank_of_state(one.state), std::string(one.state),
                            rank_of_layout(one.memory), std::string(one.memory),  std::string(one.file)};
                last = &groups.try_emplace(last_key, judge.classes().size()).first->second;
                last->name = fmt::format("{}-{}-{} {}", one.state, one.memory, one.file, one.operation);
                last->state = one.state;
            }
            const Verdict verdict = judge.judge(one.operation, memory.of_rows ? one.memory : memory.layout,
                                                static_cast<double>(one.size), one.duration);
            add(*last, verdict, one.duration, 1);
            if (verdict.served) sampler.add(one.start, one.duration, *verdict.served);
        },
        tick);
    for (auto& [key, group] : groups) served.groups.push_back(std::move(group));
    if (notes.not_as_asked > 0)
        served.notes.push_back(fmt::format(
            "{} are left out: the checks beside the measurement say that they were not in the state that was "
            "asked for.",
            report::counted(notes.not_as_asked, "operation", "operations")));
    return served;
}

Served served_of(const TimedOperations& operations, Judge& judge, const MemoryChoice& memory)
{
    Served served;
    served.classes = judge.classes();
    Sampler sampler(served.samples);
    std::set<std::string> layers_seen;
    for (const TimedClass& one : operations.classes) {
        if (one.operation != "read" && one.operation != "write") continue;
        served.groups.push_back(group_of(one, judge, memory.layout, sampler));
        layers_seen.insert(one.layer);
    }
    served.notes = operations.notes;
    served.notes.insert(served.notes.end(), operations.problems.begin(), operations.problems.end());
    // What all names begin with is said once, which leaves room in the tables.
    if (layers_seen.size() != 1 || layers_seen.begin()->empty()) return served;
    for (ServedGroup& group : served.groups)
        if (group.name.starts_with(*layers_seen.begin() + " "))
            group.name.erase(0, layers_seen.begin()->size() + 1);
    served.notes.push_back(fmt::format("All of them are operations of {}.", *layers_seen.begin()));
    return served;
}

}  // namespace fathom
