// Makes ids of paths; where two of Darshan's ids share a path, the second one keeps its own number.
#include "parsers/darshan/file_names.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "logformat/path_id.h"

namespace fathom::darshan {
namespace {

constexpr std::string_view stream_names[] = {"<STDIN>", "<STDOUT>", "<STDERR>"};

bool names_a_stream(std::string_view path)
{
    return std::find(std::begin(stream_names), std::end(stream_names), path) != std::end(stream_names);
}

}  // namespace

FileNames::FileNames(const File& file) : file_(file)
{
    names_.reserve(file.names().size());
    owners_.reserve(file.names().size());
}

std::uint64_t FileNames::id_of(std::uint64_t darshan_id, NameKind kind)
{
    const auto [found, fresh] = names_.try_emplace(darshan_id);
    Name& name = found->second;
    if (!fresh) {
        if (name.kind == NameKind::object) name.kind = kind;
        return name.id;
    }
    name.path = file_.name_of(darshan_id);
    if (name.path.empty())
        name.path = made_up_.emplace(darshan_id, fmt::format("<file {:016x}>", darshan_id)).first->second;
    name.kind = names_a_stream(name.path) ? NameKind::stream : kind;
    name.id = path_id(name.path);
    while (!owners_.emplace(name.id, darshan_id).second)
        name.id = name.id == path_id(name.path) ? darshan_id : name.id + 1;
    order_.push_back(darshan_id);
    text_bytes_ += name.path.size();
    return name.id;
}

std::uint64_t FileNames::known(std::uint64_t darshan_id) const
{
    const auto found = names_.find(darshan_id);
    return found == names_.end() ? 0 : found->second.id;
}

bool FileNames::is_stream(std::uint64_t darshan_id) const
{
    const auto found = names_.find(darshan_id);
    return found != names_.end() && found->second.kind == NameKind::stream;
}

void FileNames::make_rows(Log& log) const
{
    const std::span<std::byte> texts = log.keep(std::vector<std::byte>(text_bytes_));
    std::size_t used = 0;
    auto& rows = log.rows<FileName>();
    rows.reserve(rows.size() + order_.size());
    for (const std::uint64_t darshan_id : order_) {
        const Name& name = names_.at(darshan_id);
        std::byte* const to = texts.data() + used;
        if (!name.path.empty()) std::memcpy(to, name.path.data(), name.path.size());
        used += name.path.size();
        rows.push_back({name.id,
                        static_cast<std::uint64_t>(name.kind),
                        {reinterpret_cast<const char*>(to), name.path.size()},
                        0});
    }
}

}  // namespace fathom::darshan
