// Sizes of accesses: names of the classes of the columns of job_layers, and sums of these.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/jobs/study/site.h"
#include "logformat/values.h"

namespace fathom::jobs {

std::string access_size_name(std::size_t at);   // "1 KiB to 10 KiB"
std::string access_size_bound(std::size_t at);  // "to 10 KiB"

struct AccessSizes {
    std::array<std::uint64_t, SizeHistogram::classes> reads{}, writes{};

    void add(const AccessSizes& other);
};
std::uint64_t sum_of_sizes(const std::array<std::uint64_t, SizeHistogram::classes>& sizes);

// Of POSIX and stdio, of the runs that fulfil the condition, by group of the study.
std::map<std::string, AccessSizes> access_sizes_of(Site& site, const std::string& condition);

}  // namespace fathom::jobs
