// Looks up names and fills rows.
#include "parsers/darshan/record_columns.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace fathom::darshan {
namespace {

std::uint16_t place_of(std::span<const std::string_view> names, std::string_view name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::logic_error("no counter is called " + std::string(name));
    return static_cast<std::uint16_t>(found - names.begin());
}

}  // namespace

std::uint32_t number_of(const Columns& columns, std::string_view label)
{
    const auto all = columns.all();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Column& column) { return column.label() == label; });
    if (found == all.end()) throw std::logic_error("no column is called " + std::string(label));
    return static_cast<std::uint32_t>(found - all.begin());
}

RecordPlan::RecordPlan(const RecordTable& table, Columns columns)
    : columns_(std::move(columns)), counters_(counters_of(table.module))
{
    for (const NumberRow& row : table.numbers) {
        Number number;
        number.column = number_of(columns_, row.column);
        number.may_lack = row.may_lack;
        for (const std::string_view name : row.plus)
            if (!name.empty()) number.plus.push_back(place_of(counters_->numbers, name));
        for (const std::string_view name : row.minus)
            if (!name.empty()) number.minus.push_back(place_of(counters_->numbers, name));
        number.one = number.plus.size() == 1 && number.minus.empty();
        number.place = number.plus.front();
        number.offset = static_cast<std::uint32_t>(columns_.all()[number.column].offset);
        numbers_.push_back(std::move(number));
    }
    for (const TimeRow& row : table.times) {
        const std::uint32_t column = number_of(columns_, row.column);
        times_.push_back(
            {place_of(counters_->times, row.time), column, columns_.all()[column].unit == Unit::instant});
    }
}

void RecordFiller::fill(const CounterRecord& from, const JobClock& clock, void* row)
{
    ++records_;
    const auto columns = plan_.columns().all();
    for (std::size_t at = 0; at < numbers_.size(); ++at) {
        const RecordPlan::Number& number = plan_.numbers()[at];
        if (number.one && from.numbers[number.place] >= 0) {
            std::memcpy(static_cast<char*>(row) + number.offset, &from.numbers[number.place],
                        sizeof(std::uint64_t));
            continue;
        }
        std::uint64_t sum = 0, less = 0;
        bool told = true;
        for (const std::uint16_t place : number.plus) {
            const std::int64_t value = from.numbers[place];
            if (value >= 0) {
                sum = sum_within(sum, static_cast<std::uint64_t>(value));
                continue;
            }
            if (told) ++(value == -1 ? numbers_[at].missing : numbers_[at].impossible);
            told = false;
        }
        for (const std::uint16_t place : number.minus)
            less = sum_within(less, count_of(from.numbers[place]).value_or(0));
        store(row, columns[number.column], sum > less ? sum - less : 0);
    }
    for (std::size_t at = 0; at < times_.size(); ++at) {
        const RecordPlan::Time& time = plan_.times()[at];
        const double value = from.times[time.time];
        const auto ns = ns_of(value);
        if (!ns) ++(value == not_recorded ? times_[at].missing : times_[at].impossible);
        const std::uint64_t told = ns.value_or(0);
        store(row, columns[time.column], time.instant && told > 0 ? clock.start + told : told);
    }
}

std::vector<std::string> RecordFiller::problems() const
{
    std::vector<std::string> all;
    const auto tell = [&](const Lack& lack, std::string_view counter, bool may_lack) {
        const std::string_view module = name_of(plan_.counters().module);
        if (lack.missing > 0 && lack.missing < records_ && !may_lack)
            all.push_back(fmt::format("module {}: {} of {} records do not have {}; it counts as 0 there",
                                      module, lack.missing, records_, counter));
        if (lack.impossible > 0)
            all.push_back(
                fmt::format("module {}: {} of {} records have a value of {} that cannot be, such "
                            "as one below 0; it counts as 0 there",
                            module, lack.impossible, records_, counter));
    };
    for (std::size_t at = 0; at < numbers_.size(); ++at) {
        const RecordPlan::Number& number = plan_.numbers()[at];
        tell(numbers_[at], plan_.counters().numbers[number.plus.front()], number.may_lack);
    }
    for (std::size_t at = 0; at < times_.size(); ++at)
        tell(times_[at], plan_.counters().times[plan_.times()[at].time], false);
    return all;
}

}  // namespace fathom::darshan
