// How many files a job used. Where a process had no room for all of its files, the log has one record for the
// rest of each file system, and how many these were is an estimate. The same goes for files that a process
// named by path and had not opened: of those it may have opened some later, which then have records of their
// own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/job/job.h"

namespace fathom {

struct FileCount {
    enum class Certainty : std::uint8_t { exact, about, at_least };
    std::uint64_t files = 0;
    Certainty certainty = Certainty::exact;

    // "3,158", "about 3,151" or "at least 3,151".
    std::string words() const;
    void add(const FileCount& other);
    // What to say below a table that has the bare number; empty where it is exact.
    std::string_view remark() const;
};

// Distinct regular files: all that were used, or those with data in that direction as the program asked for
// it. Where several processes had no room, or one beside processes with files of their own, a file may be in
// several records: then it is the least that they can have been.
FileCount count_files(const Job& job, std::optional<Direction> direction = {});

// Collects files of a job, with their records.
class FileCounter {
  public:
    explicit FileCounter(const Job& job, std::optional<Direction> direction = {});
    void add(const FileUse& use, std::span<const RecordView> records);
    FileCount result() const;

  private:
    // The files below the folder of one overflow: those with records of their own, all of them and by the
    // processes that the overflow is of.
    struct Folder {
        std::uint64_t further = 0, by_path = 0, known = 0, of_all = 0;
        std::map<std::int64_t, std::uint64_t> known_of;
        std::uint64_t not_opened = 0;  // of those that are known
        bool of_one = false;           // `by_path` is of one process
        bool reduced = false;
    };

    Folder* folder_of(std::string_view path);

    std::optional<Direction> direction_;
    std::map<std::string_view, Folder> folders_;  // by path, with a slash at its end
    std::uint64_t elsewhere_ = 0;
};

}  // namespace fathom
