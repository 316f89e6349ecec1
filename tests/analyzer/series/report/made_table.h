// Tables of series that tests make up.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "logformat/series/table.h"

namespace fathom::series::testing {

constexpr Nanoseconds s = one_second, minute = 60 * one_second;

// A component and its bytes_read at these rates, one a minute from 0 on; NaN: no sample.
inline void add_server(Table& table, Component component, const std::vector<double>& rates,
                       const std::string& quantity = "bytes_read")
{
    Series series{static_cast<std::uint32_t>(table.components.size()), Kind::amount, quantity, {}, minute};
    table.components.push_back(std::move(component));
    for (std::size_t at = 0; at < rates.size(); ++at) {
        const Nanoseconds begin = static_cast<Nanoseconds>(at) * minute;
        if (!std::isnan(rates[at])) series.samples.push_back({begin, begin + minute, rates[at] * 60});
    }
    table.series.push_back(std::move(series));
}

inline Component ost(const std::string& name)
{
    return {"scratch", "oss-" + name, ComponentType::ost, name, {}};
}

}  // namespace fathom::series::testing
