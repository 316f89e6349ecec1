// What served an operation, by how long it took and what models say of its size.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/timing/models/model.h"
#include "analyzer/timing/models/states.h"

namespace fathom {

// limit: the first model whose limit is not passed, as in the paper; nearest: the one whose usual time is
// nearest. See methods/explain.h.
enum class JudgeRule : std::uint8_t { limit, nearest };
inline constexpr std::string_view rule_names[] = {"limit", "nearest"};

// nearest where models have usual times, else limit.
JudgeRule usual_rule(const ModelFile& file);

struct Verdict {
    std::optional<std::size_t> served;  // one of the classes; nothing: no model speaks of such operations
    std::optional<double> lost;         // seconds more than from the cache; nothing: no model of that either
};

class Judge {
  public:
    // The file must outlive it. By `nearest` all models must have usual times.
    Judge(const ModelFile& file, JudgeRule rule);

    const std::vector<ServedClass>& classes() const { return classes_; }  // the last is `uncached`
    JudgeRule rule() const { return rule_; }

    // Seconds and bytes. Where `memory` is a layout that models of the operation have, these alone are asked.
    //
    // By `nearest`, where no uncached operations were measured, what is above the limits of all models is
    // uncached.
    //
    // What was served from the cache or quicker has lost nothing. Others lose what they took longer than the
    // slowest model of cached operations says: at least so much.
    Verdict judge(std::string_view operation, std::string_view memory, double size, double duration);

  private:
    // Models that are asked of one kind of operation, and what they say of one size.
    struct Asked {
        std::vector<const IoModel*> models;
        std::vector<std::size_t> served;  // a class each
        bool any_uncached = false;
    };
    struct Predictions {
        std::vector<std::optional<double>> times;
        std::optional<double> cached, highest_limit;
    };
    struct Bench {
        Asked asked;
        std::unordered_map<double, Predictions> by_size;
        double last_size = -1;
        const Predictions* last = nullptr;
    };

    Bench& bench_of(std::string_view operation, std::string_view memory);
    const Predictions& predictions(Bench& bench, double size) const;
    std::size_t class_of(const IoModel& model) const;

    const ModelFile& file_;
    JudgeRule rule_;
    std::vector<ServedClass> classes_;
    std::map<std::string, Bench, std::less<>> benches_;
};

}  // namespace fathom
