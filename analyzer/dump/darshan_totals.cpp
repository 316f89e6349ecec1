// Adds up the records of a module as Darshan's tool does.
#include "analyzer/dump/darshan_totals.h"

#include <algorithm>
#include <array>
#include <map>

namespace fathom {
namespace {

constexpr std::size_t common_values = 4;

// As in a machine's registers: beyond 64 bits it goes on from the other end.
std::int64_t plus(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

double DarshanPerformance::rate() const
{
    constexpr double mebibyte = 1048576;
    return time() == 0 ? 0 : static_cast<double>(bytes) / mebibyte / time();
}

DarshanTotals::Place DarshanTotals::number(std::string_view name) const
{
    const auto found = std::find(counters_.numbers.begin(), counters_.numbers.end(), name);
    return {static_cast<std::size_t>(found - counters_.numbers.begin()), found != counters_.numbers.end()};
}

DarshanTotals::Place DarshanTotals::time(std::string_view name) const
{
    const auto found = std::find(counters_.times.begin(), counters_.times.end(), name);
    return {static_cast<std::size_t>(found - counters_.times.begin()), found != counters_.times.end()};
}

DarshanTotals::DarshanTotals(const darshan::Counters& counters)
    : counters_(counters), numbers_(counters.numbers.size()), times_(counters.times.size())
{
    const bool posix = counters.module == darshan::Module::posix;
    for (const std::string_view name : counters.numbers) {
        Rule rule = posix ? Rule::sum_or_unknown : Rule::sum;
        if (name.starts_with("MAX_BYTE_"))
            rule = Rule::largest;
        else if (is_one_of(name, {"MODE", "RENAMED_FROM", "MEM_ALIGNMENT", "FILE_ALIGNMENT"}))
            rule = Rule::last;
        else if (is_one_of(name, {"STRIDE1_STRIDE", "ACCESS1_ACCESS"}))
            rule = Rule::common;
        else if (name.starts_with("STRIDE") || name.starts_with("ACCESS") || name.starts_with("FASTEST") ||
                 name.starts_with("SLOWEST") || name.ends_with("_TIME_SIZE"))
            rule = Rule::other;
        number_rules_.push_back(rule);
    }
    for (const std::string_view name : counters.times) {
        Rule rule = Rule::other;
        if (name.ends_with("_START_TIMESTAMP"))
            rule = Rule::earliest;
        else if (name.ends_with("_END_TIMESTAMP"))
            rule = Rule::largest;
        else if (is_one_of(name, {"READ_TIME", "WRITE_TIME", "META_TIME"}))
            rule = Rule::sum;
        time_rules_.push_back(rule);
    }
    bytes_read_ = number("BYTES_READ");
    bytes_written_ = number("BYTES_WRITTEN");
    last_byte_read_ = number("MAX_BYTE_READ");
    last_byte_written_ = number("MAX_BYTE_WRITTEN");
    read_time_ = time("READ_TIME");
    write_time_ = time("WRITE_TIME");
    metadata_time_ = time("META_TIME");
    longest_read_ = time("MAX_READ_TIME");
    longest_write_ = time("MAX_WRITE_TIME");
    longest_read_size_ = number("MAX_READ_TIME_SIZE");
    longest_write_size_ = number("MAX_WRITE_TIME_SIZE");
    fastest_ = {number("FASTEST_RANK"), number("FASTEST_RANK_BYTES"), time("FASTEST_RANK_TIME")};
    slowest_ = {number("SLOWEST_RANK"), number("SLOWEST_RANK_BYTES"), time("SLOWEST_RANK_TIME")};
}

// The four commonest values and, four places on, how often each occurred. A value that is there already gets
// the record's count; a new one goes before the first that is rarer, or as rare and no larger.
void DarshanTotals::add_common(std::size_t first, const darshan::CounterRecord& record)
{
    std::int64_t* const values = numbers_.data() + first;
    std::int64_t* const counts = values + common_values;
    std::array<bool, common_values> known{};
    for (std::size_t from = 0; from < common_values; ++from)
        for (std::size_t at = 0; at < common_values; ++at)
            if (values[at] == record.numbers[first + from]) {
                counts[at] = plus(counts[at], record.numbers[first + common_values + from]);
                known[from] = true;
            }
    for (std::size_t from = 0; from < common_values; ++from) {
        const std::int64_t value = record.numbers[first + from];
        const std::int64_t count = record.numbers[first + common_values + from];
        if (known[from]) continue;
        if (value == 0) break;
        std::size_t at = 0;
        while (at < common_values && (counts[at] > count || (counts[at] == count && values[at] > value)))
            ++at;
        if (at == common_values) break;
        std::copy_backward(values + at, values + common_values - 1, values + common_values);
        std::copy_backward(counts + at, counts + common_values - 1, counts + common_values);
        values[at] = value;
        counts[at] = count;
    }
}

void DarshanTotals::add_slowest_call(const darshan::CounterRecord& record, const Place& call,
                                     const Place& size)
{
    if (!call.there || !size.there || record.times[call.number] <= times_[call.number]) return;
    times_[call.number] = record.times[call.number];
    numbers_[size.number] = record.numbers[size.number];
}

// Which rank was the slowest or the fastest makes sense for records of one file only.
void DarshanTotals::add_extreme_rank(const darshan::CounterRecord& record, bool slowest)
{
    const Extreme& extreme = slowest ? slowest_ : fastest_;
    std::int64_t& rank = numbers_[extreme.rank.number];
    std::int64_t& bytes = numbers_[extreme.bytes.number];
    double& seconds = times_[extreme.time.number];
    if (!one_file_) {
        rank = bytes = -1;
        seconds = 0;
        return;
    }
    const bool of_several = record.rank == -1;
    const double taken = of_several ? record.times[extreme.time.number]
                                    : record.times[read_time_.number] + record.times[write_time_.number] +
                                          record.times[metadata_time_.number];
    if (!first_ && !(slowest ? taken > seconds : taken < seconds)) return;
    rank = of_several ? record.numbers[extreme.rank.number] : record.rank;
    bytes = of_several ? record.numbers[extreme.bytes.number]
                       : plus(record.numbers[bytes_read_.number], record.numbers[bytes_written_.number]);
    seconds = taken;
}

void DarshanTotals::add(const darshan::CounterRecord& record)
{
    if (first_) first_id_ = record.id;
    one_file_ = one_file_ && record.id == first_id_;
    for (std::size_t at = 0; at < numbers_.size(); ++at) {
        const std::int64_t value = record.numbers[at];
        std::int64_t& into = numbers_[at];
        switch (number_rules_[at]) {
            case Rule::sum:
                into = plus(into, value);
                break;
            case Rule::sum_or_unknown:
                into = std::max<std::int64_t>(plus(into, value), -1);
                break;
            case Rule::largest:
                into = std::max(into, value);
                break;
            case Rule::last:
                into = value;
                break;
            case Rule::common:
                add_common(at, record);
                break;
            case Rule::earliest:
            case Rule::other:
                break;
        }
    }
    for (std::size_t at = 0; at < times_.size(); ++at) {
        const double value = record.times[at];
        double& into = times_[at];
        if (time_rules_[at] == Rule::sum)
            into += value;
        else if (time_rules_[at] == Rule::largest && value > into)
            into = value;
        else if (time_rules_[at] == Rule::earliest && value > 0 && (into == 0 || value < into))
            into = value;
    }
    add_slowest_call(record, longest_read_, longest_read_size_);
    add_slowest_call(record, longest_write_, longest_write_size_);
    add_extreme_rank(record, false);
    add_extreme_rank(record, true);
    first_ = false;

    const std::int64_t read = record.numbers[bytes_read_.number];
    const std::int64_t written = record.numbers[bytes_written_.number];
    const double metadata = record.times[metadata_time_.number];
    const double transfers = record.times[read_time_.number] + record.times[write_time_.number];
    bytes_ = plus(bytes_, plus(read, written));
    if (record.rank < 0) {
        shared_ += record.times[slowest_.time.number];
    } else {
        RankSum& rank = ranks_[record.rank];
        rank.all += metadata + record.times[read_time_.number] + record.times[write_time_.number];
        rank.metadata += metadata;
        rank.transfers += transfers;
    }
    FileSum& file = files_[record.id];
    file.read = plus(file.read, read);
    file.written = plus(file.written, written);
    if (last_byte_read_.there)
        file.max_offset = std::max({file.max_offset, record.numbers[last_byte_read_.number],
                                    record.numbers[last_byte_written_.number]});
    else
        file.max_offset = -1;
    file.processes = record.rank < 0 ? -1 : file.processes + 1;
}

DarshanCategories DarshanTotals::categories() const
{
    DarshanCategories sums;
    DarshanCategory by_all, by_some;
    const auto count = [](DarshanCategory& category, const FileSum& file) {
        ++category.files;
        category.bytes = plus(category.bytes, plus(file.read, file.written));
        category.max_offset = file.max_offset == -1 ? -1 : std::max(category.max_offset, file.max_offset);
    };
    for (const auto& [id, file] : files_) {
        count(sums.all, file);
        if (file.read > 0 && file.written == 0)
            count(sums.read_only, file);
        else if (file.written > 0 && file.read == 0)
            count(sums.write_only, file);
        else if (file.read > 0 && file.written > 0)
            count(sums.read_write, file);
        count(file.processes == 1 ? sums.unique : file.processes == -1 ? by_all : by_some, file);
    }
    sums.shared = {by_all.files + by_some.files, plus(by_all.bytes, by_some.bytes),
                   plus(by_all.max_offset, by_some.max_offset)};
    return sums;
}

DarshanPerformance DarshanTotals::performance() const
{
    DarshanPerformance result;
    result.bytes = bytes_;
    result.shared = shared_;
    const std::map<std::int64_t, RankSum> by_rank(ranks_.begin(), ranks_.end());
    for (const auto& [rank, sum] : by_rank)
        if (sum.all > result.unique) {
            result.unique = sum.all;
            result.unique_metadata = sum.metadata;
            result.unique_transfers = sum.transfers;
            result.slowest_rank = rank;
        }
    return result;
}

}  // namespace fathom
