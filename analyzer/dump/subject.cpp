// Names for what the rows of a log are about.
#include "analyzer/dump/subject.h"

#include <fmt/format.h>
#include <iterator>

namespace fathom {
namespace {

std::string place_name(std::uint64_t layer, std::uint64_t streams)
{
    return fmt::format("{} {}", layer < layers ? layer_names[layer] : "unknown layer",
                       streams == 0 ? "files" : "streams");
}

}  // namespace

std::string Paths::of(std::uint64_t file) const
{
    const auto found = path_.find(file);
    return found == path_.end() ? fmt::format("file {:016x} (its name is not in the log)", file)
                                : std::string(found->second);
}

std::string subject_of(const Paths&, const Totals& totals)
{
    constexpr std::string_view scope_names[] = {"direct", "beneath_mpiio", "streams"};
    const auto layer = totals.layer < layers ? layer_names[totals.layer] : "unknown layer";
    const auto scope = totals.scope < std::size(scope_names) ? scope_names[totals.scope] : "unknown scope";
    return fmt::format("{} {}", layer, scope);
}

std::string subject_of(const Paths&, const OperationClass& operations)
{
    std::string subject = place_name(operations.layer, operations.streams);
    subject +=
        fmt::format(" {}", operations.kind < kind_count ? kind_table[operations.kind].name : "unknown kind");
    const bool has_size = moves_data(static_cast<Kind>(operations.kind));
    if (has_size && operations.size_class < SizeHistogram::classes)
        subject += SizeHistogram::names[operations.size_class];
    return subject;
}

std::string subject_of(const Paths&, const Slice& slice)
{
    return place_name(slice.layer, slice.streams);
}

std::string subject_of(const Paths& paths, const TracePlace& place)
{
    return paths.of(place.file);
}

std::string subject_of(const Paths& paths, const CollectiveCall& call)
{
    return paths.of(call.file);
}

std::string subject_of(const Paths& paths, const Layout& layout)
{
    return paths.of(layout.file);
}

std::string subject_of(const Paths& paths, const Hints& hints)
{
    return paths.of(hints.file);
}

std::string subject_of(const Paths& paths, const LibraryCounter& counter)
{
    return paths.of(counter.file);
}

std::string subject_of(const Paths&, const FailedPath& failed)
{
    return std::string(failed.path);
}

std::string subject_of(const Paths&, const FileName& name)
{
    return std::string(name.path);
}
std::string subject_of(const Paths&, const Mount& mount)
{
    return std::string(mount.path);
}

std::string hexadecimal(std::string_view bytes)
{
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const char byte : bytes)
        fmt::format_to(std::back_inserter(digits), "{:02x}", static_cast<unsigned char>(byte));
    return digits;
}

std::string_view kind_name(Kind kind)
{
    const auto number = static_cast<std::size_t>(kind);
    return number < kind_count ? kind_table[number].name : "unknown";
}

std::uint64_t start_of(const Log& log)
{
    std::uint64_t start = 0;
    for (const Process& process : log.rows<Process>()) merge_value(start, process.start, Rule::earliest);
    return start;
}

}  // namespace fathom
