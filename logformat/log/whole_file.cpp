// A new file, and what went wrong with it in words.
#include "logformat/log/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

#include "logformat/log/log.h"
#include "logformat/log/site.h"

namespace fathom {
namespace {

std::string checked(const std::string& path)
{
    Place place = place_of(path);
    if (!place.trouble.empty()) throw LogError(fmt::format("{}: {}", path, place.trouble));
    return std::move(place.path);
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(checked(path)), file_(path_, mode_of_logs())
{
    if (file_.fd() < 0) fail("create", file_.error());
}

void WholeFile::fail(const char* what, int why) const
{
    throw LogError(fmt::format("{}: cannot {} the log: {}", path_, what, std::strerror(why)));
}

void WholeFile::write(std::span<const std::byte> bytes)
{
    write_at(size_, bytes);
}

void WholeFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = pwrite(file_.fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write", written == 0 ? ENOSPC : errno);
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        size_ = std::max(size_, offset);
    }
}

void WholeFile::finish()
{
    if (const int why = file_.finish(); why != 0) fail("finish", why);
}

}  // namespace fathom
