// The document of `fathom compare`: a later run beside one earlier one, or several.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "analyzer/compare/metrics.h"
#include "analyzer/compare/run.h"
#include "analyzer/document/document.h"

namespace fathom {

struct ComparisonChoice {
    std::optional<double> noise;  // as a share; nothing: from the earlier runs, or that of one run
    std::size_t files = 10;       // rows of a table of files
};

// `earlier` is not empty; `numbers` are compare_metrics() of both.
report::Document make_comparison(std::span<const Run> earlier, const Run& later,
                                 std::span<const Compared> numbers, const ComparisonChoice& choice);

// The earlier run whose run time is in the middle: it stands for all of them where sums do not help.
const Run& middle_run(std::span<const Run> earlier);

// The blocks of its sections, a file each.
std::vector<report::Block> verdict_blocks(std::span<const Run> earlier, const Run& later,
                                          std::span<const Compared> numbers, const ComparisonChoice& choice);
std::vector<report::Block> cause_blocks(std::span<const Run> earlier, const Run& later,
                                        std::span<const Compared> numbers);
std::vector<report::Block> finding_blocks(const Run& earlier, const Run& later);
std::vector<report::Block> number_blocks(std::span<const Compared> numbers);
std::vector<report::Block> circumstance_blocks(const Run& earlier, const Run& later);
std::vector<report::Block> file_blocks(const Run& earlier, const Run& later, std::size_t most);
std::vector<report::Block> dataset_blocks(const Run& earlier, const Run& later, std::size_t most);
std::vector<report::Block> run_blocks(std::span<const Run> earlier, const Run& later);

}  // namespace fathom
