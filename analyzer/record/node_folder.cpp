// Small files, written and removed under a lock on the folder.
#include "analyzer/record/node_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "analyzer/record/file_lock.h"
#include "analyzer/record/liveness.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view at_work = "recorder.", ended = "ended.";

// Two lines.
struct Note {
    std::string first, second;
};

void write(const fs::path& file, const Note& note)
{
    std::ofstream(file) << note.first << '\n' << note.second << '\n';
}

Note read(const fs::path& file)
{
    Note note;
    std::ifstream in(file);
    std::getline(in, note.first);
    std::getline(in, note.second);
    return note;
}

fs::path file_of(const std::string& folder, std::string_view state, const std::string& spool)
{
    return fs::path(folder) / (std::string(state) + fs::path(spool).filename().string());
}

std::vector<fs::path> files_in(const std::string& folder)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_in_state(const fs::path& file, std::string_view state)
{
    return file.filename().string().starts_with(state);
}

bool is_recorder_at_work(const fs::path& file)
{
    return is_in_state(file, at_work) && life_of_identity(read(file).first) != Life::ended;
}

}  // namespace

Beginning NodeFolder::join(const std::string& spool, const std::string& identity,
                           const std::function<Beginning()>& begin)
{
    if (path_.empty()) return begin();
    const FileLock lock(FileLock::folder, path_);
    // The last one of before may have removed it just now, and another user made one.
    alone_ = !make_own_folder(path_);
    if (alone_) return begin();
    std::error_code ignored;
    const fs::path settled = fs::path(path_) / "beginning";
    Beginning beginning;
    if (fs::exists(settled, ignored)) {
        const Note note = read(settled);
        beginning = {note.first, note.second};
    } else {
        beginning = begin();
        write(settled, {beginning.output, beginning.mark});
    }
    write(file_of(path_, at_work, spool), {identity, spool});
    return beginning;
}

LastOnNode NodeFolder::leave(const std::string& spool) const
{
    if (path_.empty() || alone_) return {{spool}, 0};
    const FileLock lock(FileLock::folder, path_);
    std::error_code ignored;
    fs::rename(file_of(path_, at_work, spool), file_of(path_, ended, spool), ignored);
    const std::vector<fs::path> files = files_in(path_);
    if (std::any_of(files.begin(), files.end(), is_recorder_at_work)) return {};
    LastOnNode last{{}, UINT64_MAX};
    for (const fs::path& file : files) {
        if (!is_in_state(file, at_work) && !is_in_state(file, ended)) continue;
        const Note note = read(file);
        last.spools.push_back(note.second);
        last.first_tick = std::min(last.first_tick, tick_of_identity(note.first));
    }
    fs::remove_all(path_, ignored);
    return last;
}

std::vector<std::string> NodeFolder::handed_over() const
{
    std::vector<std::string> spools;
    const std::vector<fs::path> files = files_in(path_);
    if (std::none_of(files.begin(), files.end(), is_recorder_at_work)) return spools;
    for (const fs::path& file : files)
        if (is_in_state(file, ended)) spools.push_back(read(file).second);
    return spools;
}

}  // namespace fathom
