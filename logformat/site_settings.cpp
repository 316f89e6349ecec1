// Each option says by itself how a site may bound it.
#include "logformat/site_settings.h"

#include <algorithm>

namespace fathom {

std::string_view SiteSettings::take_line(std::string_view name, std::string_view value)
{
    const Option* option = nullptr;
    for (const Option* const one : options::all)
        if (one->site != Site::nothing && name == one->environment) option = one;
    if (option == nullptr) return "a site cannot set this";
    switch (option->site) {
        case Site::may_demand:
        case Site::may_forbid: {
            if (value != (option->site == Site::may_demand ? "1" : "0"))
                return option->site == Site::may_demand ? "a site can set it to 1 only"
                                                        : "a site can set it to 0 only";
            (option == &options::trace        ? no_traces
             : option == &options::no_timings ? no_timings
                                              : no_arguments) = true;
            return {};
        }
        case Site::may_bound: {
            const auto kib = options::kib(value);
            if (!kib) return options::not_kib;
            std::uint64_t& most = option == &options::memory ? memory_kib : trace_kib;
            most = std::min(most, *kib);
            return {};
        }
        case Site::may_add:
            return exclude.empty() ? exclude.take(value).why
                                   : "set above already; put all patterns in one line, colons between them";
        case Site::may_mask: {
            const auto bits = options::mode_bits(value);
            if (!bits) return options::not_mode;
            mode &= *bits;
            return {};
        }
        case Site::nothing:
            break;
    }
    return {};
}

FileMode log_mode(std::string_view asked_for, const SiteSettings& site)
{
    FileMode mode{.at_open = 0666 & site.mode, .most = site.mode};
    if (asked_for.empty()) return mode;
    mode.at_open = options::mode_bits(asked_for).value_or(0600) & site.mode;
    mode.is_asked_for = true;
    return mode;
}

}  // namespace fathom
