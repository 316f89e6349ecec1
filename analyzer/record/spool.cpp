// Folders and names of the spool.
#include "analyzer/record/spool.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom {
namespace {

namespace fs = std::filesystem;

// A place with less room is passed over: the program may need it.
constexpr std::uintmax_t least_room = 4u << 20;

// Facts that no log of a job has.
constexpr std::string_view owner_fact = "spool_owner", folder_fact = "ranks_log_folder";

std::string prefix()
{
    return fmt::format("fathom-{}-", getuid());
}

std::vector<std::string> places()
{
    std::vector<std::string> all = {"/dev/shm"};
    if (const char* const temporary = std::getenv("TMPDIR"); temporary != nullptr && temporary[0] == '/')
        all.emplace_back(temporary);
    all.emplace_back("/tmp");
    return all;
}

bool is_ours(const std::string& name)
{
    for (const std::string_view start : {"part.", "rank.", "job.fathom", "folded.", "recorder.", "ended."})
        if (name.starts_with(start)) return true;
    return name == "libfathom.so" || name == "beginning" || name == "verdict";
}

std::vector<std::string> files_in(const std::string& spool, std::string_view start, std::string_view end)
{
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(spool, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(start) && name.ends_with(end)) files.push_back(entry.path());
    }
    if (error)
        throw std::runtime_error(fmt::format(
            "{}: cannot read this spool folder: {}; fathom recover without a folder lists those there are",
            spool, error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> folders_left(bool of_ranks)
{
    std::vector<std::string> folders;
    for (const std::string& place : places()) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(place, ignored))
            if (entry.path().filename().string().starts_with(prefix()) && is_own_folder(entry.path()) &&
                of_ranks == !key_of_ranks_folder(entry.path()).empty())
                folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    return folders;
}

}  // namespace

bool is_own_folder(const std::string& folder)
{
    struct stat there {};
    return lstat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode) && there.st_uid == geteuid() &&
           (there.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool others_may_rename_in(const std::string& folder)
{
    struct stat there {};
    return stat(folder.c_str(), &there) == 0 && (there.st_mode & S_IWOTH) != 0 &&
           (there.st_mode & S_ISVTX) == 0;
}

bool make_own_folder(const std::string& folder)
{
    constexpr int most_tries = 100;  // the last user of one of before may be removing it
    for (int tries = 0; tries < most_tries; ++tries) {
        if (mkdir(folder.c_str(), S_IRWXU) == 0) return true;
        if (errno != EEXIST) return false;
        if (is_own_folder(folder)) return true;
        struct stat there {};
        if (lstat(folder.c_str(), &there) == 0) return false;
    }
    return false;
}

std::string make_spool()
{
    std::string trouble;
    for (const std::string& place : places()) {
        std::error_code error;
        const auto room = fs::space(place, error);
        if (!error && room.available < least_room) {
            trouble = place + ": no space left";
            continue;
        }
        std::string folder = fmt::format("{}/{}XXXXXX", place, prefix());
        if (mkdtemp(folder.data()) != nullptr) return folder;
        trouble = fmt::format("{}: {}", place, std::strerror(errno));
    }
    throw std::runtime_error(
        trouble + "; nowhere to keep what is recorded: set TMPDIR to a folder that can be written");
}

std::string make_ranks_folder(const std::string& key)
{
    const std::string folder = fmt::format("/dev/shm/{}ranks-{}", prefix(), key);
    return make_own_folder(folder) ? folder : "";
}

std::string key_of_ranks_folder(const std::string& folder)
{
    const std::string name = fs::path(folder).filename(), start = prefix() + "ranks-";
    return name.starts_with(start) ? name.substr(start.size()) : "";
}

void remove_spool(const std::string& spool)
{
    // By descriptor: whatever its name stands for meanwhile.
    const int folder = open(spool.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR* const entries = folder < 0 ? nullptr : fdopendir(folder);
    if (entries == nullptr) return;
    std::vector<std::string> names;
    while (const dirent* const entry = readdir(entries))
        if (is_ours(entry->d_name)) names.emplace_back(entry->d_name);
    for (const std::string& name : names) unlinkat(folder, name.c_str(), 0);
    closedir(entries);
    rmdir(spool.c_str());
}

std::vector<std::string> parts_in(const std::string& spool)
{
    return files_in(spool, "part.", "");
}

std::vector<std::string> folded_in(const std::string& spool)
{
    return files_in(spool, "folded.", ".fathom");
}

std::string folded_path(const std::string& spool, std::size_t number)
{
    return fmt::format("{}/folded.{:06}.fathom", spool, number);
}

std::vector<std::string> spools_left()
{
    return folders_left(false);
}

std::vector<std::string> ranks_folders_left()
{
    return folders_left(true);
}

void keep(const std::string& spool, Kept kept)
{
    kept.facts.add_fact(owner_fact, kept.owner);
    kept.facts.add_fact(folder_fact, kept.folder);
    write_log(kept.facts, spool + "/job.fathom");
}

Kept kept_in(const std::string& spool)
{
    Kept kept;
    try {
        kept.facts = read_own_log(spool + "/job.fathom");
    } catch (const LogError&) {
        return kept;  // recorded without `fathom record`
    }
    kept.owner = kept.facts.fact(owner_fact).value_or("");
    kept.folder = kept.facts.fact(folder_fact).value_or("");
    std::erase_if(kept.facts.rows<Fact>(),
                  [](const Fact& fact) { return fact.name == owner_fact || fact.name == folder_fact; });
    return kept;
}

}  // namespace fathom
