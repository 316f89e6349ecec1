// A table: what is looked at, and how it is said.
#include "analyzer/compare/circumstances.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_set>

#include "analyzer/document/units.h"
#include "analyzer/job/missing_ranks.h"
#include "analyzer/job/mounts.h"
#include "analyzer/job/recorded.h"
#include "logformat/log/words.h"

namespace fathom {
namespace {

using namespace report;

// The first of them, and how many more there are.
std::string some_of(const std::set<std::string>& names)
{
    constexpr std::size_t most = 4;
    std::string all;
    std::size_t at = 0;
    for (const std::string& name : names) {
        if (at++ == most) return all + fmt::format(" and {} more", names.size() - most);
        add_to_list(all, name);
    }
    return all;
}

std::string programs_of(const Run& run)
{
    std::set<std::string> names;
    for (const Member& member : run.job->ranks)
        if (!member.process.program.empty())
            names.insert(std::filesystem::path(member.process.program).filename().string());
    return some_of(names);
}

std::string command_of(const Run& run)
{
    return std::string(run.job->log.fact("command").value_or(""));
}

std::string ranks_of(const Run& run)
{
    return ranks_in_words(*run.job);
}

std::string nodes_of(const Run& run)
{
    return run.job->nodes() == 0 ? "" : format_count(run.job->nodes());
}

std::string mode_of(const Run& run, Direction direction)
{
    if (run.job->application_movers_at_most[static_cast<std::size_t>(direction)]) return {};  // not known
    const Mode mode = modes_at(*run.job, Level::application, direction).mode;
    return mode == Mode::none ? "none" : std::string(mode_names[static_cast<std::size_t>(mode)]);
}

// The types of the mounts with file data, most bytes first.
std::string file_systems_of(const Run& run)
{
    const Mounts mounts(run.job->log);
    std::map<std::string_view, std::uint64_t> bytes;
    for (const FileUse& file : run.job->files)
        if (file.application().bytes() > 0 && !mounts.type_of(file).empty())
            bytes[mounts.type_of(file)] += file.application().bytes();
    std::vector<std::pair<std::uint64_t, std::string_view>> order;
    for (const auto& [type, moved] : bytes) order.emplace_back(moved, type);
    std::sort(order.rbegin(), order.rend());
    std::string all;
    for (const auto& [moved, type] : order) add_to_list(all, type);
    return all;
}

// Of the files with data: "4 servers, 1 MiB each".
std::string layouts_of(const Run& run)
{
    std::unordered_set<std::uint64_t> with_data;
    for (const FileUse& file : run.job->files)
        if (file.application().bytes() > 0) with_data.insert(file.file);
    std::set<std::string> layouts;
    for (const Layout& layout : run.job->log.rows<Layout>())
        if (with_data.contains(layout.file))
            layouts.insert(fmt::format("{} {}, {} each", layout.stripe_count,
                                       layout.stripe_count == 1 ? "server" : "servers",
                                       format_bytes(layout.stripe_size)));
    return some_of(layouts);
}

// By which the program moved data.
std::string layers_of(const Run& run)
{
    std::string all;
    for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) {
        const auto moves = [&](const Member& member) {
            const Totals& own = member.in(layer, Scope::direct);
            return own.bytes_read + own.bytes_written > 0;
        };
        bool any = false;
        run.job->each_share([&](const Member& member) { any = any || moves(member); });
        if (any) add_to_list(all, layer_titles[static_cast<std::size_t>(layer)]);
    }
    return all;
}

std::string fact_of(const Run& run, std::string_view name)
{
    return std::string(run.job->log.fact(name).value_or(""));
}

std::string maker_in(const Run& run)
{
    return std::string(source_of(run.job->log).name);
}

struct Aspect {
    std::string_view id, what;
    std::string (*of)(const Run& run);
};
constexpr Aspect aspects[] = {
    {"program", "program", programs_of},
    {"command", "command", command_of},
    {"ranks", "processes", ranks_of},
    {"nodes", "nodes", nodes_of},
    {"file_systems", "file systems of the data", file_systems_of},
    {"layouts", "files striped over", layouts_of},
    {"layers", "data moved through", layers_of},
    {"mode_reads", "mode of reads", [](const Run& run) { return mode_of(run, Direction::read); }},
    {"mode_writes", "mode of writes", [](const Run& run) { return mode_of(run, Direction::write); }},
    {"mpi", "MPI library", [](const Run& run) { return fact_of(run, "mpi"); }},
    {"source", "recorded by", maker_in},
    {"recorder", "recorded by Fathom", [](const Run& run) { return fact_of(run, "recorder"); }},
};

std::string difference(std::string_view what, const std::string& before, const std::string& after)
{
    if (before == after || before.empty() || after.empty()) return {};
    return fmt::format("{}: {}, before {}", what, after, before);
}

}  // namespace

std::vector<Circumstance> differing_circumstances(const Run& earlier, const Run& later)
{
    std::vector<Circumstance> all;
    for (const Aspect& aspect : aspects) {
        const std::string before = aspect.of(earlier), after = aspect.of(later);
        // What another tool does not record is no difference of the runs.
        const bool unknown = (before.empty() && !source_of(earlier.job->log).own) ||
                             (after.empty() && !source_of(later.job->log).own);
        if (before != after && !unknown)
            all.push_back({std::string(aspect.id), std::string(aspect.what), before, after});
    }
    return all;
}

bool of_other_programs(const Run& earlier, const Run& later)
{
    return programs_of(earlier) != programs_of(later);
}

std::string layout_difference(const Run& earlier, const Run& later)
{
    return difference("the files are striped over other servers", layouts_of(earlier), layouts_of(later));
}

std::string layer_difference(const Run& earlier, const Run& later)
{
    return difference("the program moves data through another layer", layers_of(earlier), layers_of(later));
}

std::string file_system_difference(const Run& earlier, const Run& later)
{
    return difference("the data lie on another file system", file_systems_of(earlier),
                      file_systems_of(later));
}

std::string mode_difference(const Run& earlier, const Run& later, Direction direction)
{
    return difference("the files are shared in another way", mode_of(earlier, direction),
                      mode_of(later, direction));
}

}  // namespace fathom
