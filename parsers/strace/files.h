// The files of a trace: by path, with what is known of each; and which are left out, as the recorder leaves
// them out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "logformat/rows.h"

namespace fathom::strace {

// Memory that a log may take, in bytes; docs/STRACE.md states it.
class Room {
  public:
    explicit Room(std::uint64_t bytes) : left_(bytes) {}

    bool take(std::uint64_t bytes)
    {
        if (bytes > left_) return false;
        left_ -= bytes;
        return true;
    }
    void give_back(std::uint64_t bytes) { left_ += bytes; }

  private:
    std::uint64_t left_;
};

struct File {
    std::string path;
    std::uint64_t id = 0;
    NameKind kind = NameKind::file;
    std::uint64_t size = 0;   // where it is known to end
    bool size_known = false;  // made or emptied within the trace
    bool used = false;        // an operation on it was seen: its kind is settled

    bool streams() const { return kind == NameKind::stream || kind == NameKind::device; }
};

class Files {
  public:
    explicit Files(Room& room);

    // Stays where it is. All beyond the room for them are one, of the kind overflow.
    File& of(std::string_view path, NameKind kind = NameKind::file);
    File& stream(std::int64_t descriptor);  // 0 to 2
    File& unopened();
    File& further();  // stands for all that have no room

    // A path that was seen to be missing, or removed: what opens it next makes it.
    void note_missing(std::string_view path);
    bool take_missing(std::string_view path);  // whether it was

    const std::deque<File>& all() const { return files_; }
    std::uint64_t without_room() const { return without_room_; }

  private:
    Room& room_;
    std::deque<File> files_;
    std::unordered_map<std::string_view, File*> by_path_;
    std::unordered_set<std::uint64_t> missing_;  // ids
    std::uint64_t without_room_ = 0;
};

// An absolute path without "//", "." and ".."; a path that is not absolute is taken from the folder.
std::string tidy_path(std::string_view folder, std::string_view path);

bool is_left_out(std::string_view path);

}  // namespace fathom::strace
