// The order of states and layouts, from the quickest on, and the classes that operations are divided into.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/timing/models/model.h"

namespace fathom {

// discard, cached, names of one's own, uncached.
std::size_t rank_of_state(std::string_view state);
// In the order of the paper; other names last.
std::size_t rank_of_layout(std::string_view layout);

// What an operation is said to have been: as the paper's table 4, a state and where the buffer was in memory.
// The file's layout is not distinguished, nor the buffer's for what was not cached.
struct ServedClass {
    std::string state, memory;
    std::string name() const { return memory.empty() ? state : state + " " + memory; }
    bool operator==(const ServedClass&) const = default;
};

// Of the models, in their order, and `uncached` as the last.
std::vector<ServedClass> classes_of(const std::vector<IoModel>& models);

}  // namespace fathom
