// Makes paths absolute and tidy.
#include "libinterpose/paths.h"

#include <array>
#include <atomic>
#include <bit>

#include "libinterpose/sys.h"
#include "logformat/excluded.h"

namespace fathom {
namespace {

constexpr unsigned scratches = 32;
constinit std::array<PathText, scratches> scratch_memory{};
constinit std::atomic<std::uint32_t> scratch_in_use{0};  // a bit each

bool lies_below(std::string_view path, std::string_view folder)
{
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Takes out "//", "." and "..", in place.
void tidy(PathText& path)
{
    char* const text = path.data();
    const std::size_t size = path.size();
    std::size_t to = 0;
    for (std::size_t from = 0; from < size;) {
        while (from < size && text[from] == '/') ++from;
        std::size_t end = from;
        while (end < size && text[end] != '/') ++end;
        const std::string_view part(text + from, end - from);
        if (part == "..") {
            while (to > 0 && text[--to] != '/') {
            }
        } else if (!part.empty() && part != ".") {
            text[to++] = '/';
            std::memmove(text + to, part.data(), part.size());
            to += part.size();
        }
        from = end;
    }
    if (to == 0) text[to++] = '/';
    path.resize(to);
}

}  // namespace

PathScratch::PathScratch()
{
    std::uint32_t used = scratch_in_use.load(std::memory_order_relaxed);
    while (used != ~std::uint32_t{0}) {
        const auto free = static_cast<unsigned>(std::countr_one(used));
        if (!scratch_in_use.compare_exchange_weak(used, used | 1u << free, std::memory_order_acquire))
            continue;
        text_ = &scratch_memory[free];
        text_->resize(0);
        return;
    }
}

PathScratch::~PathScratch()
{
    if (text_ == nullptr) return;
    const auto mine = static_cast<unsigned>(text_ - scratch_memory.data());
    scratch_in_use.fetch_and(~(1u << mine), std::memory_order_release);
}

bool is_excluded(std::string_view absolute)
{
    for (const std::string_view folder : included_folders)
        if (lies_below(absolute, folder)) return false;
    for (const std::string_view folder : excluded_folders)
        if (lies_below(absolute, folder)) return true;
    return false;
}

bool absolute_path(int folder, const char* path, PathText& to)
{
    if (path == nullptr) return false;
    to.resize(0);
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            const long length = sys::working_folder(to.data(), to.capacity());
            if (length <= 1 || to.data()[0] != '/') return false;
            to.resize(static_cast<std::size_t>(length) - 1);
        } else if (!path_of_descriptor(folder, to)) {
            return false;
        }
        to << "/";
    }
    to << std::string_view(path);
    tidy(to);
    return true;
}

bool path_of_descriptor(int fd, PathText& to)
{
    FixedText<64> link;
    link << "/proc/self/fd/" << static_cast<std::uint64_t>(fd);
    const long length = sys::readlink(link.c_str(), to.data(), to.capacity() - 1);
    if (length <= 0 || to.data()[0] != '/') return false;
    to.resize(static_cast<std::size_t>(length));
    constexpr std::string_view gone = " (deleted)";
    if (to.view().ends_with(gone)) to.resize(to.size() - gone.size());
    return true;
}

}  // namespace fathom
