// How the records of older versions of a module become those of the newest one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "parsers/darshan/modules.h"

namespace fathom::darshan {

// Where each counter of the newest version comes from, in 8-byte words after the record's id and rank.
struct WordPlan {
    struct From {
        std::size_t word = 0;
        bool there = false;
        std::int64_t otherwise = -1;  // "not recorded"
    };
    std::vector<From> numbers, times;
    std::size_t words = 0;  // of a record as it lies in the log, id and rank included
    bool has_container = false;
    std::optional<std::size_t> drop_if_positive;  // a record in which this word is more than 0 does not count
    std::optional<std::size_t> add_to_opens;      // a word that the newest version counts as opens too
};

// Nothing where the module has no counters or the version is not known.
std::optional<WordPlan> plan_of(Module module, std::uint32_t version);

}  // namespace fathom::darshan
