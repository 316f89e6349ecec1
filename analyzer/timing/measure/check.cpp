// The rules, state by state; each that fails has its sentence.
#include "analyzer/timing/measure/check.h"

#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"

namespace fathom::measure {
namespace {

using report::format_bytes, report::format_share;

constexpr double wholly = 0.999, hardly = 0.01, mostly = 0.9;

Verdict unknown(std::string why)
{
    return {AsAsked::unknown, std::move(why)};
}

Verdict no(std::string why)
{
    return {AsAsked::no, std::move(why)};
}

double part(std::uint64_t some, std::uint64_t all)
{
    return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0;
}

Verdict judge_cached(Operation operation, const Observed& seen)
{
    if (!seen.resident_before) return unknown("the kernel does not say what is in the page cache");
    if (*seen.resident_before < wholly)
        return no(fmt::format("{} of the files were in the page cache", format_share(*seen.resident_before)));
    if (operation == Operation::read && part(seen.read_bytes.value_or(0), seen.page_bytes) > hardly)
        return no(fmt::format("{} were fetched from the device", format_bytes(*seen.read_bytes)));
    return {AsAsked::yes, {}};
}

// `moved` of `all` bytes went to the device or came from it.
Verdict judge_moved(std::uint64_t moved, std::uint64_t all, std::string_view verb)
{
    if (part(moved, all) >= mostly) return {AsAsked::yes, {}};
    if (moved == 0)
        return unknown(fmt::format(
            "the kernel counted no byte as {} a device, and does not for every file system", verb));
    return no(fmt::format("{} of {} were {} the device", format_bytes(moved), format_bytes(all), verb));
}

Verdict judge_uncached(const Configuration& one, const Observed& seen, std::uint64_t page_bytes)
{
    const bool reads = one.operation == Operation::read;
    const bool bypassed = seen.how == How::direct || seen.how == How::synced;
    if (seen.in_memory) return no("the file system keeps its files in memory");
    if (!bypassed && seen.resident_before && *seen.resident_before > 1 - wholly)
        return no(
            fmt::format("{} of the files stayed in the page cache", format_share(*seen.resident_before)));
    if (!reads && !bypassed && one.size >= page_bytes)
        return no("writes of whole pages go to the page cache, whatever it holds");
    if (!seen.read_bytes || !seen.write_bytes) return unknown("there is no /proc/self/io");
    if (seen.how == How::direct && seen.resident_after && *seen.resident_after > 1 - wholly)
        return no(fmt::format("O_DIRECT left {} of the files in the page cache",
                              format_share(*seen.resident_after)));
    if (bypassed && !reads) return judge_moved(*seen.write_bytes, seen.bytes, "written to");
    return judge_moved(*seen.read_bytes, bypassed ? seen.bytes : seen.page_bytes, "fetched from");
}

}  // namespace

std::optional<std::uint64_t> Observed::cache_hits(Operation operation, std::uint64_t page) const
{
    if (operation != Operation::read || how == How::null || !read_bytes) return std::nullopt;
    // What goes past the page cache is fetched by blocks, not by pages.
    const std::uint64_t touched = (how == How::direct ? bytes : page_bytes) / page,
                        fetched = *read_bytes / page;
    return touched - std::min(touched, fetched);
}

Verdict judge(const Configuration& one, const Observed& seen, std::uint64_t page)
{
    if (seen.operations == 0) return unknown("nothing was measured");
    if (one.state == State::discard) return {AsAsked::yes, {}};
    return one.state == State::cached ? judge_cached(one.operation, seen) : judge_uncached(one, seen, page);
}

}  // namespace fathom::measure
