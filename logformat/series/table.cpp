#include "logformat/series/table.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace fathom::series {
namespace {

constexpr std::string_view type_names[] = {"host", "processor",   "device", "volume", "interface", "ost",
                                           "mdt",  "file_system", "mount",  "brick",  "job",       "other"};

constexpr std::string_view volume_names[] = {"dm-", "md", "loop", "drbd", "zd", "bcache"};

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

ComponentType type_named(std::string_view name)
{
    const auto place = std::ranges::find(type_names, name) - std::begin(type_names);
    return place == std::ssize(type_names) ? ComponentType::other : static_cast<ComponentType>(place);
}

ComponentType type_of_device(std::string_view name)
{
    for (const std::string_view volume : volume_names) {
        const std::string_view number = name.substr(std::min(volume.size(), name.size()));
        if (name.starts_with(volume) && !number.empty() &&
            number.find_first_not_of("0123456789") == std::string_view::npos)
            return ComponentType::volume;
    }
    return ComponentType::device;
}

Unit unit_of(const Series& series)
{
    const Quantity* const row = quantity_named(series.quantity);
    return row == nullptr ? Unit::number : row->unit;
}

}  // namespace fathom::series
