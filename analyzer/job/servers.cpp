// Layouts name servers by numbers, which need not begin at 0 nor be without gaps.
#include "analyzer/job/servers.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace fathom {

std::vector<std::uint64_t> numbers_of_servers(const Layout& layout)
{
    std::vector<std::uint64_t> numbers;
    numbers.reserve(
        static_cast<std::size_t>(1 + std::count(layout.servers.begin(), layout.servers.end(), ',')));
    const char *at = layout.servers.data(), *const end = at + layout.servers.size();
    while (at < end) {
        std::uint64_t number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc()) break;
        numbers.push_back(number);
        at = next < end && *next == ',' ? next + 1 : end;
    }
    return numbers;
}

ServerStudy servers_of(const Job& job, Bounds bounds)
{
    std::unordered_map<std::uint64_t, const Layout*> layouts;
    ServerStudy study;
    for (const Layout& layout : job.log.rows<Layout>()) {
        layouts.emplace(layout.file, &layout);
        for (const std::uint64_t number : numbers_of_servers(layout)) study.numbers.push_back(number);
    }
    std::sort(study.numbers.begin(), study.numbers.end());
    study.numbers.erase(std::unique(study.numbers.begin(), study.numbers.end()), study.numbers.end());
    job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        const auto found = layouts.find(use.file);
        if (found == layouts.end() || use.system.bytes() == 0) return;
        const Layout& layout = *found->second;
        std::vector<std::uint64_t> numbers = numbers_of_servers(layout);
        // A short file has not come to all of its servers.
        if (layout.stripe_size > 0)
            numbers.resize(
                std::min<std::size_t>(numbers.size(), 1 + use.system.highest() / layout.stripe_size));
        if (numbers.empty()) return;
        FileOnServers file{.time = static_cast<double>(use.system.read_time + use.system.write_time),
                           .parts = {}};
        for (const std::uint64_t number : numbers)
            file.parts.push_back(
                {static_cast<std::size_t>(
                     std::lower_bound(study.numbers.begin(), study.numbers.end(), number) -
                     study.numbers.begin()),
                 static_cast<double>(use.system.bytes()) / static_cast<double>(numbers.size())});
        study.records.push_back(records);
        study.parts.push_back(std::move(file));
    });
    find_rates(study, bounds);
    return study;
}

void find_rates(ServerStudy& study, Bounds bounds)
{
    study.rates = server_rates(study.parts, study.numbers.size(), bounds);
}

double ServerStudy::median() const
{
    std::vector<double> known;
    for (const ServerRate& one : rates)
        if (one.bytes > 0) known.push_back(one.ns_per_byte);
    if (known.empty()) return 0;
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
    std::nth_element(known.begin(), middle, known.end());
    return *middle;
}

}  // namespace fathom
