// Asks the models of an operation's kind; what they say of a size is kept, since sizes repeat.
#include "analyzer/timing/models/judge.h"

#include <algorithm>
#include <stdexcept>

#include "analyzer/methods/explain.h"

namespace fathom {
namespace {

// A program may use as many sizes as it has operations.
constexpr std::size_t most_sizes_kept = 4096;

bool is_quick(const ServedClass& served)
{
    return served.state == discard_state || served.state == cached_state;
}

}  // namespace

JudgeRule usual_rule(const ModelFile& file)
{
    return file.has_typical() ? JudgeRule::nearest : JudgeRule::limit;
}

Judge::Judge(const ModelFile& file, JudgeRule rule)
    : file_(file), rule_(rule), classes_(classes_of(file.models))
{
    if (rule == JudgeRule::nearest && !file.has_typical())
        throw std::logic_error("the nearest model is asked for of models without usual times");
}

std::size_t Judge::class_of(const IoModel& model) const
{
    if (model.state == uncached_state) return classes_.size() - 1;
    const ServedClass served{model.state, model.memory};
    return static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), served) - classes_.begin());
}

Judge::Bench& Judge::bench_of(std::string_view operation, std::string_view memory)
{
    std::string key(operation);
    (key += '\n') += memory;
    if (const auto found = benches_.find(key); found != benches_.end()) return found->second;
    Bench& bench = benches_[key];
    const auto is_known = [&](const IoModel& model) {
        return model.operation == operation && model.memory == memory && model.state != uncached_state;
    };
    const bool known = std::any_of(file_.models.begin(), file_.models.end(), is_known);
    for (const IoModel& model : file_.models) {
        if (model.operation != operation || (known && model.memory != memory)) continue;
        // The paper's rule has no models of what is beyond them all.
        if (rule_ == JudgeRule::limit && model.state == uncached_state) continue;
        bench.asked.models.push_back(&model);
        bench.asked.served.push_back(class_of(model));
        bench.asked.any_uncached = bench.asked.any_uncached || model.state == uncached_state;
    }
    return bench;
}

const Judge::Predictions& Judge::predictions(Bench& bench, double size) const
{
    if (bench.last != nullptr && bench.last_size == size) return *bench.last;
    if (bench.by_size.size() >= most_sizes_kept) bench.by_size.clear();
    auto [found, made] = bench.by_size.try_emplace(size);
    Predictions& of = found->second;
    if (made)
        for (const IoModel* const model : bench.asked.models) {
            const auto time = (rule_ == JudgeRule::limit ? model->limit : model->typical).at(size);
            of.times.push_back(time);
            if (time && model->state == cached_state) of.cached = std::max(of.cached.value_or(0), *time);
            if (const auto limit = model->limit.at(size))
                of.highest_limit = std::max(of.highest_limit.value_or(0), *limit);
        }
    bench.last_size = size;
    bench.last = &of;
    return of;
}

Verdict Judge::judge(std::string_view operation, std::string_view memory, double size, double duration)
{
    Bench& bench = bench_of(operation, memory);
    const Predictions& of = predictions(bench, size);
    const std::size_t models = bench.asked.models.size(), uncached = classes_.size() - 1;
    auto model =
        rule_ == JudgeRule::limit ? first_limit(of.times, duration) : nearest_model(of.times, duration);
    if (!model) return {};
    if (rule_ == JudgeRule::nearest && !bench.asked.any_uncached && of.highest_limit &&
        duration > *of.highest_limit)
        model = models;
    const std::size_t served = *model < models ? bench.asked.served[*model] : uncached;
    if (is_quick(classes_[served])) return {served, 0};
    if (!of.cached) return {served, std::nullopt};
    return {served, std::max(duration - *of.cached, 0.0)};
}

}  // namespace fathom
