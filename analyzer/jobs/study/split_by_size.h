// Tables and charts that split the runs of each size: by interface, by how files are shared.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/jobs/study/job_sizes.h"

namespace fathom::jobs {

// Amounts of the runs of a size, or of one kind of them.
struct SizeAmounts {
    std::uint64_t runs = 0, files = 0, bytes_read = 0, bytes_written = 0;

    std::uint64_t bytes() const { return bytes_read + bytes_written; }
};

struct SplitBySize {
    std::vector<std::string> kinds;
    std::size_t drawn = 0;  // the first kinds, which are all of the bytes together
    std::array<SizeAmounts, job_sizes> whole{};
    std::vector<std::array<SizeAmounts, job_sizes>> parts;  // by kind
};

report::DataTable table_of(const SplitBySize& split, std::string id, std::string title,
                           std::string kind_heading);
// Of the bytes of each size, in percent.
report::Chart chart_of(const SplitBySize& split, std::string id, std::string title);

}  // namespace fathom::jobs
