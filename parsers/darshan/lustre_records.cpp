// Reads how Lustre spreads files, in either version of the module.
#include <algorithm>

#include "parsers/darshan/module_reader.h"

namespace fathom::darshan {
namespace {

constexpr std::size_t component_bytes = 7 * 8 + pool_bytes, most_stripes = 1 << 20;

// Version 1: number of servers of data and of metadata, first server, stripe size and count.
Problem read_version_1(ModuleReader& module, const std::function<bool(const LustreRecord&)>& visit)
{
    constexpr std::size_t size_at = 5, count_at = 6, words = 7;
    LustreRecord record;
    while (const std::byte* const head = module.take(words * 8)) {
        const auto word = [&](std::size_t at) { return module.number<std::int64_t>(head + at * 8); };
        record.id = static_cast<std::uint64_t>(word(0));
        record.rank = word(1);
        const std::int64_t stripes = word(count_at);
        record.components.assign(1, {.stripe_size = word(size_at), .stripe_count = stripes});
        if (stripes < 0 || stripes > static_cast<std::int64_t>(most_stripes))
            return module.problem("a file cannot have so many stripes");
        const std::byte* const osts = module.take(static_cast<std::size_t>(stripes) * 8);
        if (osts == nullptr) return module.problem();
        record.osts.clear();
        for (std::size_t at = 0; at < static_cast<std::size_t>(stripes); ++at)
            record.osts.push_back(module.number<std::int64_t>(osts + at * 8));
        module.count_record();
        if (!visit(record)) return {};
    }
    return module.problem();
}

Problem read_version_2(ModuleReader& module, const std::function<bool(const LustreRecord&)>& visit)
{
    LustreRecord record;
    std::vector<char> pools;
    while (const std::byte* const head = module.take(4 * 8)) {
        record.id = module.number<std::uint64_t>(head);
        record.rank = module.number<std::int64_t>(head + 8);
        const auto components = module.number<std::uint64_t>(head + 16);
        const auto stripes = module.number<std::uint64_t>(head + 24);
        if (components > most_stripes || stripes > most_stripes)
            return module.problem("a file cannot have so many stripes");
        const std::byte* at = module.take(components * component_bytes);
        if (at == nullptr) return module.problem();
        record.components.clear();
        record.osts.clear();
        pools.assign(components * pool_bytes, '\0');
        for (std::size_t component = 0; component < components; ++component, at += component_bytes) {
            const auto word = [&](std::size_t field) { return module.number<std::int64_t>(at + field * 8); };
            char* const pool = pools.data() + component * pool_bytes;
            std::memcpy(pool, at + 7 * 8, pool_bytes);
            record.components.push_back({word(0), word(1), word(2), word(3), word(4), word(5), word(6),
                                         std::string_view(pool, strnlen(pool, pool_bytes))});
        }
        const std::byte* const osts = module.take(stripes * 8);
        if (osts == nullptr) return module.problem();
        for (std::size_t stripe = 0; stripe < stripes; ++stripe)
            record.osts.push_back(module.number<std::int64_t>(osts + stripe * 8));
        module.count_record();
        if (!visit(record)) return {};
    }
    return module.problem();
}

}  // namespace

Problem read_lustre(ModuleReader& module, const std::function<bool(const LustreRecord&)>& visit)
{
    switch (module.region().version) {
        case 1:
            return read_version_1(module, visit);
        case 2:
            return read_version_2(module, visit);
        default:
            return module.version_problem();
    }
}

}  // namespace fathom::darshan
