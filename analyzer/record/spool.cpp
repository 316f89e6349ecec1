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
    return name.starts_with("part.") || name == "job.fathom" || name == "libfathom.so";
}

}  // namespace

std::string make_spool()
{
    std::string trouble;
    for (const std::string& place : places()) {
        std::string folder = fmt::format("{}/{}XXXXXX", place, prefix());
        if (mkdtemp(folder.data()) != nullptr) return folder;
        trouble = fmt::format("{}: {}", place, std::strerror(errno));
    }
    throw std::runtime_error(
        trouble + "; nowhere to keep what is recorded: set TMPDIR to a folder that can be written");
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
            if (entry.is_directory(ignored) && entry.path().filename().string().starts_with(prefix()))
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
