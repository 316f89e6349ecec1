// How Lustre spreads files: of each file the last component that lies on servers.
#include <fmt/format.h>
#include <unordered_set>

#include "logformat/lustre_layout.h"
#include "parsers/darshan/import.h"

namespace fathom::darshan {
namespace {

// Of a component that is in use: Lustre gives it servers only then. Where there is one, Darshan has seen
// some.
constexpr std::int64_t initialized = 0x10;

bool has_servers(const LustreComponent& component, std::size_t components)
{
    return component.stripe_count > 0 && component.stripe_size > 0 &&
           (components == 1 || component.flags < 0 || (component.flags & initialized) != 0);
}

}  // namespace

void import_layouts(Import& import)
{
    std::unordered_set<std::uint64_t> seen;
    bool full = false;
    import.problem(import.file.each_lustre([&](const LustreRecord& record) {
        const LustreComponent* last = nullptr;
    std::size_t first_server = 0, servers = 0, at = 0;
    for (const LustreComponent& component : record.components) {
        if (!has_servers(component, record.components.size())) continue;
        const auto count = static_cast<std::uint64_t>(component.stripe_count);
        const std::size_t left = record.osts.size() - at;
        if (left == 0) break;
        last = &component;
        first_server = at;
        servers = static_cast<std::size_t>(std::min<std::uint64_t>(count, left));
        at += servers;
    }
    if (last == nullptr || !seen.insert(record.id).second) return true;
    std::string numbers;
    for (std::size_t server = 0; server < std::min(servers, LustreLayout::most_servers); ++server) {
        if (server > 0) numbers += ',';
        numbers += fmt::format_int(record.osts[first_server + server]).c_str();
    }
    full = !import.take(sizeof(Layout) + numbers.size() + 256);
    if (full) return false;
    Layout& row = import.log.rows<Layout>().emplace_back();
    row.file = import.names.id_of(record.id);
    row.stripe_size = static_cast<std::uint64_t>(last->stripe_size);
    row.stripe_count = static_cast<std::uint64_t>(last->stripe_count);
    row.first_server = count_of(record.osts[first_server]).value_or(0);
    row.servers = import.log.keep(numbers);
    if (!last->pool.empty()) row.pool = import.log.keep(last->pool);
    return true;
}));
if (full)
    import.problem(
        "module LUSTRE: it has more records than a file of this size should; those after the "
        "first were left out");
}  // namespace fathom::darshan

}  // namespace fathom::darshan
