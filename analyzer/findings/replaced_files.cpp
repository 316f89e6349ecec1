// By names, since renames count on the old one.
#include "analyzer/findings/replaced_files.h"

#include <algorithm>

namespace fathom {
namespace {

std::string_view folder_in(std::string_view path)
{
    return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

ReplacedFiles::ReplacedFiles(const Scene& scene)
{
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind != NameKind::file) return;
        const std::uint64_t renames = FileCase{&use, records}.in_posix(&PosixCounters::renames);
        const std::string_view path = use.path, folder = folder_in(path);
        if (renames > 0) by_folder_[folder].push_back({path.substr(folder.size()), renames});
    });
}

std::uint64_t ReplacedFiles::times(std::string_view path) const
{
    const std::string_view folder = folder_in(path), name = path.substr(folder.size());
    const auto renamed = by_folder_.find(folder);
    std::uint64_t most = 0;
    if (renamed == by_folder_.end() || name.empty()) return 0;
    for (const Renamed& one : renamed->second)
        if (one.name != name && one.name.find(name) != std::string_view::npos)
            most = std::max(most, one.times);
    return most;
}

}  // namespace fathom
