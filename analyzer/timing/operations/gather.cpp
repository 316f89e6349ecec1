// Sums by size while operations come; at the end each size, or class of sizes, gets its operations.
#include "analyzer/timing/operations/gather.h"

#include <algorithm>
#include <cmath>

#include "logformat/duration_bins.h"
#include "logformat/values.h"

namespace fathom {
namespace {

// So many sizes are classes of their own; a program that uses more has sizes that hardly repeat.
constexpr std::size_t most_sizes = 32;

std::size_t bin_of(double duration)
{
    constexpr double longest = 9e18;
    return bins::bin_of(static_cast<std::uint64_t>(std::min(duration * 1e9, longest))).number();
}

}  // namespace

std::uint64_t OperationStream::key_of(std::uint64_t size) const
{
    return by_class_ ? SizeHistogram::class_of(size) : size;
}

OperationStream::Sum& OperationStream::sum_of(std::uint64_t size)
{
    if (last_ != nullptr && last_key_ == key_of(size)) return *last_;
    if (!by_class_ && sums_.size() == most_sizes && !sums_.contains(size)) give_up_sizes();
    last_key_ = key_of(size);
    last_ = &sums_[last_key_];
    if (every_ > 1 && last_->bins.empty()) last_->bins.resize(bins::count);
    return *last_;
}

void OperationStream::give_up_sizes()
{
    std::map<std::uint64_t, Sum> sums;
    sums.swap(sums_);
    by_class_ = true;
    for (auto& [size, one] : sums) {
        Sum& into = sums_[key_of(size)];
        into.operations += one.operations;
        into.least = std::min(into.least, one.least);
        into.most = std::max(into.most, one.most);
        into.time += one.time;
        into.longest = std::max(into.longest, one.longest);
        into.bytes += one.bytes;
        if (into.bins.empty()) into.bins.resize(one.bins.size());
        for (std::size_t at = 0; at < one.bins.size(); ++at) into.bins[at] += one.bins[at];
    }
    last_ = nullptr;
}

void OperationStream::count(Sum& sum, double duration)
{
    ++sum.bins[bin_of(duration)];
}

void OperationStream::add(const OneOperation& one)
{
    Sum& sum = sum_of(sized_ ? one.size : 0);
    ++sum.operations;
    sum.time += one.duration;
    sum.longest = std::max(sum.longest, one.duration);
    sum.bytes += static_cast<double>(one.size);
    sum.least = std::min(sum.least, one.size);
    sum.most = std::max(sum.most, one.size);
    if (every_ > 1) count(sum, one.duration);
    if (seen_++ % every_ != 0) return;
    durations_.push_back(one.duration);
    if (timed_) starts_.push_back(one.start);
    if (sized_) sizes_.push_back(one.size);
}

void OperationStream::thin()
{
    if (every_ == 1)
        for (std::size_t at = 0; at < durations_.size(); ++at) {
            Sum& sum = sum_of(sized_ ? sizes_[at] : 0);
            if (sum.bins.empty()) sum.bins.resize(bins::count);
            count(sum, durations_[at]);
        }
    const auto halve = [](auto& all) {
        for (std::size_t at = 0; 2 * at < all.size(); ++at) all[at] = all[2 * at];
        all.resize((all.size() + 1) / 2);
        all.shrink_to_fit();
    };
    halve(durations_);
    halve(starts_);
    halve(sizes_);
    every_ *= 2;
}

std::vector<TimedClass> OperationStream::classes()
{
    std::map<std::uint64_t, TimedClass> all;
    for (const auto& [key, sum] : sums_) {
        TimedClass& one = all[key];
        one.operations = sum.operations;
        one.time = sum.time;
        one.longest = sum.longest;
        one.each = every_ == 1;
        if (sized_) {
            one.mean_bytes = sum.bytes / static_cast<double>(sum.operations);
            one.least_bytes = sum.least;
            one.most_bytes = sum.most;
        }
        for (std::size_t bin = 0; bin < sum.bins.size(); ++bin)
            if (sum.bins[bin] > 0)
                one.bins.push_back(
                    {bins::at_least(bin), bins::at_least(bin) + bins::width(bin), sum.bins[bin]});
    }
    for (std::size_t at = 0; at < durations_.size(); ++at) {
        TimedClass& one = all[key_of(sized_ ? sizes_[at] : 0)];
        one.durations.push_back(durations_[at]);
        if (timed_) one.starts.push_back(starts_[at]);
        if (sized_) one.sizes.push_back(sizes_[at]);
    }
    durations_ = {};
    starts_ = {};
    sizes_ = {};
    std::vector<TimedClass> list;
    for (auto& [key, one] : all) list.push_back(std::move(one));
    return list;
}

OperationStream& OperationGatherer::stream(const std::string& layer, const std::string& operation,
                                           const std::string& group, bool sized, bool timed)
{
    return streams_.try_emplace({layer, operation, group}, sized, timed).first->second;
}

void OperationGatherer::add(OperationStream& stream, const OneOperation& one)
{
    first_start_ = any_ ? std::min(first_start_, one.start) : one.start;
    any_ = true;
    const std::size_t before = stream.kept();
    stream.add(one);
    kept_ += stream.kept() - before;
    while (kept_ > most_kept_) {
        const auto most =
            std::max_element(streams_.begin(), streams_.end(),
                             [](const auto& a, const auto& b) { return a.second.kept() < b.second.kept(); });
        const std::size_t kept = most->second.kept();
        if (kept < 2) break;
        most->second.thin();
        kept_ -= kept - most->second.kept();
    }
}

std::vector<TimedClass> OperationGatherer::classes(double begin)
{
    std::vector<TimedClass> all;
    for (auto& [key, stream] : streams_)
        for (TimedClass& one : stream.classes()) {
            std::tie(one.layer, one.operation, one.group) = key;
            for (double& start : one.starts) start -= begin;
            all.push_back(std::move(one));
        }
    streams_.clear();
    std::stable_sort(all.begin(), all.end(),
                     [](const TimedClass& a, const TimedClass& b) { return a.time > b.time; });
    return all;
}

}  // namespace fathom
