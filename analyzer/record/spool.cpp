// Folders and names of the spool.
#include "analyzer/record/spool.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace fathom {
namespace {

namespace fs = std::filesystem;

// A place with less room is passed over: the program may need it.
constexpr std::uintmax_t least_room = 4u << 20;

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
    return name.starts_with("part.") || name.starts_with("rank.") || name == "job.fathom" ||
           name == "libfathom.so";
}

}  // namespace

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

std::string make_ranks_folder(const std::string& job)
{
    std::error_code error;
    const std::string folder = fmt::format("/dev/shm/{}ranks-{}", prefix(), job);
    fs::create_directory(folder, error);
    return error ? "" : folder;
}

void leave_ranks_folder(const std::string& folder, const std::string& local_rank)
{
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().ends_with("." + local_rank)) fs::remove(entry.path(), ignored);
    fs::remove(folder, ignored);
}

void remove_spool(const std::string& spool)
{
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(spool, ignored))
        if (is_ours(entry.path().filename())) fs::remove(entry.path(), ignored);
    fs::remove(spool, ignored);
}

std::vector<std::string> parts_in(const std::string& spool)
{
    std::vector<std::string> parts;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(spool, error))
        if (entry.path().filename().string().starts_with("part.")) parts.push_back(entry.path());
    if (error)
        throw std::runtime_error(
            fmt::format("{}: cannot read this spool folder: {}", spool, error.message()));
    std::sort(parts.begin(), parts.end());
    return parts;
}

std::vector<std::string> spools_left()
{
    std::vector<std::string> spools;
    for (const std::string& place : places()) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(place, ignored))
            if (entry.is_directory(ignored) && entry.path().filename().string().starts_with(prefix()) &&
                entry.path().filename().string().find("-ranks-") == std::string::npos)
                spools.push_back(entry.path());
    }
    std::sort(spools.begin(), spools.end());
    spools.erase(std::unique(spools.begin(), spools.end()), spools.end());
    return spools;
}

std::string facts_path(const std::string& spool)
{
    return spool + "/job.fathom";
}

}  // namespace fathom
