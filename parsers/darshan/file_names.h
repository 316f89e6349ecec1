// Darshan's ids of files and objects as ours, and the rows of their names: only of those that a record is
// of.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "logformat/log/log.h"
#include "parsers/darshan/file.h"

namespace fathom::darshan {

class FileNames {
  public:
    explicit FileNames(const File& file);

    // The id of ours. What was an object and is now a file stays a file.
    std::uint64_t id_of(std::uint64_t darshan_id, NameKind kind = NameKind::file);
    // 0 where nothing was called so.
    std::uint64_t known(std::uint64_t darshan_id) const;
    // Whether it is standard input, output or error.
    bool is_stream(std::uint64_t darshan_id) const;

    // Appends the names to the log, which keeps their texts.
    void make_rows(Log& log) const;
    std::size_t size() const { return names_.size(); }
    std::size_t text_bytes() const { return text_bytes_; }

  private:
    struct Name {
        std::uint64_t id = 0;
        NameKind kind{};
        std::string_view path;  // of the file, or of made_up_
    };

    const File& file_;
    std::unordered_map<std::uint64_t, Name> names_;            // by Darshan's id
    std::unordered_map<std::uint64_t, std::uint64_t> owners_;  // Darshan's id by ours
    std::unordered_map<std::uint64_t, std::string> made_up_;   // by Darshan's id
    std::vector<std::uint64_t> order_;                         // Darshan's ids, as they came
    std::size_t text_bytes_ = 0;
};

}  // namespace fathom::darshan
