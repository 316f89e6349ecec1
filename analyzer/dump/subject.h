// What a row of each table is about, said once for both forms of the dump.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "logformat/blocks/columns.h"
#include "logformat/log/log.h"

namespace fathom {

// Paths by file id.
class Paths {
  public:
    explicit Paths(const Log& log)
    {
        for (const FileName& name : log.rows<FileName>()) path_.try_emplace(name.file, name.path);
    }
    std::string of(std::uint64_t file) const;

  private:
    std::unordered_map<std::uint64_t, std::string_view> path_;
};

template <class Row>
concept RecordRow = requires(const Row& row)
{
    row.slowest;
    row.file;
    row.process;
};

// The file, layer or mount that a row is about; empty where the process says it all.
std::string subject_of(const Paths& paths, const Totals& totals);
std::string subject_of(const Paths& paths, const FileName& name);
std::string subject_of(const Paths& paths, const Mount& mount);
std::string subject_of(const Paths& paths, const OperationClass& operations);
std::string subject_of(const Paths& paths, const Slice& slice);
std::string subject_of(const Paths& paths, const TracePlace& place);
std::string subject_of(const Paths& paths, const CollectiveCall& call);
std::string subject_of(const Paths& paths, const Layout& layout);
std::string subject_of(const Paths& paths, const Hints& hints);
std::string subject_of(const Paths& paths, const FailedPath& failed);
std::string subject_of(const Paths& paths, const LibraryCounter& counter);
inline std::string subject_of(const Paths&, const Process&)
{
    return {};
}
inline std::string subject_of(const Paths&, const Burst&)
{
    return {};
}
inline std::string subject_of(const Paths&, const TracePiece&)
{
    return {};
}
inline std::string subject_of(const Paths&, const TraceShape&)
{
    return {};
}
inline std::string subject_of(const Paths&, const TraceTimes&)
{
    return {};
}
inline std::string subject_of(const Paths&, const Fact&)
{
    return {};
}
template <RecordRow Row>
std::string subject_of(const Paths& paths, const Row& row)
{
    return paths.of(row.file);
}

// True where a column only repeats the process or the subject of its row.
template <class Row>
bool names_the_row(const Column& column)
{
    const auto is = [&](std::string_view name) { return column.label() == name; };
    if constexpr (std::is_same_v<Row, Totals>)
        return is("process") || is("layer") || is("scope");
    else if constexpr (std::is_same_v<Row, FileName> || std::is_same_v<Row, Mount> ||
                       std::is_same_v<Row, FailedPath>)
        return is("path");
    else if constexpr (std::is_base_of_v<OperationClass, Row>)
        return is("layer") || is("streams") || is("kind") || is("size_class");
    else if constexpr (std::is_same_v<Row, Slice>)
        return is("process") || is("layer") || is("streams");
    else if constexpr (RecordRow<Row> || std::is_same_v<Row, TracePlace> || std::is_same_v<Row, Layout> ||
                       std::is_same_v<Row, Hints> || std::is_same_v<Row, CollectiveCall>)
        return is("process") || is("file");
    else
        return is("process");
}

template <class Row>
constexpr bool has_path = RecordRow<Row> || std::is_same_v<Row, FileName> || std::is_same_v<Row, Layout> ||
                          std::is_same_v<Row, Hints> || std::is_same_v<Row, FailedPath> ||
                          std::is_same_v<Row, LibraryCounter> || std::is_same_v<Row, CollectiveCall>;

// Bytes that are no text, two digits each.
std::string hexadecimal(std::string_view bytes);

// What kind of operation it was; logs of later versions may have others.
std::string_view kind_name(Kind kind);

// Start of the job: instants are counted from here. 0 where no process row is left.
std::uint64_t start_of(const Log& log);

}  // namespace fathom
