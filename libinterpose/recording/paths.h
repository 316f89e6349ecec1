// Paths as records know them: absolute, without ".", ".." and doubled slashes (symbolic links stay), and
// which of them are not recorded.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "libinterpose/system/text.h"
#include "logformat/excluded.h"

namespace fathom {

// A path's worth of memory that is not on the caller's stack, which may be a signal handler's of a few KiB.
// There is a fixed number of them; false where all are in use.
class PathScratch {
  public:
    PathScratch();
    ~PathScratch();
    PathScratch(const PathScratch&) = delete;
    PathScratch& operator=(const PathScratch&) = delete;

    explicit operator bool() const { return text_ != nullptr; }
    PathText& operator*() const { return *text_; }
    PathText* operator->() const { return text_; }

  private:
    PathText* text_ = nullptr;
    std::atomic<std::uint32_t>* owner_ = nullptr;
};

// The absolute form of a path that is relative to an open folder or AT_FDCWD. Most paths have it already;
// those are not copied, so the path must outlive this.
class AbsolutePath {
  public:
    AbsolutePath(int folder, const char* path);

    // False if it is not known.
    explicit operator bool() const { return !text_.empty(); }
    std::string_view view() const { return text_; }
    const char* c_str() const { return text_.data(); }

  private:
    std::optional<PathScratch> scratch_;
    std::string_view text_;
};

// What of a path is before its last component, with the slash.
inline std::string_view folder_of(std::string_view path)
{
    const auto* const slash = static_cast<const char*>(::memrchr(path.data(), '/', path.size()));
    return path.substr(0, slash == nullptr ? 0 : static_cast<std::size_t>(slash - path.data()) + 1);
}

// The letters (bit_of_letter) that may follow the first slash of a path that is left out: most paths are
// known to be recorded by theirs. All of them until the settings were read.
extern std::atomic<std::uint32_t> excluded_first_letters __attribute__((visibility("hidden")));

// Of an absolute path with a zero behind it.
bool is_excluded_slowly(std::string_view absolute);
inline bool is_excluded(std::string_view absolute)
{
    return !absolute.empty() &&
           (excluded_first_letters.load(std::memory_order_relaxed) & bit_of_letter(absolute.data()[1])) !=
               0 &&
           is_excluded_slowly(absolute);
}

// Of a relative path whose folder is not looked up: whether files of its name are left out everywhere.
bool is_excluded_by_name(std::string_view relative);

// Whether the kernel can read all of it.
bool is_readable(const char* path);

// True for a call by path that failed and is not to be counted: on an excluded path, or on a pointer that the
// kernel could not read either. Looked at after the call only, which sets errno; with these, the kernel may
// have refused it before it read the path. No more than it reads of a path is looked at: that may be where it
// found it too long.
inline bool is_excluded_failure(const char* path)
{
    constexpr std::size_t most_of_path = 4096;
    const bool may_be_unread = errno == EINVAL || errno == E2BIG || errno == ERANGE;
    if (path == nullptr || errno == EFAULT || errno == ENOSYS || (may_be_unread && !is_readable(path)))
        return true;
    const std::string_view name(path, strnlen(path, most_of_path));
    return path[0] == '/' ? is_excluded(name) : is_excluded_by_name(name);
}

// The path by which an open descriptor's file was opened, as the kernel knows it now. False if there is none.
bool path_of_descriptor(int fd, PathText& to);

}  // namespace fathom
