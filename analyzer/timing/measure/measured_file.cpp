// O_TMPFILE, or a name that is removed before anything is written.
#include "analyzer/timing/measure/measured_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <stdexcept>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fathom::measure {
namespace {

constexpr std::size_t piece_bytes = 1u << 20;

const char* remedy_for(int why)
{
    if (why == ENOSPC || why == EDQUOT) return "free some space, or ask for less with --file-size";
    if (why == EROFS || why == EACCES || why == EPERM) return "name a folder that can be written";
    if (why == ENOENT || why == ENOTDIR) return "name a folder that is there";
    if (why == EFBIG) return "ask for less with --file-size";
    return "name another folder";
}

[[noreturn]] void fail(const std::string& folder, std::string_view what, int why)
{
    throw std::runtime_error(
        fmt::format("{}: cannot {}: {}; {}", folder, what, std::strerror(why), remedy_for(why)));
}

}  // namespace

Descriptor::~Descriptor()
{
    if (number_ >= 0) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
    std::swap(number_, other.number_);
    return *this;
}

Descriptor unnamed_file(const std::string& folder)
{
    const int unnamed = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (unnamed >= 0) return Descriptor(unnamed);
    // Kernels and file systems without O_TMPFILE say so in several ways.
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) fail(folder, "create a file there", errno);
    std::string name = folder + "/.fathom-measure-XXXXXX";
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named < 0) fail(folder, "create a file there", errno);
    unlink(name.c_str());
    return Descriptor(named);
}

void scramble(std::byte* bytes, std::size_t count, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
        const std::uint64_t next = random();
        std::memcpy(bytes + at, &next, std::min(sizeof next, count - at));
    }
}

void fill(const Descriptor& file, const std::string& folder, std::uint64_t bytes, std::uint64_t seed,
          const std::atomic<bool>& stop, const std::function<void(std::uint64_t)>& written)
{
    // Room that is promised first cannot run out halfway; not every file system can promise.
    if (fallocate(file.number(), 0, 0, static_cast<off_t>(bytes)) != 0 &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        fail(folder, fmt::format("hold a file of {} bytes", bytes), errno);
    std::vector<std::byte> piece(piece_bytes);
    scramble(piece.data(), piece.size(), seed);
    for (std::uint64_t at = 0; at < bytes && !stop;) {
        std::memcpy(piece.data(), &at, sizeof at);  // no piece is like another
        const std::size_t length = std::min<std::uint64_t>(piece.size(), bytes - at);
        const ssize_t done = pwrite(file.number(), piece.data(), length, static_cast<off_t>(at));
        if (done <= 0) fail(folder, fmt::format("write a file of {} bytes", bytes), done < 0 ? errno : EIO);
        at += static_cast<std::uint64_t>(done);
        written(static_cast<std::uint64_t>(done));
    }
    if (!stop && fdatasync(file.number()) != 0)
        fail(folder, fmt::format("write a file of {} bytes", bytes), errno);
}

bool bypass_cache(const Descriptor& file, bool on)
{
    const int flags = fcntl(file.number(), F_GETFL);
    return flags >= 0 && fcntl(file.number(), F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

void read_ahead(const Descriptor& file, bool on)
{
    posix_fadvise(file.number(), 0, 0, on ? POSIX_FADV_NORMAL : POSIX_FADV_RANDOM);
}

std::uint64_t direct_alignment(const Descriptor& file)
{
    constexpr std::uint64_t most = 4096;
    if (!bypass_cache(file, true)) return 0;
    std::vector<std::byte> room(3 * most);
    const auto address = reinterpret_cast<std::uintptr_t>(room.data());
    std::byte* const aligned = room.data() + (most - address % most);
    std::uint64_t found = 0;
    for (std::uint64_t align = 512; align <= most && found == 0; align *= 2) {
        const auto size = static_cast<ssize_t>(align);
        // The memory is aligned to this much and no more. What is written back is what was there.
        if (pread(file.number(), aligned + align, align, size) == size &&
            pwrite(file.number(), aligned + align, align, size) == size)
            found = align;
    }
    bypass_cache(file, false);
    return found;
}

}  // namespace fathom::measure
