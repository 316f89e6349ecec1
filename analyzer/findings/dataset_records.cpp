// Words that several rules on HDF5 and PnetCDF have.
#include "analyzer/findings/dataset_records.h"

#include <cmath>

#include "analyzer/document/units.h"

namespace fathom {

bool is_flushed_by_rows(const Datasets& datasets, const DataFileUse& file)
{
    constexpr double few = 20, nearly = 0.1;
    const auto flushes = static_cast<double>(file.sums.flushes),
               attributes = static_cast<double>(file.sums.attribute_writes);
    if (flushes < few || std::abs(attributes - flushes) > nearly * flushes) return false;
    double writes = 0;
    for (const DatasetUse& one : datasets.datasets())
        if (one.sums.container == file.file) writes += static_cast<double>(one.sums.writes);
    return std::abs(writes - flushes) <= nearly * flushes;
}

std::string and_others(std::size_t number)
{
    return number <= 1 ? "" : " and " + report::counted(number - 1, "other", "others");
}

void put_in(std::vector<report::Advice>& advice, std::string_view mark, std::string_view value)
{
    const auto put = [&](std::string& text) {
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
            text.replace(at, mark.size(), value);
    };
    for (report::Advice& one : advice) {
        put(one.text);
        for (std::string& line : one.lines) put(line);
    }
}

}  // namespace fathom
