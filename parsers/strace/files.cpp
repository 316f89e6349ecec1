// Finds files by their paths.
#include "parsers/strace/files.h"

#include <algorithm>

#include "logformat/excluded.h"
#include "logformat/path_id.h"

namespace fathom::strace {
namespace {

constexpr std::string_view standard_streams[] = {"<stdin>", "<stdout>", "<stderr>"};

bool is_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

Files::Files(Room& room) : room_(room) {}

File& Files::of(std::string_view path, NameKind kind)
{
    if (const auto known = by_path_.find(path); known != by_path_.end()) return *known->second;
    constexpr std::size_t of_each = sizeof(File) + 128;
    const bool of_own = kind == NameKind::file || kind == NameKind::directory;
    if (of_own && !room_.take(of_each + 2 * path.size())) {
        ++without_room_;
        return further();
    }
    File& file = files_.emplace_back();
    file.path = path;
    file.id = path_id(path);
    file.kind = kind;
    by_path_.emplace(file.path, &file);
    return file;
}

File& Files::stream(std::int64_t descriptor)
{
    return of(standard_streams[descriptor], NameKind::stream);
}

File& Files::further()
{
    return of("<further files>", NameKind::overflow);
}

File& Files::unopened()
{
    return of("<not opened>", NameKind::unopened);
}

void Files::note_missing(std::string_view path)
{
    constexpr std::size_t of_each = 64;
    if (room_.take(of_each)) missing_.insert(path_id(path));
}

bool Files::take_missing(std::string_view path)
{
    return missing_.erase(path_id(path)) > 0;
}

std::string tidy_path(std::string_view folder, std::string_view path)
{
    std::string all;
    if (!path.starts_with('/')) all = std::string(folder) + "/";
    all += path;
    const bool absolute = all.starts_with('/');
    std::string tidy;
    for (std::size_t from = 0; from < all.size();) {
        const std::size_t end = std::min(all.find('/', from), all.size());
        const std::string_view part(all.data() + from, end - from);
        if (part == "..")
            tidy.resize(tidy.find_last_of('/') == std::string::npos ? 0 : tidy.find_last_of('/'));
        else if (!part.empty() && part != ".")
            tidy += (absolute || !tidy.empty() ? "/" : "") + std::string(part);
        from = end + 1;
    }
    return tidy.empty() ? (absolute ? "/" : ".") : tidy;
}

bool is_left_out(std::string_view path)
{
    const auto below = [&](std::string_view folder) { return is_below(path, folder); };
    if (std::any_of(std::begin(message_memory), std::end(message_memory), [&](std::string_view files) {
            return path.starts_with(files.substr(0, files.size() - 1));
        }))
        return true;
    return std::any_of(std::begin(excluded_folders), std::end(excluded_folders), below) &&
           std::none_of(std::begin(included_folders), std::end(included_folders), below);
}

}  // namespace fathom::strace
