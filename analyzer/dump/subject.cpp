// Names for what the rows of a log are about.
#include "analyzer/dump/subject.h"

#include <fmt/format.h>

namespace fathom {

std::string Paths::of(std::uint64_t file) const
{
    const auto found = path_.find(file);
    return found == path_.end() ? fmt::format("file {:016x} (its name is not in the log)", file)
                                : std::string(found->second);
}

std::string subject_of(const Paths&, const Totals& totals)
{
    constexpr std::string_view scopes[] = {"direct", "beneath_mpiio", "streams"};
    const auto layer = totals.layer < layers ? layer_names[totals.layer] : "unknown layer";
    const auto scope = totals.scope < std::size(scopes) ? scopes[totals.scope] : "unknown scope";
    return fmt::format("{} {}", layer, scope);
}

std::string subject_of(const Paths&, const FileName& name)
{
    return std::string(name.path);
}
std::string subject_of(const Paths&, const Mount& mount)
{
    return std::string(mount.path);
}

std::uint64_t start_of(const Log& log)
{
    std::uint64_t start = 0;
    for (const Process& process : log.rows<Process>()) merge_value(start, process.start, Rule::earliest);
    return start;
}

}  // namespace fathom
