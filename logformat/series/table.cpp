#include "logformat/series/table.h"

#include <chrono>
#include <fmt/format.h>

namespace fathom::series {
namespace {

constexpr std::string_view type_names[] = {"host", "processor",   "device", "volume", "interface", "ost",
                                           "mdt",  "file_system", "mount",  "brick",  "job",       "other"};

}  // namespace

std::string utc_text(Nanoseconds time)
{
    using namespace std::chrono;
    const sys_time<nanoseconds> instant{nanoseconds(time)};
    const sys_days day = floor<days>(instant);
    const year_month_day date{day};
    const hh_mm_ss<nanoseconds> clock{instant - day};
    std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                   static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                   clock.hours().count(), clock.minutes().count(), clock.seconds().count());
    if (const auto fraction = clock.subseconds().count(); fraction != 0) {
        text += fmt::format(".{:09}", fraction);
        text.resize(text.find_last_not_of('0') + 1);
    }
    return text + 'Z';
}

std::string_view name_of(ComponentType type)
{
    return type_names[static_cast<std::size_t>(type)];
}

Unit unit_of(const Series& series)
{
    const Quantity* const row = quantity_named(series.quantity);
    return row == nullptr ? Unit::number : row->unit;
}

}  // namespace fathom::series
