// Durations by experiment and size, their limits, and lines through these.
#include "analyzer/timing/models/train.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <stdexcept>
#include <tuple>

#include "analyzer/document/units.h"
#include "analyzer/methods/outlier_limit.h"
#include "analyzer/timing/models/measurement.h"
#include "analyzer/timing/models/states.h"

namespace fathom {
namespace {

// One of the experiments of which each gives a model; in the order of models.
struct Experiment {
    std::string operation, state, memory, file;
    auto order() const
    {
        return std::tuple(operation, rank_of_state(state), state, rank_of_layout(memory), memory,
                          rank_of_layout(file), file);
    }
    bool operator<(const Experiment& other) const { return order() < other.order(); }
};

using Durations = std::map<std::uint64_t, std::vector<float>>;  // by size

// Sums over some sizes of what is more than each limit.
struct Passed {
    std::uint64_t operations = 0, outliers = 0, outliers_of_model = 0;
};

ModelErrors errors_of(const TwoLines& lines, std::span<const TrainedSize> sizes)
{
    std::vector<double> at, limits;
    Passed sum;
    for (const TrainedSize& one : sizes) {
        at.push_back(static_cast<double>(one.size));
        limits.push_back(one.limit);
        sum.operations += one.operations;
        sum.outliers += one.outliers;
        sum.outliers_of_model += one.outliers_of_model;
    }
    const auto error = error_of(lines, at, limits);
    if (!error) return {};
    const auto share = [&](std::uint64_t part) {
        return static_cast<double>(part) / static_cast<double>(sum.operations);
    };
    return {error->absolute, error->relative, share(sum.outliers), share(sum.outliers_of_model)};
}

// Nothing where no size has operations enough.
std::optional<IoModel> model_of(const Experiment& of, const Durations& durations, std::uint64_t& left_out)
{
    IoModel model;
    model.state = of.state;
    model.operation = of.operation;
    model.memory = of.memory;
    model.file = of.file;
    std::vector<double> at, limits, typical;
    for (const auto& [size, some] : durations) {
        const auto limit = some.size() < least_operations_of_size ? std::nullopt : outlier_limit(some);
        if (!limit) {
            ++left_out;
            continue;
        }
        at.push_back(static_cast<double>(size));
        limits.push_back(limit_margin * limit->seconds);
        typical.push_back(limit->median);
        model.sizes.push_back({size, limit->seconds, limit->median, limit->operations, limit->outliers, 0});
    }
    const auto lines = fit_two_lines(at, limits);
    const auto usual = fit_two_lines(at, typical, Misfit::relative);
    if (!lines || !usual) return std::nullopt;
    model.limit = *lines;
    model.typical = *usual;
    for (TrainedSize& one : model.sizes) {
        const double most = model.limit.at(static_cast<double>(one.size)).value_or(0);
        for (const float duration : durations.at(one.size))
            one.outliers_of_model += static_cast<double>(duration) > most;
    }
    const auto above = std::find_if(model.sizes.begin(), model.sizes.end(), [](const TrainedSize& one) {
        return static_cast<double>(one.size) > page_bytes;
    });
    model.small_errors = errors_of(model.limit, std::span(model.sizes.begin(), above));
    model.large_errors = errors_of(model.limit, std::span(above, model.sizes.end()));
    return model;
}

// Devices have no places, so that those of a file are not theirs; and what is read in order after the cache
// was dropped is read ahead, so that places by chance are what shows the device.
bool of_layout(const MeasuredOperation& one, const std::vector<std::string>& files)
{
    return files.empty() || std::find(files.begin(), files.end(), one.file) != files.end() ||
           one.state == discard_state || (one.state == uncached_state && one.file == "rnd");
}

bool chosen(const MeasuredOperation& one, const TrainingChoice& choice)
{
    const auto& largest = one.operation == "read" ? choice.largest_read : choice.largest_write;
    return one.threads == choice.threads && one.size <= largest.value_or(one.size) &&
           of_layout(one, choice.files);
}

// The same again, since rows of an experiment follow one another.
class Collected {
  public:
    void add(const MeasuredOperation& one)
    {
        // /dev/zero and /dev/null have no places: whatever the layout, it is the same experiment.
        const std::string_view file = one.state == discard_state ? "off0" : one.file;
        if (!last_ || last_->first.state != one.state || last_->first.operation != one.operation ||
            last_->first.memory != one.memory || last_->first.file != file)
            last_ = &*all_.try_emplace({std::string(one.operation), std::string(one.state),
                                        std::string(one.memory), std::string(file)})
                          .first;
        last_->second[one.size].push_back(static_cast<float>(one.duration));
    }
    const std::map<Experiment, Durations>& all() const { return all_; }

  private:
    std::map<Experiment, Durations> all_;
    std::pair<const Experiment, Durations>* last_ = nullptr;
};

std::string sentence(std::uint64_t n, std::string_view of, std::string_view why)
{
    return fmt::format("{} {}: {}.", report::format_count(n), of, why);
}

}  // namespace

Training train_models(const std::string& measurement, const TrainingChoice& choice, const Tick& tick)
{
    Collected collected;
    std::uint64_t others = 0, sizes_left_out = 0;
    const MeasurementNotes notes = each_measured(
        measurement,
        [&](const MeasuredOperation& one) {
            if (chosen(one, choice))
                collected.add(one);
            else
                ++others;
        },
        tick);
    Training training;
    training.file.made.measurement = std::filesystem::path(measurement).filename().string();
    for (const auto& [experiment, durations] : collected.all())
        if (auto model = model_of(experiment, durations, sizes_left_out))
            training.file.models.push_back(std::move(*model));
    if (notes.not_as_asked > 0)
        training.notes.push_back(sentence(notes.not_as_asked, "operations are left out",
                                          "they were not in the state that was asked for, as the checks "
                                          "beside the measurement say"));
    if (others > 0)
        training.notes.push_back(sentence(others, "operations are left out",
                                          "they are of other file layouts, larger sizes, or other numbers of "
                                          "threads than those that were chosen"));
    if (sizes_left_out > 0)
        training.notes.push_back(
            sentence(sizes_left_out, "sizes are left out",
                     fmt::format("they have fewer than {} operations each", least_operations_of_size)));
    if (training.file.models.empty())
        throw std::runtime_error(fmt::format(
            "{}: no model can be made of its {} rows: {}", measurement, report::format_count(notes.rows),
            training.notes.empty()
                ? "measure with fathom measure"
                : "see --file, --threads and the limits of sizes; " + training.notes.back()));
    return training;
}

}  // namespace fathom
